//! The file of a store, which SQLite opens by its name.

use std::fs::DirBuilder;
use std::os::fd::{AsFd as _, OwnedFd};
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};

use rustix::fs::{FileType, Mode, OFlags, fchmod, fstat};
use rustix::io::Errno;

use super::judge::{Hold, judge};
use super::open::refuse_all_but_files;
use super::reopen::{kind_of, link_of};
use super::{GuardError, Refusal};

/// A file that SQLite may open for writing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Database {
    /// Its name without any link in it: to be opened with `SQLITE_OPEN_NOFOLLOW`.
    pub path: PathBuf,
    /// Whether it was made just now, and is empty.
    pub made: bool,
}

/// Judges the database at `path`; with `make`, a missing one is made, for its owner alone.
///
/// # Errors
/// [`GuardError::Refused`] for everything but a regular file that nothing relies on; `NOENT` where
/// there is none and none is made, and the kernel's other answers.
pub fn database(path: &Path, make: bool) -> Result<Database, GuardError> {
    let flags = OFlags::PATH | OFlags::CLOEXEC;
    match rustix::fs::open(path, flags, Mode::empty()) {
        Err(Errno::NOENT) if make => new(path),
        found => existing(&found?, path),
    }
}

fn existing(handle: &OwnedFd, path: &Path) -> Result<Database, GuardError> {
    let kind = kind_of(handle)?;
    if kind == FileType::Directory {
        return Err(Errno::ISDIR.into());
    }
    refuse_all_but_files(kind, path)?;
    judge(handle.as_fd(), path, None, Hold::Others)?;
    let real = std::fs::read_link(link_of(handle)).map_err(|error| GuardError::of_io(&error))?;
    let flags = OFlags::PATH | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let again = rustix::fs::open(&real, flags, Mode::empty());
    let (found, judged) = (fstat(again?)?, fstat(handle)?);
    if (found.st_dev, found.st_ino) != (judged.st_dev, judged.st_ino) {
        return Err(Refusal::NotKnown {
            path: path.to_owned(),
            why: "its name was given to another file a moment ago; try again".to_owned(),
        }
        .into());
    }
    Ok(Database {
        path: real,
        made: false,
    })
}

fn new(path: &Path) -> Result<Database, GuardError> {
    let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else {
        return Err(Errno::ISDIR.into());
    };
    let parent = parent.canonicalize();
    let real = parent
        .map_err(|error| GuardError::of_io(&error))?
        .join(name);
    let owner = Mode::RUSR | Mode::WUSR;
    let flags = OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::WRONLY | OFlags::CLOEXEC;
    match rustix::fs::open(&real, flags, owner) {
        // A link that leads nowhere.
        Err(Errno::EXIST) => Err(Refusal::Link {
            path: path.to_owned(),
        }
        .into()),
        made => {
            fchmod(made?, owner)?;
            Ok(Database {
                path: real,
                made: true,
            })
        }
    }
}

/// Makes `path` and what is missing above it, each for its owner alone, as the XDG Base Directory
/// Specification asks of directories made on the way.
///
/// # Errors
/// The kernel's answers.
pub fn private_directory(path: &Path) -> std::io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(path)
}
