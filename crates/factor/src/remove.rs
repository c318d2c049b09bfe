//! Removing a scratch directory, and never anything else.
//!
//! Every step goes through the descriptor of a directory already known to be right, never through a
//! path, so that no link or rename on the way can lead it elsewhere. Links are removed as links, and
//! a mount point stops the removal (`openat2(2)`, `RESOLVE_NO_XDEV`).

use std::ffi::{CStr, CString, OsStr};
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::path::PathBuf;

use rustix::fs::{
    AtFlags, CWD, Dir, FileType, Mode, OFlags, ResolveFlags, fstat, openat, openat2, renameat,
    statat, unlinkat,
};
use rustix::io::Errno;

use crate::Token;
use crate::absent::{sync_names, writable};
use crate::one_mount::lie_on_one_mount;
use crate::own;
use crate::owner;
use crate::token::scratch_name;

/// The file in a scratch directory that holds its token.
pub(crate) const MARKER: &str = ".etalon-marker";

/// Names taken from a directory at a time, so that millions of files need little memory.
const BATCH: usize = 4096;

/// Why a scratch directory was not removed, or not wholly.
#[derive(Debug, thiserror::Error)]
pub enum RemoveError {
    /// There is something else under its name.
    #[error(
        "what lies there is not a directory; etalon did not make it, remove it yourself if it is yours"
    )]
    NotADirectory,
    /// Somebody else made it.
    #[error(
        "it belongs to another user and was not made by this one; run etalon restore as that user"
    )]
    OtherOwner,
    /// It does not bear the token.
    #[error(
        "it does not bear the token of the journal, so that etalon did not make it; remove it yourself if it is yours"
    )]
    NotMarked,
    /// Something else lies under its name.
    #[error(
        "what lies there is not what etalon made, or cannot be told from it; it was left as it is, remove it yourself if it is not wanted"
    )]
    Replaced,
    /// It is not there, and neither is the filesystem on which it was made.
    #[error(
        "the filesystem on which it was made is not mounted there now; mount it and run etalon restore"
    )]
    NotMounted,
    /// Something is mounted on it or in it.
    #[error("a filesystem is mounted at '{}' within it; unmount it and run etalon restore again", name.to_string_lossy())]
    MountPoint {
        /// The entry's own name.
        name: CString,
    },
    /// The kernel refused a step.
    #[error("'{}' could not be {action}: {source}; put that right and run etalon restore again", name.to_string_lossy())]
    Io {
        /// What was tried.
        action: &'static str,
        /// The entry's own name.
        name: CString,
        /// The kernel's answer.
        source: io::Error,
    },
}

impl RemoveError {
    pub(crate) fn of_name(action: &'static str, name: &OsStr, errno: Errno) -> Self {
        let name = CString::new(name.as_encoded_bytes()).unwrap_or_default();
        failed(action, &name, errno)
    }
}

/// What became of a scratch directory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Removal {
    Done,
    /// There was nothing under its name.
    Absent,
}

pub(crate) fn marker_text(token: &Token) -> String {
    format!("{token}\n")
}

/// Removes the scratch directory of `token`, which the filesystem may have given to another user, from `parent` with all
/// that is in it. The marker goes last, so that a removal that breaks off can be taken up again. It is done once it is
/// durable: on a disk that fails, what is gone in memory comes back with the next mount.
pub(crate) fn remove_scratch(
    parent: &OwnedFd,
    token: &Token,
    given_to: Option<u32>,
) -> Result<Removal, RemoveError> {
    let name = c_string(scratch_name(token));
    let scratch = match open_directory(parent, &name) {
        Ok(scratch) => scratch,
        Err(Errno::NOENT) => {
            make_durable(parent, &name)?;
            return Ok(Removal::Absent);
        }
        Err(Errno::LOOP | Errno::NOTDIR) => return Err(RemoveError::NotADirectory),
        Err(errno) => return Err(failed("opened", &name, errno)),
    };
    check_owner_and_marker(&scratch, (token, given_to), &name)?;
    empty(&scratch, Some(MARKER))?;
    let marker = c_string(MARKER.to_owned());
    unlink(&scratch, &marker, AtFlags::empty())?;
    unlink(parent, &name, AtFlags::REMOVEDIR)?;
    make_durable(parent, &name)?;
    writable(parent).map_err(|errno| failed("removed durably", &name, errno))?;
    Ok(Removal::Done)
}

