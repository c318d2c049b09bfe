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
        let base = mounted(context, mounts, |m| m.fs_type == "cgroup2");
        let levels = base.and_then(|base| levels(&base, group));
        let one = levels.map(|levels| Hierarchy {
            controller: None,
            levels,
        });
        return one.into_iter().collect();
    }
    let of_controller = |controller: &str| {
        let is_it =
            |m: &Mount| m.fs_type == "cgroup" && m.super_options.iter().any(|o| o == controller);
        let base = mounted(context, mounts, is_it)?;
        Some(Hierarchy {
            controller: Some(controller.to_owned()),
            levels: levels(&base, group)?,
        })
    };
    controllers.split(',').filter_map(of_controller).collect()
}

/// Where a hierarchy is mounted, below the roots.
fn mounted(
    context: &Context<'_>,
    mounts: &[Mount],
    wanted: impl Fn(&Mount) -> bool,
) -> Option<PathBuf> {
    let point = &mounts.iter().find(|m| wanted(m))?.point;
    let inside = Path::new(point).strip_prefix("/sys").ok()?;
    Some(context.roots.sysfs.join(inside))
}

/// `None` of a path that is none.
fn levels(base: &Path, group: &str) -> Option<Vec<PathBuf>> {
    let inside = Path::new(group.trim_start_matches('/'));
    let is_plain = inside
        .components()
        .all(|part| matches!(part, Component::Normal(_)));
    let mut levels: Vec<PathBuf> = inside.ancestors().map(|level| base.join(level)).collect();
    levels.reverse();
    is_plain.then_some(levels)
}
