//! The memory of the machine, and what the control groups that hold this process allow of it.

use std::fs;
use std::path::{Path, PathBuf};

use etalon_units::Bytes;

use crate::groups::{Hierarchy, hierarchies};
use crate::space::KEPT_SHARE;

/// Memory that a process may take.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Room {
    /// All of it.
    pub total: Bytes,
    /// What can be had now without swapping.
    pub available: Bytes,
    /// The directory of the control group that allows no more; `None` of the machine itself.
    pub group: Option<PathBuf>,
}

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

impl Room {
    /// What may be taken with a tenth of all kept free, the same share as of a filesystem
    /// ([`FreeSpace::kept`](crate::FreeSpace::kept)).
    pub fn allowance(&self) -> Bytes {
        let kept = self.total.get() / KEPT_SHARE;
        Bytes(self.available.get().saturating_sub(kept))
    }
}

/// What each group around this process leaves that has a limit.
pub(super) fn of_groups() -> Vec<Room> {
    let read = |path| fs::read_to_string(path).unwrap_or_default();
    let (mounts, groups) = (read("/proc/self/mountinfo"), read("/proc/self/cgroup"));
    let all = hierarchies(&mounts, &groups, Path::new("/sys"));
    all.iter().flat_map(of_hierarchy).collect()
}

fn of_hierarchy(hierarchy: &Hierarchy) -> Vec<Room> {
    let files = match hierarchy.controller.as_deref() {
        None => &VERSION_2,
        Some("memory") => &VERSION_1,
        Some(_) => return Vec::new(),
    };
    let levels = hierarchy.levels.iter();
    levels.filter_map(|level| of_group(level, files)).collect()
}

/// What the page cache holds and nothing has used of late is given back before memory runs out, so it counts as left.
fn of_group(group: &Path, files: &Files) -> Option<Room> {
    let limits = files.limits.iter();
    let limit = limits
        .filter_map(|limit| number(&group.join(limit)))
        .min()?;
    let used = number(&group.join(files.used)).unwrap_or(0);
    let held = used.saturating_sub(idle(group, files.idle));
    Some(Room {
        total: Bytes(limit),
        available: Bytes(limit.saturating_sub(held)),
        group: Some(group.to_owned()),
    })
}

fn number(file: &Path) -> Option<u64> {
    fs::read_to_string(file).ok()?.trim().parse().ok()
}

fn idle(group: &Path, key: &str) -> u64 {
    let text = fs::read_to_string(group.join("memory.stat")).unwrap_or_default();
    let mut pairs = text.lines().filter_map(|line| line.split_once(' '));
    let found = pairs.find(|(name, _)| *name == key);
    found
        .and_then(|(_, value)| value.trim().parse().ok())
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The room that groups with these files leave, the tightest of all.
    fn room(groups: &str, files: &[(&str, &str)]) -> Option<Room> {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path();
        for (path, text) in files {
            let file = root.join(path);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, text).unwrap();
        }
        let mounts = format!(
            "1 0 0:5 / {0} rw - cgroup2 cgroup2 rw\n2 0 0:6 / {0}/memory rw - cgroup cgroup rw,memory\n",
            root.display()
        );
        let all = hierarchies(&mounts, groups, root);
        let rooms = all.iter().flat_map(of_hierarchy);
        rooms.min_by_key(|room| room.available)
    }

    fn left(groups: &str, files: &[(&str, &str)]) -> Option<Bytes> {
        Some(room(groups, files)?.available)
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

    #[test]
    fn a_tenth_of_what_a_group_allows_stays_free_and_the_group_is_named() {
        let files = [
            ("pod/memory.max", "1073741824\n"),
            ("pod/memory.current", "104857600\n"),
        ];
        let room = room("0::/pod\n", &files).unwrap();
        let kept = Bytes(Bytes::gib(1).get() / 10);
        let taken = Bytes::mib(100).get() + kept.get();
        assert_eq!(room.allowance(), Bytes(Bytes::gib(1).get() - taken));
        assert!(room.group.unwrap().ends_with("pod"));
    }
}
