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

/// What a group that limits nothing shows, by file: the same number may be a limit in another, as 100000 is the quota of
/// one processor and the usual length of a period.
const NO_LIMIT: &[(&str, &[&str])] = &[
    ("io.weight", &["default 100"]),
    ("cpu.weight", &["100"]),
    ("cpu.cfs_quota_us", &["-1"]),
    ("cpu.cfs_period_us", &["100000"]),
    ("cpu.shares", &["1024"]),
    ("blkio.weight", &["500", "1000"]),
];

/// No limit of version 1's memory is the largest number of whole pages (`PAGE_COUNTER_MAX`); this is it of pages of 64 KiB,
/// the largest that there are.
const MEMORY_WITHOUT_LIMIT: u64 = (i64::MAX as u64 >> 16) << 16;

/// Whether `value` of `file` limits nothing.
fn is_no_limit(file: &str, value: &str) -> bool {
    // `max`, or of cpu.max `max 100000`.
    if value.split(' ').next() == Some("max") {
        return true;
    }
    if file.starts_with("memory.") {
        let bytes = value.parse::<u64>();
        return bytes.is_ok_and(|bytes| bytes >= MEMORY_WITHOUT_LIMIT);
    }
    let of_file = NO_LIMIT.iter().find(|(name, _)| *name == file);
    of_file.is_some_and(|(_, values)| values.contains(&value))
}

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
        let tight = values[from..].iter().map(String::as_str);
        let tight: Vec<&str> = tight.filter(|value| !is_no_limit(file, value)).collect();
        let value = (!tight.is_empty()).then(|| tight.join(" / "));
        facts.put(&format!("cgroup.{file}"), value);
    }
}
