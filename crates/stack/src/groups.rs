//! The control groups that hold this process (the kernel's admin-guide/cgroup-v1 and cgroup-v2.rst).

use std::path::{Component, Path, PathBuf};

use etalon_model::stack::Mount;

use crate::context::Context;

/// Hierarchies that a process is in at most: one for each of the kernel's controllers, of which it
/// allows 16 (kernel/cgroup/cgroup.c, `CGROUP_SUBSYS_COUNT`), and as many again that have a name.
const MOST_HIERARCHIES: usize = 32;
/// A line holds a path, which is never longer than this (`PATH_MAX`).
const LONGEST_LINE: usize = 4096;

/// The groups of this process in one hierarchy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Hierarchy {
    /// The controller of version 1; `None` in version 2, which has one hierarchy for all.
    pub(crate) controller: Option<String>,
    /// The directories of the groups, from the outermost to this process's own.
    pub(crate) levels: Vec<PathBuf>,
}

/// Every hierarchy that this process is in and that is mounted, one for each controller.
pub(crate) fn hierarchies(context: &Context<'_>) -> Vec<Hierarchy> {
    let mounts = context.mounts().unwrap_or_default();
    let lines = context.attr_lines(context.roots.procfs.join("self/cgroup"));
    let lines = lines.iter().filter(|line| line.len() <= LONGEST_LINE);
    let mut found = Vec::new();
    for line in lines.take(MOST_HIERARCHIES) {
        // `number:controllers:path`; version 2 has the number 0 and no controllers.
        let mut parts = line.splitn(3, ':').skip(1);
        if let (Some(controllers), Some(group)) = (parts.next(), parts.next()) {
            found.extend(of_line(context, mounts, controllers, group));
        }
    }
    found
}

fn of_line(
    context: &Context<'_>,
    mounts: &[Mount],
    controllers: &str,
    group: &str,
) -> Vec<Hierarchy> {
    if controllers.is_empty() {
        let one = mounted(mounts, |m| m.fs_type == "cgroup2").and_then(|mount| {
            Some(Hierarchy {
                controller: None,
                levels: levels(context, mount, group)?,
            })
        });
        return one.into_iter().collect();
    }
    let of_controller = |controller: &str| {
        let is_it =
            |m: &Mount| m.fs_type == "cgroup" && m.super_options.iter().any(|o| o == controller);
        let mount = mounted(mounts, is_it)?;
        Some(Hierarchy {
            controller: Some(controller.to_owned()),
            levels: levels(context, mount, group)?,
        })
    };
    controllers.split(',').filter_map(of_controller).collect()
}

/// The mount of a hierarchy.
fn mounted(mounts: &[Mount], wanted: impl Fn(&Mount) -> bool) -> Option<&Mount> {
    mounts
        .iter()
        .find(|m| wanted(m) && Path::new(&m.point).starts_with("/sys"))
}

/// `None` of a path that is none.
fn levels(context: &Context<'_>, mount: &Mount, group: &str) -> Option<Vec<PathBuf>> {
    let point = Path::new(&mount.point).strip_prefix("/sys").ok()?;
    let base = context.roots.sysfs.join(point);
    let inside = below(mount, group);
    let is_plain = inside
        .components()
        .all(|part| matches!(part, Component::Normal(_)));
    let mut levels: Vec<PathBuf> = inside.ancestors().map(|level| base.join(level)).collect();
    levels.reverse();
    is_plain.then_some(levels)
}

/// The group as seen from what is mounted: in a container of version 1 that is the container's own group, whose path from the
/// root of all groups /proc/self/cgroup has all the same.
fn below<'g>(mount: &Mount, group: &'g str) -> &'g Path {
    let inside = Path::new(group).strip_prefix(&mount.root);
    inside.unwrap_or_else(|_| Path::new(group.trim_start_matches('/')))
}