/// Waits until the absence of `name` is on the disk. A directory that cannot be opened for reading,
/// or whose filesystem has no fsync(2) of directories, is left to the kernel.
fn make_durable(parent: &OwnedFd, name: &CStr) -> Result<(), RemoveError> {
    match sync_names(parent) {
        Err(errno @ (Errno::IO | Errno::ROFS)) => Err(failed("removed durably", name, errno)),
        _ => Ok(()),
    }
}

/// The directory `path` without a symbolic link on the way.
pub(crate) fn open_without_links(path: &std::path::Path) -> rustix::io::Result<OwnedFd> {
    let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let resolve = ResolveFlags::NO_SYMLINKS | ResolveFlags::NO_MAGICLINKS;
    match openat2(CWD, path, flags, Mode::empty(), resolve) {
        // Before Linux 5.6, and under some containers' filters: the path as the kernel sees it must
        // be the very path.
        Err(Errno::NOSYS | Errno::PERM) => {
            let real = std::fs::canonicalize(path).map_err(|e| as_errno(&e))?;
            if real != path {
                return Err(Errno::LOOP);
            }
            openat(CWD, path, flags | OFlags::NOFOLLOW, Mode::empty())
        }
        other => other,
    }
}

fn as_errno(error: &io::Error) -> Errno {
    Errno::from_io_error(error).unwrap_or(Errno::IO)
}

/// The directory `name` in `parent`: no link, and on the same mount.
fn open_directory(parent: &impl AsFd, name: &CStr) -> rustix::io::Result<OwnedFd> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let resolve = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS | ResolveFlags::NO_XDEV;
    match openat2(parent, name, flags, Mode::empty(), resolve) {
        Err(Errno::NOSYS | Errno::PERM) => open_by_comparing(parent, name),
        other => other,
    }
}

/// The same where the kernel has no openat2(2). The mounts are compared before anything is asked of the directory: what
/// is mounted there must not even be opened up for its owner.
fn open_by_comparing(parent: &impl AsFd, name: &CStr) -> rustix::io::Result<OwnedFd> {
    let found = own::open_directory(parent, name)?;
    if !lie_on_one_mount(&found, parent)? {
        return Err(Errno::XDEV);
    }
    readable(&found)
}

/// It belongs to its own user, or to the one to whom the filesystem gave it, and its marker holds the
/// token. A marker that is missing or cut short is what a kill leaves in the middle of the making;
/// then there must be nothing else.
fn check_owner_and_marker(
    scratch: &OwnedFd,
    (token, given_to): (&Token, Option<u32>),
    name: &CStr,
) -> Result<(), RemoveError> {
    let found = fstat(scratch).map_err(|e| failed("looked at", name, e))?;
    if !owner::is_own(&found, given_to) {
        return Err(RemoveError::OtherOwner);
    }
    let text = read_marker(scratch, given_to)?;
    let whole = marker_text(token);
    let text = match &text {
        Some(text) if *text == whole.as_bytes() => return Ok(()),
        Some(text) => text.as_slice(),
        None => &[],
    };
    let alone = names(scratch, 1, Some(MARKER))?.is_empty();
    if alone && whole.as_bytes().starts_with(text) {
        return Ok(());
    }
    Err(RemoveError::NotMarked)
}

fn read_marker(scratch: &OwnedFd, given_to: Option<u32>) -> Result<Option<Vec<u8>>, RemoveError> {
    let name = c_string(MARKER.to_owned());
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let file = match openat(scratch, &name, flags, Mode::empty()) {
        Ok(file) => file,
        Err(Errno::NOENT) => return Ok(None),
        Err(Errno::LOOP) => return Err(RemoveError::NotMarked),
        Err(errno) => return Err(failed("read", &name, errno)),
    };
    let found = fstat(&file).map_err(|e| failed("looked at", &name, e))?;
    let is_file = FileType::from_raw_mode(found.st_mode) == FileType::RegularFile;
    if !is_file || !owner::is_own(&found, given_to) {
        return Err(RemoveError::NotMarked);
    }
    let mut text = Vec::new();
    let file = std::fs::File::from(file);
    io::Read::read_to_end(&mut io::Read::take(file, 64), &mut text)
        .map_err(|e| failed("read", &name, as_errno(&e)))?;
    Ok(Some(text))
}

