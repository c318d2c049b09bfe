//! What the control groups that hold this process leave of their memory.

use std::path::Path;

use etalon_units::Bytes;

use crate::context::Context;
use crate::groups::{Hierarchy, hierarchies};
use crate::roots::Roots;

/// How a group tells of its memory.
struct Files {
    limits: &'static [&'static str],
    used: &'static str,
    /// The key of what is given back first, in `memory.stat`.
    idle: &'static str,
}

/// Above `memory.high` processes are held up until memory is given back, which files in memory never are.
const VERSION_2: Files = Files {
    limits: &["memory.max", "memory.high"],
    used: "memory.current",
    idle: "inactive_file",
};
/// A group without a limit shows one that no machine reaches.
const VERSION_1: Files = Files {
    limits: &["memory.limit_in_bytes"],
    used: "memory.usage_in_bytes",
    idle: "total_inactive_file",
};

/// The least that any of the groups leaves; `None` where none of them has a limit. What the page cache holds and nothing has
/// used of late is given back before memory runs out, so it counts as left.
pub fn memory_left(roots: &Roots) -> Option<Bytes> {
    let context = Context::new(roots);
    let all = hierarchies(&context);
    all.iter().filter_map(|h| of_hierarchy(&context, h)).min()
}

fn of_hierarchy(context: &Context<'_>, hierarchy: &Hierarchy) -> Option<Bytes> {
    let files = match hierarchy.controller.as_deref() {
        None => &VERSION_2,
        Some("memory") => &VERSION_1,
        Some(_) => return None,
    };
    let levels = hierarchy.levels.iter();
    levels
        .filter_map(|level| of_group(context, level, files))
        .min()
}

fn of_group(context: &Context<'_>, group: &Path, files: &Files) -> Option<Bytes> {
    let limits = files.limits.iter();
    let limit: u64 = limits
        .filter_map(|limit| context.value(group.join(limit)))
        .min()?;
    let used: u64 = context.value(group.join(files.used)).unwrap_or(0);
    Some(Bytes(limit.saturating_sub(
        used.saturating_sub(idle(context, group, files.idle)),
    )))
}

fn idle(context: &Context<'_>, group: &Path, key: &str) -> u64 {
    let lines = context.attr_lines(group.join("memory.stat"));
    let mut pairs = lines.iter().filter_map(|line| line.split_once(' '));
    let found = pairs.find(|(name, _)| *name == key);
    found
        .and_then(|(_, value)| value.trim().parse().ok())
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use etalon_testbed::put;

    const MOUNTS: &str = "1 0 0:5 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n\
        2 0 0:6 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n";

    fn left(groups: &str, files: &[(&str, &str)]) -> Option<Bytes> {
        let directory = tempfile::tempdir().unwrap();
        let own = [
            ("proc/self/mountinfo", MOUNTS),
            ("proc/self/cgroup", groups),
        ];
        let limits = files
            .iter()
            .map(|(path, text)| (format!("sys/fs/cgroup/{path}"), *text));
        let own = own.map(|(path, text)| (path.to_owned(), text));
        for (path, text) in own.into_iter().chain(limits) {
            put(directory.path(), &path, text);
        }
        memory_left(&Roots::under(directory.path()))
    }

    #[test]
    fn the_tightest_group_around_counts_and_cache_that_is_idle_is_left() {
        let (outer, inner) = ("0::/pod/job\n", 1 << 20);
        let outermost = ("pod/memory.max", "104857600\n");
        let used = ("pod/memory.current", "73400320\n");
        let none = ("pod/job/memory.max", "max\n");
        assert_eq!(
            left(outer, &[outermost, used, none]),
            Some(Bytes(30 * inner))
        );
        let idle = ("pod/memory.stat", "anon 5\ninactive_file 10485760\n");
        assert_eq!(
            left(outer, &[outermost, used, idle]),
            Some(Bytes(40 * inner))
        );
        let own = ("pod/job/memory.high", "8388608\n");
        assert_eq!(left(outer, &[outermost, used, own]), Some(Bytes(8 * inner)));
        let full = ("pod/memory.current", "104861696\n");
        assert_eq!(left(outer, &[outermost, full]), Some(Bytes::ZERO));
        assert_eq!(left(outer, &[none, used]), None);
    }

    #[test]
    fn groups_of_version_1_tell_the_same() {
        let files = [
            ("memory/job/memory.limit_in_bytes", "104857600\n"),
            ("memory/job/memory.usage_in_bytes", "52428800\n"),
            (
                "memory/job/memory.stat",
                "inactive_file 1\ntotal_inactive_file 10485760\n",
            ),
        ];
        let found = left("4:memory:/job\n0::/\n", &files);
        assert_eq!(found, Some(Bytes::mib(60)));
    }
}
