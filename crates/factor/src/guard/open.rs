//! Opening what a user named as the output of a copy.

use std::os::fd::{AsFd as _, OwnedFd};
use std::path::{Path, PathBuf};

use rustix::fs::{FileType, Mode, OFlags, ftruncate, readlink};
use rustix::io::Errno;

use super::judge::{Hold, NOT_EXCLUSIVE, judge};
use super::reopen::{kind_of, reopen};
use super::sticky::refuse_planted;
use super::{GuardError, Refusal};

/// Permissions of a new document before the umask: read and write for all, as creat(2) is used.
pub(super) const DOCUMENT: Mode = Mode::from_raw_mode(0o666);

/// As many links in a row as the kernel follows (include/linux/namei.h, `MAXSYMLINKS`), and so many
/// times a file may appear or go while it is looked up.
const MOST_STEPS: usize = 40;

/// Whether a file is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Create {
    /// It must be there.
    Never,
    /// Where there is none.
    IfMissing,
    /// There must be none.
    New,
}

/// How an output is opened.
#[derive(Debug, Clone, Copy)]
pub struct Writing<'a> {
    /// Whether it is made.
    pub create: Create,
    /// Whether an existing file is emptied, once it may be written.
    pub truncate: bool,
    /// Whether it is opened for reading too, where that is allowed.
    pub read: bool,
    /// Further flags of open(2).
    pub flags: OFlags,
    /// What the user typed after `--destroy`.
    pub destroy: Option<&'a str>,
}

/// Opens `path` for writing, if it may be written.
///
/// # Errors
/// [`GuardError::Refused`] where something relies on what is there; the kernel's answers.
pub fn open(path: &Path, writing: &Writing<'_>) -> Result<OwnedFd, GuardError> {
    let mut name = path.to_owned();
    for _ in 0..MOST_STEPS {
        if let Some(handle) = look_up(&name, writing)? {
            return take(&handle, path, writing);
        }
        match make(&name, writing) {
            Err(Errno::EXIST) if writing.create == Create::IfMissing => {
                name = target_of(&name).unwrap_or(name);
            }
            made => return Ok(made?),
        }
    }
    Err(GuardError::Failed(Errno::LOOP))
}

/// The inode that `name` leads to, without opening it; none where there is none and one may be made.
fn look_up(name: &Path, writing: &Writing<'_>) -> Result<Option<OwnedFd>, Errno> {
    let kept = writing.flags & (OFlags::NOFOLLOW | OFlags::DIRECTORY);
    match rustix::fs::open(name, kept | OFlags::PATH | OFlags::CLOEXEC, Mode::empty()) {
        Err(Errno::NOENT) if writing.create != Create::Never => Ok(None),
        found => Ok(Some(found?)),
    }
}

/// `EXIST` also where the name is a link that leads nowhere.
fn make(name: &Path, writing: &Writing<'_>) -> Result<OwnedFd, Errno> {
    let flags = writing.flags | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC;
    rustix::fs::open(name, flags | access(writing.read), DOCUMENT)
}

fn access(read: bool) -> OFlags {
    match read {
        true => OFlags::RDWR,
        false => OFlags::WRONLY,
    }
}

/// Where the link `name` leads.
fn target_of(name: &Path) -> Option<PathBuf> {
    use std::os::unix::ffi::OsStringExt as _;
    let target = readlink(name, Vec::new()).ok()?;
    let target = PathBuf::from(std::ffi::OsString::from_vec(target.into_bytes()));
    Some(name.parent().unwrap_or(Path::new("")).join(target))
}

/// Judges the inode, opens it, judges what is open, and then cuts it.
fn take(handle: &OwnedFd, path: &Path, writing: &Writing<'_>) -> Result<OwnedFd, GuardError> {
    let kind = kind_of(handle)?;
    if kind == FileType::Symlink {
        return Err(Errno::LOOP.into());
    }
    judge(handle.as_fd(), path, writing.destroy, Hold::Others)?;
    if writing.create == Create::New {
        return Err(Errno::EXIST.into());
    }
    if writing.create == Create::IfMissing {
        refuse_planted(handle, kind)?;
    }
    let opened = match kind {
        FileType::BlockDevice => exclusively(handle, path, writing.flags | OFlags::WRONLY),
        _ if writing.read => reopen(handle, path, writing.flags | OFlags::RDWR)
            .or_else(|_| reopen(handle, path, writing.flags | OFlags::WRONLY)),
        _ => reopen(handle, path, writing.flags | OFlags::WRONLY),
    };
    let opened = opened?;
    judge(opened.as_fd(), path, writing.destroy, Hold::Ours)?;
    if writing.truncate && kind == FileType::RegularFile {
        ftruncate(&opened, 0)?;
    }
    Ok(opened)
}

/// `O_EXCL` without `O_CREAT`: the kernel refuses a device that is mounted or held, and keeps others
/// from mounting it as long as it is open, open(2).
pub(super) fn exclusively(
    handle: &OwnedFd,
    path: &Path,
    flags: OFlags,
) -> Result<OwnedFd, GuardError> {
    match reopen(handle, path, flags | OFlags::EXCL) {
        Err(GuardError::Failed(Errno::BUSY)) => Err(Refusal::InUse {
            device: path.to_owned(),
            users: vec![NOT_EXCLUSIVE.to_owned()],
            may_pass: true,
        }
        .into()),
        opened => opened,
    }
}

/// [`GuardError::Refused`] for what etalon does not write to at all when it writes a file of its own.
pub(super) fn refuse_all_but_files(kind: FileType, path: &Path) -> Result<(), Refusal> {
    let path = path.to_owned();
    match kind {
        FileType::RegularFile => Ok(()),
        FileType::BlockDevice | FileType::CharacterDevice => Err(Refusal::Device { path }),
        FileType::Symlink => Err(Refusal::Link { path }),
        _ => Err(Refusal::NotAFile { path }),
    }
}