/// Removes everything in the directory of a living [`crate::Scratch`] but the marker, wherever it
/// lies now.
pub(crate) fn empty_held(directory: &OwnedFd) -> Result<(), RemoveError> {
    empty_but(directory, Some(MARKER))
}

/// The same of a directory that has no marker, and whose rights a program may have taken from its owner.
pub(crate) fn empty_wholly(directory: &OwnedFd) -> Result<(), RemoveError> {
    own::let_owner_write(directory).map_err(|errno| failed("opened up", c".", errno))?;
    empty_but(directory, None)
}

/// Removes the empty directory `name` from `parent`; one that is gone already is no failure.
pub(crate) fn remove_directory(parent: &OwnedFd, name: &OsStr) -> Result<(), RemoveError> {
    let name = CString::new(name.as_encoded_bytes()).unwrap_or_default();
    unlink(parent, &name, AtFlags::REMOVEDIR)
}

fn empty_but(directory: &OwnedFd, except: Option<&str>) -> Result<(), RemoveError> {
    let root = match readable(directory) {
        Ok(root) => root,
        // It was removed by somebody else.
        Err(Errno::NOENT) => return Ok(()),
        Err(errno) => return Err(failed("opened", c".", errno)),
    };
    match fstat(&root) {
        Ok(found) if found.st_nlink == 0 => Ok(()),
        _ => empty(&root, except),
    }
}

/// Whether nothing lies in a directory.
pub(crate) fn is_empty(directory: &OwnedFd) -> rustix::io::Result<bool> {
    let names = names(&readable(directory)?, 1, None);
    Ok(names.is_ok_and(|names| names.is_empty()))
}

/// The same directory, opened for listing.
pub(crate) fn readable(directory: &OwnedFd) -> rustix::io::Result<OwnedFd> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    openat(directory, c".", flags, Mode::empty())
}

/// Removes everything in `root` but the name `except`. Directories are not descended into: what a directory
/// holds is lifted into `root` and removed there in its turn, so that no depth of nesting needs more
/// than two descriptors.
fn empty(root: &OwnedFd, except: Option<&str>) -> Result<(), RemoveError> {
    let mut lifted = 0u64;
    loop {
        let batch = names(root, BATCH, except)?;
        if batch.is_empty() {
            return Ok(());
        }
        for (name, is_directory) in batch {
            if is_directory {
                lift_content(root, &name, &mut lifted)?;
                unlink(root, &name, AtFlags::REMOVEDIR)?;
            } else {
                unlink(root, &name, AtFlags::empty())?;
            }
        }
    }
}

/// Removes the files in the directory `name` and moves its directories up into `root`.
fn lift_content(root: &OwnedFd, name: &CStr, lifted: &mut u64) -> Result<(), RemoveError> {
    let directory = match open_directory(root, name) {
        Err(Errno::ACCESS) => own::open_up(root, name).and_then(|()| open_directory(root, name)),
        other => other,
    };
    let directory = match directory {
        Ok(directory) => directory,
        Err(Errno::NOENT) => return Ok(()),
        Err(errno) => return Err(failed("opened", name, errno)),
    };
    own::let_owner_write(&directory).map_err(|errno| failed("opened up", name, errno))?;
    loop {
        let batch = names(&directory, BATCH, None)?;
        if batch.is_empty() {
            return Ok(());
        }
        for (child, is_directory) in batch {
            if is_directory {
                lift(root, &directory, &child, lifted)?;
            } else {
                unlink(&directory, &child, AtFlags::empty())?;
            }
        }
    }
}

