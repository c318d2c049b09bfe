//! Control groups of etalon's own: where they go, and how this process enters them.

mod left;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use etalon_host::groups::hierarchies;

use crate::Token;

pub use left::LeftLimitError;
pub(crate) use left::{keep_limits, keep_shares};

/// How the names of groups begin that etalon makes.
const NAME: &str = "etalon-";

/// A controller, with the file of a group that takes its limit.
#[derive(Clone, Copy)]
pub(crate) struct Controller {
    pub(crate) name: &'static str,
    pub(crate) limit_file: &'static str,
}

/// What limits one thing in each version of control groups.
#[derive(Clone, Copy)]
pub(crate) struct Controllers {
    pub(crate) in_1: Controller,
    pub(crate) in_2: Controller,
}

/// Where a group of version 2 goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// As far in as it can be, where the limits of the groups around hold for it together with all else in them.
    Within,
    /// As far out as it can be, where a share counts beside all other groups.
    Outside,
}

/// A place for the group, with the file that takes the limit.
pub(crate) struct Hierarchy {
    /// The outermost group that is seen.
    pub(crate) root: PathBuf,
    /// Where the new group goes.
    pub(crate) parent: PathBuf,
    /// The group in which this process is now.
    pub(crate) home: PathBuf,
    /// The groups whose limits hold for this process and would not in the new one, from the outermost to its own.
    pub(crate) left: Vec<PathBuf>,
    pub(crate) limit_file: &'static str,
}

impl Hierarchy {
    /// Whether this process is in a group of version 2 that etalon has made for it, with a file for the limit.
    pub(crate) fn is_in_own_group(&self) -> bool {
        let name = self.home.file_name().and_then(|name| name.to_str());
        self.home.parent() == Some(self.parent.as_path())
            && name.is_some_and(|name| name.starts_with(NAME))
            && self.home.join(self.limit_file).exists()
    }
}

/// The group of `token`; never another one.
pub(crate) fn group_path(parent: &Path, token: &Token) -> PathBuf {
    parent.join(format!("{NAME}{token}"))
}

/// Removes the group; one that is not there is removed. A group with processes in it stays
/// (`EBUSY`).
pub(crate) fn remove_group(group: &Path) -> io::Result<bool> {
    match fs::remove_dir(group) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

/// Moves this process into a group.
pub(crate) fn move_to(group: &Path) -> io::Result<()> {
    fs::write(group.join("cgroup.procs"), std::process::id().to_string())
}

/// Version 2 first, where a group around this process hands the controller down; else version 1.
pub(crate) fn hierarchy_of(
    process: &Path,
    controllers: Controllers,
    place: Place,
) -> Option<Hierarchy> {
    let read = |name: &str| fs::read_to_string(process.join(name)).unwrap_or_default();
    let (mounts, groups) = (read("mountinfo"), read("cgroup"));
    version_2((&mounts, &groups), controllers.in_2, place)
        .or_else(|| version_1(&mounts, &groups, controllers.in_1))
}

/// Below a group that holds processes no controller may be enabled, so the new one goes beside that of this process, or
/// further out: into a group that hands the controller down. The root of all may do so and hold processes.
fn version_2(
    (mounts, groups): (&str, &str),
    controller: Controller,
    place: Place,
) -> Option<Hierarchy> {
    let levels = levels(mounts, groups, None)?;
    let (home, around) = levels.split_last()?;
    let around = match around {
        [] => std::slice::from_ref(home),
        around => around,
    };
    let hands_down = |level: &PathBuf| hands_down(level, controller.name);
    let at = match place {
        Place::Within => around.iter().rposition(hands_down),
        Place::Outside => around.iter().position(hands_down),
    }?;
    Some(Hierarchy {
        root: levels[0].clone(),
        parent: around[at].clone(),
        home: home.clone(),
        left: levels[at + 1..].to_vec(),
        limit_file: controller.limit_file,
    })
}

fn hands_down(group: &Path, controller: &str) -> bool {
    let enabled = fs::read_to_string(group.join("cgroup.subtree_control")).unwrap_or_default();
    enabled.split_whitespace().any(|name| name == controller)
}

/// A group within that of this process, whose limits on devices do not hold in it
/// (admin-guide/cgroup-v1/blkio-controller.rst).
fn version_1(mounts: &str, groups: &str, controller: Controller) -> Option<Hierarchy> {
    let levels = levels(mounts, groups, Some(controller.name))?;
    let home = levels.last()?.clone();
    Some(Hierarchy {
        root: levels[0].clone(),
        parent: home.clone(),
        left: vec![home.clone()],
        home,
        limit_file: controller.limit_file,
    })
}

/// The groups around this process, from the outermost to its own.
fn levels(mounts: &str, groups: &str, controller: Option<&str>) -> Option<Vec<PathBuf>> {
    let all = hierarchies(mounts, groups, Path::new("/"));
    let mut all = all.into_iter();
    let found = all.find(|one| one.controller.as_deref() == controller)?;
    Some(found.levels)
}

#[cfg(test)]
mod tests;
