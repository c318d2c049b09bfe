//! Limits of the control groups that this process runs in (the kernel's admin-guide/cgroup-v2.rst).

use std::path::PathBuf;

use super::GatheredFacts;
use crate::groups::hierarchies;
use crate::text;

/// Limits that version 2 keeps in each group.
const VERSION_2: &[&str] = &[
    "io.max",
    "io.weight",
    "io.latency",
    "cpu.max",
    "cpu.weight",
    "cpuset.cpus.effective",
    "memory.max",
    "memory.high",
    "memory.swap.max",
    "pids.max",
];
/// The same of version 1, by controller.
const VERSION_1: &[(&str, &str)] = &[
    ("cpu", "cpu.cfs_quota_us"),
    ("cpu", "cpu.cfs_period_us"),
    ("cpu", "cpu.shares"),
    ("cpuset", "cpuset.cpus"),
    ("memory", "memory.limit_in_bytes"),
    ("memory", "memory.memsw.limit_in_bytes"),
    ("blkio", "blkio.throttle.read_bps_device"),
    ("blkio", "blkio.throttle.write_bps_device"),
    ("blkio", "blkio.throttle.read_iops_device"),
    ("blkio", "blkio.throttle.write_iops_device"),
    ("blkio", "blkio.weight"),
];

/// The limits of every group from this process's own up to the root; the tightest one counts.
pub(super) fn read(facts: &mut GatheredFacts<'_>) {
    for hierarchy in hierarchies(facts.context) {
        let files: Vec<&str> = match &hierarchy.controller {
            None => VERSION_2.to_vec(),
            Some(controller) => {
                let own = VERSION_1.iter().filter(|(of, _)| of == controller);
                own.map(|(_, file)| *file).collect()
            }
        };
        limits(facts, &hierarchy.levels, &files);
    }
}

/// What a group that limits nothing shows.
const NO_LIMIT: &[&str] = &[
    "max",
    "max 100000",
    "100000",
    "default 100",
    "100",
    "-1",
    "1024",
    "9223372036854771712",
];

/// One fact per file: its values from the outermost group to this process's own, joined by slashes,
/// those left out that limit nothing. The groups' names stay out, since a session gets another
/// each time without any limit having changed.
fn limits(facts: &mut GatheredFacts<'_>, levels: &[PathBuf], files: &[&str]) {
    for file in files {
        let values = levels.iter().map(|level| {
            let lines = facts.context.attr_lines(level.join(file));
            text::clean(&lines.join("; "))
        });
        let values: Vec<String> = values.filter(|value| !value.is_empty()).collect();
        // A set of CPUs is a part of the set around it: the innermost says all.
        let from = if file.starts_with("cpuset") {
            values.len().saturating_sub(1)
        } else {
            0
        };
        let tight = values[from..]
            .iter()
            .filter(|v| !NO_LIMIT.contains(&v.as_str()));
        let tight: Vec<&str> = tight.map(String::as_str).collect();
        let value = (!tight.is_empty()).then(|| tight.join(" / "));
        facts.put(&format!("cgroup.{file}"), value);
    }
}
