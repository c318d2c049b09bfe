//! A control group that limits how much page cache this process may fill.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::group::{
    Controller, Controllers, Hierarchy, LeftLimitError, Place, group_path, hierarchy_of,
    keep_limits, keep_shares, move_to, remove_group,
};
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
        limit: String,
        /// What the group allows at other times.
        before: String,
    },
}

/// Keeps this process within the limit until it is dropped.
#[derive(Debug)]
pub struct Inside<'a>(&'a CacheLimit);

/// Why the page cache cannot be limited.
#[derive(Debug, thiserror::Error)]
pub enum CacheLimitError {
    /// No hierarchy offers a limit on memory.
    #[error(
        "no control group can limit memory here: neither does a group of version 2 around this process hand the memory controller down, nor is the memory hierarchy of version 1 mounted; use --cache direct, or a file of 20 times the memory"
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
    /// A limit that holds for this process would not hold in the group.
    #[error("{0}; use --cache direct")]
    LeftLimit(#[from] LeftLimitError),
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
        match hierarchy.is_in_own_group() {
            true => CacheLimit::shared(hierarchy, limit_bytes),
            false => CacheLimit::made(hierarchy, journal, limit_bytes),
        }
    }

    fn shared(hierarchy: Hierarchy, limit_bytes: u64) -> Result<CacheLimit, CacheLimitError> {
        let limit_file = hierarchy.home.join(hierarchy.limit_file);
        let before = fs::read_to_string(&limit_file).map_err(refused("read", &limit_file))?;
        let before = before.trim().to_owned();
        // The limit of the group in which the level made this one may be tighter.
        let around = before.parse().unwrap_or(u64::MAX);
        Ok(CacheLimit {
            group: hierarchy.home,
            kind: Kind::Shared {
                limit_file,
                limit: limit_bytes.min(around).to_string(),
                before,
            },
        })
    }

    fn made(
        hierarchy: Hierarchy,
        journal: &Journal,
        limit_bytes: u64,
    ) -> Result<CacheLimit, CacheLimitError> {
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
        keep_shares(&hierarchy.left, &made.group)?;
        keep_limits(&hierarchy.left, &made.group)?;
        Ok(made)
    }

    /// Puts this process under the limit until the answer is dropped.
    ///
    /// # Errors
    /// [`CacheLimitError::Io`].
    pub fn inside(&self) -> Result<Inside<'_>, CacheLimitError> {
        match &self.kind {
            Kind::Made { .. } => move_to(&self.group).map_err(refused("entered", &self.group))?,
            Kind::Shared {
                limit_file, limit, ..
            } => fs::write(limit_file, limit).map_err(refused("limited", limit_file))?,
        }
        Ok(Inside(self))
    }
}

impl Drop for Inside<'_> {
    fn drop(&mut self) {
        // Where the way back is barred, the limit stays with this process and the entry in the
        // journal; a later restore removes the group.
        let _ = match &self.0.kind {
            Kind::Made { home, .. } => move_to(home),
            Kind::Shared {
                limit_file, before, ..
            } => fs::write(limit_file, before),
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

fn refused(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> CacheLimitError {
    let path = path.to_owned();
    move |source| CacheLimitError::Io {
        action,
        path,
        source,
    }
}

/// The hierarchy that limits memory.
fn hierarchy(process: &Path) -> Result<Hierarchy, CacheLimitError> {
    hierarchy_of(process, MEMORY, Place::Within).ok_or(CacheLimitError::NoController)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// No limit, in the words of version 2.
    const UNLIMITED: &str = "max";

    /// A hierarchy in which a level of a plan has made a group, which allows so much.
    fn of_level(parent: &Path, allowed: &str) -> Hierarchy {
        let home = group_path(parent, &Token::random().unwrap());
        fs::create_dir(&home).unwrap();
        fs::write(home.join("memory.max"), allowed).unwrap();
        Hierarchy {
            root: parent.to_owned(),
            parent: parent.to_owned(),
            left: vec![home.clone()],
            home,
            limit_file: "memory.max",
        }
    }

    #[test]
    fn under_a_level_of_a_plan_its_group_of_version_2_takes_the_limit() {
        let root = tempfile::TempDir::new().unwrap();
        let journal = Journal::at(&root.path().join("journal")).unwrap();
        let hierarchy = of_level(root.path(), UNLIMITED);
        let file = hierarchy.home.join("memory.max");
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
    fn a_limit_that_the_group_of_a_level_keeps_stands_before_and_after() {
        let root = tempfile::TempDir::new().unwrap();
        let journal = Journal::at(&root.path().join("journal")).unwrap();
        let hierarchy = of_level(root.path(), "8192\n");
        let file = hierarchy.home.join("memory.max");
        let read = || fs::read_to_string(&file).unwrap().trim().to_owned();
        let of_group = |limit_bytes| {
            let hierarchy = Hierarchy {
                root: hierarchy.root.clone(),
                parent: hierarchy.parent.clone(),
                home: hierarchy.home.clone(),
                left: Vec::new(),
                ..hierarchy
            };
            CacheLimit::within(hierarchy, &journal, limit_bytes).unwrap()
        };
        for (limit_bytes, held) in [(4096, "4096"), (1 << 20, "8192")] {
            let limit = of_group(limit_bytes);
            let inside = limit.inside().unwrap();
            assert_eq!(read(), held);
            drop(inside);
            assert_eq!(read(), "8192");
        }
    }

    #[test]
    fn the_group_has_the_limits_that_held_before() {
        let root = tempfile::TempDir::new().unwrap();
        let journal = Journal::at(&root.path().join("journal")).unwrap();
        let home = root.path().join("home.service");
        fs::create_dir(&home).unwrap();
        for (file, limit) in [
            ("memory.max", "2048\n"),
            ("cpu.max", "50000 100000\n"),
            ("cpu.weight", "20\n"),
            ("io.max", "8:0 rbps=50 wbps=max riops=max wiops=max\n"),
        ] {
            fs::write(home.join(file), limit).unwrap();
        }
        let hierarchy = Hierarchy {
            root: root.path().to_owned(),
            parent: root.path().to_owned(),
            left: vec![home.clone()],
            home,
            limit_file: "memory.max",
        };
        let limit = CacheLimit::within(hierarchy, &journal, 4096).unwrap();
        let read = |file: &str| fs::read_to_string(limit.group.join(file)).unwrap();
        assert_eq!(read("memory.max"), "2048");
        assert_eq!(read("cpu.max"), "50000 100000");
        assert_eq!(read("cpu.weight"), "20");
        assert_eq!(read("io.max"), "8:0 rbps=50");
    }
}
