//! A control group that limits how much page cache this process may fill.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::{Change, Entry, Journal, JournalError, ProcessStamp, Token};

/// A control group of this process's own with a limit on memory (the kernel's
/// admin-guide/cgroup-v2.rst, `memory.max`, and cgroup-v1/memory.rst, `memory.limit_in_bytes`). The
/// page cache that the process fills while it is [`inside`](CacheLimit::inside) counts against it.
/// Dropping it removes the group; after a kill, [`crate::restore`] does.
#[derive(Debug)]
pub struct CacheLimit {
    group: PathBuf,
    kind: Kind,
}

#[derive(Debug)]
enum Kind {
    /// A group of its own, which goes with it.
    Made {
        home: PathBuf,
        token: Token,
        journal: Journal,
    },
    /// The group that a level of a plan has made for this process. In version 2 a process is in one group only, so that
    /// another one would take it out of the limits of that level.
    Shared {
        limit_file: PathBuf,
        limit_bytes: u64,
    },
}

/// No limit, in the words of version 2.
const UNLIMITED: &str = "max";
/// How the names of groups begin that etalon makes.
const NAME: &str = "etalon-";

/// Keeps this process within the limit until it is dropped.
#[derive(Debug)]
pub struct Inside<'a>(&'a CacheLimit);

/// Why the page cache cannot be limited.
#[derive(Debug, thiserror::Error)]
pub enum CacheLimitError {
    /// No hierarchy offers a limit on memory.
    #[error(
        "no control group can limit memory here: neither is a version 2 hierarchy with the memory controller mounted, nor the memory hierarchy of version 1; use --cache direct, or a file of 20 times the memory"
    )]
    NoController,
    /// The kernel refused a step.
    #[error("the control group '{}' could not be {action}: {source}; run as root, or use --cache direct", path.display())]
    Io {
        /// What was tried.
        action: &'static str,
        /// The group or a file of it.
        path: PathBuf,
        /// The kernel's answer.
        source: io::Error,
    },
    /// The change cannot be written down, so it is not made.
    #[error(transparent)]
    Journal(#[from] JournalError),
}

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

const MEMORY: Controllers = Controllers {
    in_1: Controller {
        name: "memory",
        limit_file: "memory.limit_in_bytes",
    },
    in_2: Controller {
        name: "memory",
        limit_file: "memory.max",
    },
};

/// A place for the group, with the file that takes the limit.
pub(crate) struct Hierarchy {
    /// Where the new group goes.
    pub(crate) parent: PathBuf,
    /// The group in which this process is now.
    pub(crate) home: PathBuf,
    pub(crate) limit_file: &'static str,
}

impl CacheLimit {
    /// Makes a group of this many bytes, entered into `journal` first.
    ///
    /// # Errors
    /// [`CacheLimitError`], with nothing left behind.
    pub fn create(journal: &Journal, limit_bytes: u64) -> Result<CacheLimit, CacheLimitError> {
        CacheLimit::within(hierarchy(Path::new("/proc/self"))?, journal, limit_bytes)
    }

    fn within(
        hierarchy: Hierarchy,
        journal: &Journal,
        limit_bytes: u64,
    ) -> Result<CacheLimit, CacheLimitError> {
        if hierarchy.is_in_own_group() {
            let limit_file = hierarchy.home.join(hierarchy.limit_file);
            return Ok(CacheLimit {
                group: hierarchy.home,
                kind: Kind::Shared {
                    limit_file,
                    limit_bytes,
                },
            });
        }
        let refused = |action, path: &Path| {
            let path = path.to_owned();
            move |source| CacheLimitError::Io {
                action,
                path,
                source,
            }
        };
        let parent = &hierarchy.parent;
        let token = Token::random().map_err(refused("named", parent))?;
        let owner = ProcessStamp::current().map_err(refused("entered into the journal", parent))?;
        let change = Change::CacheLimit {
            parent: parent.clone(),
        };
        journal.write(&Entry::new(owner, token.clone(), change))?;
        // From here on dropping it undoes what was done.
        let made = CacheLimit {
            group: group_path(parent, &token),
            kind: Kind::Made {
                home: hierarchy.home,
                token,
                journal: journal.clone(),
            },
        };
        fs::create_dir(&made.group).map_err(refused("made", &made.group))?;
        let file = made.group.join(hierarchy.limit_file);
        fs::write(&file, limit_bytes.to_string()).map_err(refused("limited", &file))?;
        Ok(made)
    }

    /// Puts this process under the limit until the answer is dropped.
    ///
    /// # Errors
    /// [`CacheLimitError::Io`].
    pub fn inside(&self) -> Result<Inside<'_>, CacheLimitError> {
        let (done, action, path) = match &self.kind {
            Kind::Made { .. } => (move_to(&self.group), "entered", &self.group),
            Kind::Shared {
                limit_file,
                limit_bytes,
            } => {
                let limited = fs::write(limit_file, limit_bytes.to_string());
                (limited, "limited", limit_file)
            }
        };
        done.map_err(|source| CacheLimitError::Io {
            action,
            path: path.clone(),
            source,
        })?;
        Ok(Inside(self))
    }
}

impl Drop for Inside<'_> {
    fn drop(&mut self) {
        // Where the way back is barred, the limit stays with this process and the entry in the
        // journal; a later restore removes the group.
        let _ = match &self.0.kind {
            Kind::Made { home, .. } => move_to(home),
            Kind::Shared { limit_file, .. } => fs::write(limit_file, UNLIMITED),
        };
    }
}

impl Drop for CacheLimit {
    fn drop(&mut self) {
        if let Kind::Made { token, journal, .. } = &self.kind
            && remove_group(&self.group).is_ok()
        {
            let _ = journal.remove(token);
        }
    }
}

