//! Limits of the control groups that this process runs in (the kernel's admin-guide/cgroup-v2.rst).

use std::path::{Component, Path, PathBuf};

use etalon_model::stack::Mount;

use super::Facts;
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

/// Hierarchies that a process is in at most: one for each of the kernel's controllers, of which it
/// allows 16 (kernel/cgroup/cgroup.c, `CGROUP_SUBSYS_COUNT`), and as many again that have a name.
const MOST_HIERARCHIES: usize = 32;
/// A line holds a path, which is never longer than this (`PATH_MAX`).
const LONGEST_LINE: usize = 4096;

/// The limits of every group from this process's own up to the root; the tightest one counts.
pub(super) fn read(facts: &mut Facts<'_>) {
    let context = facts.context;
    let mounts = context.mounts().unwrap_or_default();
    let lines = context.attr_lines(context.roots.procfs.join("self/cgroup"));
    let lines = lines.iter().filter(|line| line.len() <= LONGEST_LINE);
    for line in lines.take(MOST_HIERARCHIES) {
        // `number:controllers:path`; version 2 has the number 0 and no controllers.
        let mut parts = line.splitn(3, ':').skip(1);
        let (Some(controllers), Some(group)) = (parts.next(), parts.next()) else {
            continue;
        };
        match controllers.is_empty() {
            true => version_2(facts, mounts, group),
            false => version_1(facts, mounts, controllers, group),
        }
    }
}

/// Where a hierarchy is mounted, below the roots.
fn mounted(
    facts: &Facts<'_>,
    mounts: &[Mount],
    wanted: impl Fn(&Mount) -> bool,
) -> Option<PathBuf> {
    let point = &mounts.iter().find(|m| wanted(m))?.point;
    let inside = Path::new(point).strip_prefix("/sys").ok()?;
    Some(facts.context.roots.sysfs.join(inside))
}

fn version_2(facts: &mut Facts<'_>, mounts: &[Mount], group: &str) {
    if let Some(base) = mounted(facts, mounts, |m| m.fs_type == "cgroup2") {
        let files: Vec<(&str, &str)> = VERSION_2.iter().map(|file| ("", *file)).collect();
        limits(facts, &base, group, &files);
    }
}

fn version_1(facts: &mut Facts<'_>, mounts: &[Mount], controllers: &str, group: &str) {
    for controller in controllers.split(',') {
        let is_it =
            |m: &Mount| m.fs_type == "cgroup" && m.super_options.iter().any(|o| o == controller);
        let Some(base) = mounted(facts, mounts, is_it) else {
            continue;
        };
        let files = VERSION_1.iter().filter(|(of, _)| *of == controller);
        let files: Vec<(&str, &str)> = files.copied().collect();
        limits(facts, &base, group, &files);
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
fn limits(facts: &mut Facts<'_>, base: &Path, group: &str, files: &[(&str, &str)]) {
    let inside = Path::new(group.trim_start_matches('/'));
    let is_plain = inside
        .components()
        .all(|part| matches!(part, Component::Normal(_)));
    if !is_plain {
        return;
    }
    let mut levels: Vec<&Path> = inside.ancestors().collect();
    levels.reverse();
    for (_, file) in files {
        let values = levels.iter().map(|level| {
            let lines = facts.context.attr_lines(base.join(level).join(file));
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