fn lift(root: &OwnedFd, from: &OwnedFd, child: &CStr, lifted: &mut u64) -> Result<(), RemoveError> {
    let mut is_opened_up = false;
    loop {
        let to = c_string(format!(".etalon-lifted-{lifted}"));
        *lifted += 1;
        match renameat(from, child, root, &to) {
            // A directory changes when it gets another parent, and its owner must be allowed that.
            Err(Errno::ACCESS) if !is_opened_up => {
                own::open_up(from, child).map_err(|errno| failed("moved", child, errno))?;
                is_opened_up = true;
            }
            Ok(()) | Err(Errno::NOENT) => return Ok(()),
            // An earlier removal that broke off has left that name.
            Err(Errno::EXIST | Errno::NOTEMPTY | Errno::NOTDIR) => {}
            Err(errno) => return Err(failed("moved", child, errno)),
        }
    }
}

/// Up to `most` names in a directory but `.`, `..` and `except`, each with whether it is a directory.
fn names(
    directory: &OwnedFd,
    most: usize,
    except: Option<&str>,
) -> Result<Vec<(CString, bool)>, RemoveError> {
    let here = c".";
    let listing = Dir::read_from(directory).map_err(|e| failed("listed", here, e))?;
    let mut names = Vec::new();
    for entry in listing {
        let entry = entry.map_err(|e| failed("listed", here, e))?;
        let name = entry.file_name();
        let bytes = name.to_bytes();
        if bytes == b"." || bytes == b".." || except.is_some_and(|e| e.as_bytes() == bytes) {
            continue;
        }
        let is_directory = match entry.file_type() {
            FileType::Unknown => is_directory(directory, name)?,
            known => known == FileType::Directory,
        };
        names.push((name.to_owned(), is_directory));
        if names.len() >= most {
            break;
        }
    }
    Ok(names)
}

fn is_directory(parent: &OwnedFd, name: &CStr) -> Result<bool, RemoveError> {
    match statat(parent, name, AtFlags::SYMLINK_NOFOLLOW) {
        Ok(found) => Ok(FileType::from_raw_mode(found.st_mode) == FileType::Directory),
        Err(Errno::NOENT) => Ok(false),
        Err(errno) => Err(failed("looked at", name, errno)),
    }
}

fn unlink(parent: &OwnedFd, name: &CStr, flags: AtFlags) -> Result<(), RemoveError> {
    match unlinkat(parent, name, flags) {
        Ok(()) | Err(Errno::NOENT) => Ok(()),
        Err(errno) => Err(failed("removed", name, errno)),
    }
}

fn failed(action: &'static str, name: &CStr, errno: Errno) -> RemoveError {
    let name = name.to_owned();
    match errno {
        Errno::XDEV | Errno::BUSY => RemoveError::MountPoint { name },
        errno => RemoveError::Io {
            action,
            name,
            source: errno.into(),
        },
    }
}

/// The names made here hold no NUL; should one, the part before it would be used.
fn c_string(text: String) -> CString {
    CString::new(text).unwrap_or_default()
}

/// Where the scratch directory of `token` in `parent` lies.
pub(crate) fn scratch_path(parent: &std::path::Path, token: &Token) -> PathBuf {
    parent.join(scratch_name(token))
}

#[cfg(test)]
mod tests {
    use super::*;
    use etalon_testbed::{Mount, root_for};

    #[test]
    fn what_is_mounted_within_its_own_filesystem_is_told_without_openat2() {
        let test = "what_is_mounted_within_its_own_filesystem_is_told_without_openat2";
        if !root_for(test) {
            return;
        }
        let place = tempfile::tempdir().unwrap();
        let [kept, plain, bound] = ["kept", "plain", "bound"].map(|name| place.path().join(name));
        for path in [&kept, &plain, &bound] {
            std::fs::create_dir(path).unwrap();
        }
        let mount = Mount::at(&bound, &["--bind", kept.to_str().unwrap()]);
        let parent = open_without_links(&place.path().canonicalize().unwrap()).unwrap();
        let plainly = open_by_comparing(&parent, c"plain").map(drop);
        let within = open_by_comparing(&parent, c"bound").map(drop);
        let by_kernel = open_directory(&parent, c"bound").map(drop);
        mount.unmount();
        assert_eq!(plainly, Ok(()));
        assert_eq!((within, by_kernel), (Err(Errno::XDEV), Err(Errno::XDEV)));
    }
}
