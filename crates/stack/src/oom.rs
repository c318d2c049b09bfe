//! Processes that were killed because the control groups which hold this process were short of memory.

use std::path::Path;

use crate::context::Context;
use crate::groups::{Hierarchy, hierarchies};
use crate::roots::Roots;

/// How often it happened so far to a process of this one's own group, or for the limit of a group above; `None` where the
/// groups do not tell. What `/proc/vmstat` counts is of every group of the machine (`count_vm_event(OOM_KILL)` in
/// mm/oom_kill.c).
pub fn own_oom_kills(roots: &Roots) -> Option<u64> {
    let context = Context::new(roots);
    let all = hierarchies(&context);
    let of_version_1 = all
        .iter()
        .find(|h| h.controller.as_deref() == Some("memory"));
    if let Some(own) = of_version_1 {
        return count(
            &context,
            &own.levels.last()?.join("memory.oom_control"),
            "oom_kill",
        );
    }
    let unified = all.iter().find(|h| h.controller.is_none())?;
    of_version_2(&context, unified)
}

/// Kills are counted of the group of who was killed and of all above, a limit that was met of its own group alone in
/// `memory.events.local` (Linux 5.3).
fn of_version_2(context: &Context<'_>, hierarchy: &Hierarchy) -> Option<u64> {
    let limited = |level: &&std::path::PathBuf| level.join("memory.events").exists();
    let mut levels = hierarchy.levels.iter().rev().filter(limited);
    let Some(own) = levels.next() else {
        return has_memory(context, hierarchy).then_some(0);
    };
    let killed = count(context, &own.join("memory.events"), "oom_kill")?;
    let above = levels.map(|level| count(context, &level.join("memory.events.local"), "oom"));
    Some(killed + above.flatten().sum::<u64>())
}

/// Whether groups limit memory at all; the root of them has no limit of its own, and no such file.
fn has_memory(context: &Context<'_>, hierarchy: &Hierarchy) -> bool {
    let root = hierarchy.levels.first();
    let told = root.and_then(|root| context.attr(root.join("cgroup.controllers")));
    told.is_some_and(|all| all.split(' ').any(|one| one == "memory"))
}

/// The number behind `key` in a file of such lines.
fn count(context: &Context<'_>, path: &Path, key: &str) -> Option<u64> {
    let lines = context.attr_lines(path);
    let mut pairs = lines.iter().filter_map(|line| line.split_once(' '));
    pairs.find(|(name, _)| *name == key)?.1.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use etalon_testbed::put;

    /// The kills of a process in these groups, on a machine with these files.
    fn kills(cgroup: &str, files: &[(&str, &str)]) -> Option<u64> {
        let directory = tempfile::tempdir().unwrap();
        let mounts = "2 1 0:5 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n\
            3 1 0:6 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n";
        let own = [
            ("proc/self/mountinfo", mounts),
            ("proc/self/cgroup", cgroup),
        ];
        for (path, text) in own.iter().chain(files) {
            put(directory.path(), path, text);
        }
        own_oom_kills(&Roots::under(directory.path()))
    }

    #[test]
    fn kills_in_the_own_group_and_limits_met_above_are_counted_and_neighbours_are_not() {
        let events = |oom: u64, kills: u64| format!("max 0\noom {oom}\noom_kill {kills}\n");
        let found = kills(
            "0::/pods/own\n",
            &[
                // A neighbour's kills are counted there too.
                ("sys/fs/cgroup/pods/memory.events", &events(9, 9)),
                ("sys/fs/cgroup/pods/memory.events.local", &events(2, 0)),
                ("sys/fs/cgroup/pods/own/memory.events", &events(1, 1)),
                ("sys/fs/cgroup/pods/own/memory.events.local", &events(1, 1)),
            ],
        );
        assert_eq!(found, Some(1 + 2));
    }

    #[test]
    fn in_the_root_of_the_groups_no_limit_is_met_and_without_memory_nothing_is_known() {
        let controllers = |all| [("sys/fs/cgroup/cgroup.controllers", all)];
        assert_eq!(kills("0::/\n", &controllers("cpu io memory\n")), Some(0));
        assert_eq!(kills("0::/\n", &controllers("cpu io\n")), None);
    }

    #[test]
    fn version_1_counts_the_own_group() {
        let control = "oom_kill_disable 0\nunder_oom 0\noom_kill 3\n";
        let file = "sys/fs/cgroup/memory/job/memory.oom_control";
        let found = kills("4:memory:/job\n0::/\n", &[(file, control)]);
        assert_eq!(found, Some(3));
    }
}
