//! The control groups that hold this process (the kernel's admin-guide/cgroup-v1 and cgroup-v2.rst).

use std::path::{Path, PathBuf};

use etalon_host::groups;
pub(crate) use etalon_host::groups::Hierarchy;

use crate::context::Context;
use crate::text::read_text;

/// Every hierarchy that this process is in and that is mounted, one for each controller.
pub(crate) fn hierarchies(context: &Context<'_>) -> Vec<Hierarchy> {
    let read = |file| read_text(&context.roots.procfs.join(file)).unwrap_or_default();
    let (mounts, own) = (read("self/mountinfo"), read("self/cgroup"));
    let found = groups::hierarchies(&mounts, &own, Path::new("/sys"));
    let found = found.into_iter().map(|one| Hierarchy {
        levels: one.levels.iter().map(|l| seen(context, l)).collect(),
        ..one
    });
    found.collect()
}

/// The group's directory below the root of what is looked at.
fn seen(context: &Context<'_>, level: &Path) -> PathBuf {
    let inside = level.strip_prefix("/sys").unwrap_or(level);
    context.roots.sysfs.join(inside)
}
