//! Names of open descriptors: the one way back to an inode that was judged.

use std::os::fd::{AsFd, AsRawFd as _, OwnedFd};
use std::path::{Path, PathBuf};

use rustix::fs::{FileType, Mode, OFlags, fstat};
use rustix::io::Errno;

use super::{GuardError, Refusal};

/// The kernel's link to the open file; it leads to the inode, also to one without a name.
pub(super) fn link_of(descriptor: impl AsFd) -> PathBuf {
    PathBuf::from(format!("/proc/self/fd/{}", descriptor.as_fd().as_raw_fd()))
}

/// What kind of file is open.
pub(super) fn kind_of(descriptor: impl AsFd) -> Result<FileType, Errno> {
    Ok(FileType::from_raw_mode(fstat(descriptor)?.st_mode))
}

/// Opens the inode behind `handle` once more; nothing is made, cut or looked up by name.
pub(super) fn reopen(handle: &OwnedFd, name: &Path, flags: OFlags) -> Result<OwnedFd, GuardError> {
    let never = OFlags::CREATE | OFlags::TRUNC | OFlags::NOFOLLOW;
    match rustix::fs::open(
        link_of(handle),
        (flags - never) | OFlags::CLOEXEC,
        Mode::empty(),
    ) {
        Err(Errno::NOENT) => Err(Refusal::NotKnown {
            path: name.to_owned(),
            why: "/proc is not mounted".to_owned(),
        }
        .into()),
        opened => Ok(opened?),
    }
}
