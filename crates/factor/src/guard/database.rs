//! The file of a store, which SQLite opens by its name.

use std::fs::DirBuilder;
use std::os::fd::{AsFd as _, OwnedFd};
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _};
use std::path::{Path, PathBuf};

use rustix::fs::{FileType, Mode, OFlags, Stat, fchmod, fstat};
use rustix::io::Errno;
use rustix::process::geteuid;

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

/// Judges the database at `path`; with `make` it is to be written, and a missing one is made, for its owner alone.
///
/// Where the kernel does not tell who relies on a file, as with a `/proc` of `subset=pid`, one that
/// begins as a database does, or holds nothing, may be used all the same.
///
/// # Errors
/// [`GuardError::Refused`] for everything but a regular file that nothing relies on, and for what is to
/// be written and a link leads root to what another user owns; `NOENT` where there is none and none is
/// made, and the kernel's other answers.
pub fn database(path: &Path, make: bool) -> Result<Database, GuardError> {
    let flags = OFlags::PATH | OFlags::CLOEXEC;
    match rustix::fs::open(path, flags, Mode::empty()) {
        Err(Errno::NOENT) if make => new(path),
        found => existing(&found?, path, make),
    }
}

fn existing(handle: &OwnedFd, path: &Path, written: bool) -> Result<Database, GuardError> {
    let kind = kind_of(handle)?;
    if kind == FileType::Directory {
        return Err(Errno::ISDIR.into());
    }
    refuse_all_but_files(kind, path)?;
    let judged = judge(handle.as_fd(), path, None, Hold::Others);
    // Without /proc the names on the way tell the same.
    let real = std::fs::read_link(link_of(handle)).or_else(|_| path.canonicalize());
    let real = real.map_err(|error| GuardError::of_io(&error))?;
    let flags = OFlags::PATH | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let found = fstat(handle)?;
    refuse_another(
        &fstat(rustix::fs::open(&real, flags, Mode::empty())?)?,
        &found,
        path,
    )?;
    match judged {
        Err(Refusal::NotKnown { .. }) if holds_a_database(&real, &found, path)? => {}
        judged => judged?,
    }
    if written {
        refuse_foreign(path, &real, &found)?;
    }
    Ok(Database {
        path: real,
        made: false,
    })
}

/// Refuses what is not the file that was judged.
fn refuse_another(found: &Stat, judged: &Stat, path: &Path) -> Result<(), Refusal> {
    match (found.st_dev, found.st_ino) == (judged.st_dev, judged.st_ino) {
        true => Ok(()),
        false => Err(Refusal::NotKnown {
            path: path.to_owned(),
            why: "its name was given to another file a moment ago; try again".to_owned(),
        }),
    }
}

/// What every SQLite database begins with (<https://sqlite.org/fileformat.html>, 1.3.1).
const MAGIC: [u8; 16] = *b"SQLite format 3\0";

/// Whether a file is empty or begins as a database does: neither is swap space, nor the image of a disk
/// that somebody has mounted.
fn holds_a_database(real: &Path, judged: &Stat, path: &Path) -> Result<bool, GuardError> {
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let file = rustix::fs::open(real, flags, Mode::empty())?;
    refuse_another(&fstat(&file)?, judged, path)?;
    let mut begin = [0; MAGIC.len()];
    let read = rustix::io::read(&file, &mut begin)?;
    Ok(read == 0 || begin == MAGIC)
}

/// Root may write everywhere, so that whoever can place a link would decide what root writes to.
fn refuse_foreign(path: &Path, real: &Path, end: &Stat) -> Result<(), Refusal> {
    let own = geteuid();
    match own.is_root() && end.st_uid != own.as_raw() && is_reached_by_link(path) {
        true => Err(Refusal::ForeignLink {
            path: path.to_owned(),
            real: real.to_owned(),
            owner: end.st_uid,
        }),
        false => Ok(()),
    }
}

/// Whether the name itself or its directory is a link, or one on the way belongs to somebody else: those
/// that an administrator has set up, such as for `/home`, are part of the system.
fn is_reached_by_link(path: &Path) -> bool {
    path.ancestors().enumerate().any(|(above, part)| {
        let found = std::fs::symlink_metadata(part);
        found.is_ok_and(|found| found.is_symlink() && (above < 2 || found.uid() != 0))
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
    if let Some(directory) = real.parent() {
        refuse_foreign(path, directory, &rustix::fs::stat(directory)?)?;
    }
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
