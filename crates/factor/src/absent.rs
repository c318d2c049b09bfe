//! Showing that a scratch directory that is not there stays away.
//!
//! On a disk that is gone, memory may hold the removal that the disk never saw, and fsync(2) answers
//! 0 on a filesystem that has become read-only (`fs/ext4/fsync.c`). Only a change that reaches the
//! disk now shows that the earlier one did.

use std::os::fd::OwnedFd;

use rustix::fs::{
    AtFlags, Mode, OFlags, StatVfsMountFlags, fstatvfs, fsync, mkdirat, openat, unlinkat,
};
use rustix::io::{Errno, Result};

use crate::Token;
use crate::token::scratch_name;

/// Makes the directory of `token` in `parent` and removes it again, durably. An entry of the journal
/// names whatever this leaves when it is cut short: an empty directory, which restore removes.
pub(crate) fn stays_absent(parent: &OwnedFd, token: &Token) -> Result<()> {
    let name = scratch_name(token);
    mkdirat(parent, &name, Mode::RWXU)?;
    match unlinkat(parent, &name, AtFlags::REMOVEDIR) {
        // Another restore has removed it.
        Ok(()) | Err(Errno::NOENT) => holds(parent),
        Err(errno) => Err(errno),
    }
}

/// Waits until the names in `directory` are on the disk as they are in memory, which a filesystem that
/// cannot be written never says.
pub(crate) fn holds(directory: &OwnedFd) -> Result<()> {
    sync_names(directory)?;
    writable(directory)
}

/// fsync(2) of a directory, which may have been opened for its path only.
pub(crate) fn sync_names(directory: &OwnedFd) -> Result<()> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    openat(directory, c".", flags, Mode::empty()).and_then(fsync)
}

/// A filesystem that fails becomes read-only (`errors=remount-ro`, ext4(5)), also in the middle of
/// an fsync(2).
pub(crate) fn writable(place: &OwnedFd) -> Result<()> {
    if fstatvfs(place)?.f_flag.contains(StatVfsMountFlags::RDONLY) {
        return Err(Errno::ROFS);
    }
    Ok(())
}
