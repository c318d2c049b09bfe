//! The control groups that hold this process (the kernel's admin-guide/cgroup-v1 and cgroup-v2.rst).

use std::path::{Component, Path, PathBuf};

use crate::mount_text::unescape;

/// Hierarchies that a process is in at most: one for each of the kernel's controllers, of which it
/// allows 16 (kernel/cgroup/cgroup.c, `CGROUP_SUBSYS_COUNT`), and as many again that have a name.
const MOST_HIERARCHIES: usize = 32;
/// A line holds a path, which is never longer than this (`PATH_MAX`).
const LONGEST_LINE: usize = 4096;

/// The groups of this process in one hierarchy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hierarchy {
    /// The controller of version 1; `None` in version 2, which has one hierarchy for all.
    pub controller: Option<String>,
    /// The directories of the groups, from the outermost to this process's own.
    pub levels: Vec<PathBuf>,
}

/// Where control groups are mounted.
#[derive(Debug)]
struct GroupMount {
    /// The group that is seen there.
    root: PathBuf,
    point: PathBuf,
    fs_type: String,
    super_options: String,
}

/// Every hierarchy of `groups` (proc_pid_cgroup(5)) that is mounted at or below `within`, as `mounts` has it
/// (proc_pid_mountinfo(5)), one for each controller.
pub fn hierarchies(mounts: &str, groups: &str, within: &Path) -> Vec<Hierarchy> {
    let mounts: Vec<GroupMount> = mounts.lines().filter_map(group_mount).collect();
    let is_within = |mount: &&GroupMount| mount.point.starts_with(within);
    let mounts: Vec<&GroupMount> = mounts.iter().filter(is_within).collect();
    let lines = groups.lines().filter(|line| line.len() <= LONGEST_LINE);
    let mut found = Vec::new();
    for line in lines.take(MOST_HIERARCHIES) {
        // `number:controllers:path`; version 2 has the number 0 and no controllers.
        let mut parts = line.splitn(3, ':').skip(1);
        if let (Some(controllers), Some(group)) = (parts.next(), parts.next()) {
            found.extend(of_line(&mounts, controllers, group));
        }
    }
    found
}

fn of_line(mounts: &[&GroupMount], controllers: &str, group: &str) -> Vec<Hierarchy> {
    if controllers.is_empty() {
        let mount = mounts.iter().find(|mount| mount.fs_type == "cgroup2");
        return of_mount(mount, None, group).into_iter().collect();
    }
    let of_controller = |controller: &str| {
        let mut mounts = mounts.iter();
        let mount = mounts.find(|mount| mount.has_controller(controller));
        of_mount(mount, Some(controller), group)
    };
    controllers.split(',').filter_map(of_controller).collect()
}

fn of_mount(
    mount: Option<&&GroupMount>,
    controller: Option<&str>,
    group: &str,
) -> Option<Hierarchy> {
    Some(Hierarchy {
        controller: controller.map(str::to_owned),
        levels: mount?.levels(group)?,
    })
}

impl GroupMount {
    fn has_controller(&self, controller: &str) -> bool {
        self.fs_type == "cgroup" && self.super_options.split(',').any(|one| one == controller)
    }

    /// `None` of a path that is none.
    fn levels(&self, group: &str) -> Option<Vec<PathBuf>> {
        let inside = self.below(group);
        let is_plain = inside
            .components()
            .all(|part| matches!(part, Component::Normal(_)));
        let levels = inside.ancestors().map(|level| self.point.join(level));
        let mut levels: Vec<PathBuf> = levels.collect();
        levels.reverse();
        is_plain.then_some(levels)
    }

    /// The group as seen from what is mounted: in a container of version 1 that is the container's own group, whose path
    /// from the root of all groups /proc/self/cgroup has all the same.
    fn below<'g>(&self, group: &'g str) -> &'g Path {
        let inside = Path::new(group).strip_prefix(&self.root);
        inside.unwrap_or_else(|_| Path::new(group.trim_start_matches('/')))
    }
}

/// `number parent device root point options ... - type source options`.
fn group_mount(line: &str) -> Option<GroupMount> {
    let (front, back) = line.split_once(" - ")?;
    let mut back = back.split(' ');
    let fs_type = back.next().filter(|kind| kind.starts_with("cgroup"))?;
    let mut front = front.split(' ').skip(3);
    let mut path = || Some(PathBuf::from(unescape(front.next()?)));
    Some(GroupMount {
        root: path()?,
        point: path()?,
        fs_type: fs_type.to_owned(),
        super_options: back.nth(1).unwrap_or_default().to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn levels(mounts: &str, groups: &str) -> Vec<Vec<PathBuf>> {
        let found = hierarchies(mounts, groups, Path::new("/sys"));
        found.into_iter().map(|one| one.levels).collect()
    }

    #[test]
    fn names_with_escapes_are_those_of_the_list_of_groups() {
        let mounts =
            "1 0 0:5 /a.slice/b\\134x2d.scope /sys/fs/cgroup rw shared:4 - cgroup2 none rw\n";
        let found = levels(mounts, "0::/a.slice/b\\x2d.scope/job\n");
        assert_eq!(
            found,
            [["/sys/fs/cgroup", "/sys/fs/cgroup/job"].map(PathBuf::from)]
        );
    }

    #[test]
    fn groups_outside_of_what_is_seen_and_mounts_elsewhere_are_none() {
        let mounts = "1 0 0:5 / /run/groups rw - cgroup2 none rw\n";
        assert!(levels(mounts, "0::/job\n").is_empty());
        let mounts = "1 0 0:5 / /sys/fs/cgroup rw - cgroup2 none rw\n";
        assert!(levels(mounts, "0::/../other\n").is_empty());
        assert!(levels(mounts, "2:cpu,cpuacct:/job\n").is_empty());
        assert_eq!(
            levels(mounts, "0::/\n"),
            [["/sys/fs/cgroup"].map(PathBuf::from)]
        );
    }
}
