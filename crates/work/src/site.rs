//! A private directory, and its removal.

use std::fs;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::fs::DirBuilderExt as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use rustix::fs::{Mode, OFlags, syncfs};

use super::error::WorkError;

/// Numbers the directories of one process, so that two works at once stand side by side.
static SITES: AtomicU32 = AtomicU32::new(1);

/// A directory that one work made for itself; removed with all that is in it when dropped.
#[derive(Debug)]
pub(super) struct OwnDirectory {
    path: PathBuf,
    place: OwnedFd,
}

impl OwnDirectory {
    /// A new directory below `parent`, for its owner alone.
    pub(super) fn new(parent: &Path) -> Result<OwnDirectory, WorkError> {
        let number = SITES.fetch_add(1, Ordering::Relaxed);
        // Programs are run in it and must find it from wherever they are. Links are not resolved:
        // a name by descriptor leads to the directory that was made, its path to what lies there.
        let parent =
            std::path::absolute(parent).map_err(WorkError::io("use the directory", parent))?;
        let path = parent.join(format!("work.{}.{number}", std::process::id()));
        fs::DirBuilder::new()
            .mode(0o700)
            .create(&path)
            .map_err(WorkError::io("create the directory", &path))?;
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        match rustix::fs::open(&path, flags, Mode::empty()) {
            Ok(place) => Ok(OwnDirectory { path, place }),
            Err(errno) => {
                let error = WorkError::io("open", &path)(errno.into());
                let _ = fs::remove_dir(&path);
                Err(error)
            }
        }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Writes everything of the filesystem back and waits for it (syncfs(2)).
    pub(super) fn sync(&self) -> Result<(), WorkError> {
        syncfs(&self.place)
            .map_err(|errno| WorkError::io("sync the filesystem of", &self.path)(errno.into()))
    }

    /// Removes the directory and all that is in it.
    pub(super) fn remove(&self) -> Result<(), WorkError> {
        remove_tree(&self.path).map_err(WorkError::io("remove the directory", &self.path))
    }
}

impl Drop for OwnDirectory {
    fn drop(&mut self) {
        // Has happened already, but for a panic in between.
        let _ = remove_tree(&self.path);
    }
}

/// Removes a tree, also one whose directories a step made unwritable.
fn remove_tree(path: &Path) -> io::Result<()> {
    match fs::remove_dir_all(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
            make_writable(path)?;
            fs::remove_dir_all(path)
        }
        result => result,
    }
}

fn make_writable(directory: &Path) -> io::Result<()> {
    fs::set_permissions(directory, fs::Permissions::from_mode(0o700))?;
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            make_writable(&entry.path())?;
        }
    }
    Ok(())
}