impl Hierarchy {
    /// Whether this process is in a group of version 2 that etalon has made for it, with a file for the limit.
    fn is_in_own_group(&self) -> bool {
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

/// The hierarchy that limits memory.
fn hierarchy(process: &Path) -> Result<Hierarchy, CacheLimitError> {
    hierarchy_of(process, MEMORY).ok_or(CacheLimitError::NoController)
}

/// Version 2 first, where its root hands the controller down; else version 1.
pub(crate) fn hierarchy_of(process: &Path, controllers: Controllers) -> Option<Hierarchy> {
    let read = |name: &str| fs::read_to_string(process.join(name)).unwrap_or_default();
    let (mounts, groups) = (read("mountinfo"), read("cgroup"));
    version_2(&mounts, &groups, controllers.in_2)
        .or_else(|| version_1(&mounts, &groups, controllers.in_1))
}

fn version_2(mounts: &str, groups: &str, controller: Controller) -> Option<Hierarchy> {
    let point = mount_point(mounts, |kind, _| kind == "cgroup2")?;
    // Below a group that holds processes no controller may be enabled, so the new one goes to the
    // root, which may hold both.
    let enabled = fs::read_to_string(point.join("cgroup.subtree_control")).unwrap_or_default();
    let own = own_group(groups, |controllers| controllers.is_empty())?;
    enabled
        .split_whitespace()
        .any(|name| name == controller.name)
        .then(|| Hierarchy {
            home: below(&point, own),
            parent: point,
            limit_file: controller.limit_file,
        })
}

fn version_1(mounts: &str, groups: &str, controller: Controller) -> Option<Hierarchy> {
    let has_it = |list: &str| list.split(',').any(|name| name == controller.name);
    let point = mount_point(mounts, |kind, options| kind == "cgroup" && has_it(options))?;
    let home = below(&point, own_group(groups, has_it)?);
    Some(Hierarchy {
        parent: home.clone(),
        home,
        limit_file: controller.limit_file,
    })
}

fn below(point: &Path, group: &str) -> PathBuf {
    point.join(group.trim_start_matches('/'))
}

/// Where a filesystem of this type and these super options is mounted (proc_pid_mountinfo(5)).
fn mount_point(mounts: &str, wanted: impl Fn(&str, &str) -> bool) -> Option<PathBuf> {
    mounts.lines().find_map(|line| {
        let (front, back) = line.split_once(" - ")?;
        let mut back = back.split_whitespace();
        let (kind, options) = (back.next()?, back.nth(1)?);
        let point = front.split_whitespace().nth(4)?;
        wanted(kind, options).then(|| PathBuf::from(point))
    })
}

/// The group of this process in the hierarchy of these controllers (cgroups(7)).
fn own_group(groups: &str, wanted: impl Fn(&str) -> bool) -> Option<&str> {
    groups.lines().find_map(|line| {
        let mut parts = line.splitn(3, ':').skip(1);
        let (controllers, group) = (parts.next()?, parts.next()?);
        wanted(controllers).then_some(group)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const MOUNTS: &str = "35 31 0:32 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory\n41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n";
    const GROUPS: &str = "4:memory:/user/1\n0::/init\n";

    #[test]
    fn the_memory_hierarchy_of_version_1_is_found() {
        let found = version_1(MOUNTS, GROUPS, MEMORY.in_1).unwrap();
        assert_eq!(found.home, Path::new("/sys/fs/cgroup/memory/user/1"));
        assert!(
            version_1("", GROUPS, MEMORY.in_1).is_none()
                && version_1(MOUNTS, "", MEMORY.in_1).is_none()
        );
    }

    #[test]
    fn under_a_level_of_a_plan_its_group_of_version_2_takes_the_limit() {
        let root = tempfile::TempDir::new().unwrap();
        let journal = Journal::at(&root.path().join("journal")).unwrap();
        let parent = root.path().to_owned();
        let home = group_path(&parent, &Token::random().unwrap());
        fs::create_dir(&home).unwrap();
        let file = home.join("memory.max");
        fs::write(&file, UNLIMITED).unwrap();
        let hierarchy = Hierarchy {
            parent,
            home,
            limit_file: "memory.max",
        };
        let limit = CacheLimit::within(hierarchy, &journal, 4096).unwrap();
        let read = || fs::read_to_string(&file).unwrap();
        assert_eq!(read(), UNLIMITED, "what is laid out is under no limit");
        let inside = limit.inside().unwrap();
        assert_eq!(read(), "4096");
        drop(inside);
        assert_eq!(read(), UNLIMITED);
        drop(limit);
        assert!(file.exists(), "the group is the level's");
    }

    #[test]
    fn version_2_needs_the_controller_handed_down() {
        let root = tempfile::TempDir::new().unwrap();
        let mounts = MOUNTS.replace("/sys/fs/cgroup/unified", root.path().to_str().unwrap());
        fs::write(root.path().join("cgroup.subtree_control"), "cpu io\n").unwrap();
        assert!(version_2(&mounts, GROUPS, MEMORY.in_2).is_none());
        fs::write(root.path().join("cgroup.subtree_control"), "cpu memory\n").unwrap();
        let found = version_2(&mounts, GROUPS, MEMORY.in_2).unwrap();
        assert_eq!(
            (found.home, found.parent),
            (root.path().join("init"), root.path().to_owned())
        );
    }

    proptest! {
        #[test]
        fn hostile_text_never_panics(mounts in "[a-z0-9 :,/\n-]{0,200}", groups in "[a-z0-9:,/\n]{0,80}") {
            let _ = version_1(&mounts, &groups, MEMORY.in_1);
            let _ = own_group(&groups, |_| true);
        }
    }
}
