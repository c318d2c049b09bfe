//! The private directory of one work.

use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};

use etalon_workload::OwnDirectory;
use rustix::fs::syncfs;

use super::error::WorkError;

/// Numbers the directories of one process, so that two works at once stand side by side.
static SITES: AtomicU32 = AtomicU32::new(1);

/// A directory that one work made for itself; removed with all that is in it when dropped.
#[derive(Debug)]
pub(super) struct WorkSite(OwnDirectory);

impl WorkSite {
    /// A new directory below `parent`, for its owner alone.
    pub(super) fn new(parent: &Path) -> Result<WorkSite, WorkError> {
        let number = SITES.fetch_add(1, Ordering::Relaxed);
        // Programs are run in it and must find it from wherever they are.
        let parent =
            std::path::absolute(parent).map_err(WorkError::io("use the directory", parent))?;
        let name = format!("work.{}.{number}", std::process::id());
        let path = parent.join(&name);
        OwnDirectory::make(&parent, name)
            .map(WorkSite)
            .map_err(WorkError::io("create the directory", &path))
    }

    pub(super) fn path(&self) -> &Path {
        self.0.path()
    }

    /// Writes everything of the filesystem back and waits for it (syncfs(2)).
    pub(super) fn sync(&self) -> Result<(), WorkError> {
        syncfs(&self.0)
            .map_err(|errno| WorkError::io("sync the filesystem of", self.path())(errno.into()))
    }

    /// Removes the directory and all that is in it, but nothing that is mounted there.
    pub(super) fn remove(&self) -> Result<(), WorkError> {
        self.0.remove().map_err(|source| WorkError::NotRemoved {
            path: self.path().to_owned(),
            source,
        })
    }
}
