//! Closing a file that was written.

use std::os::fd::OwnedFd;

use rustix::io::{Errno, Result};

/// Closes `file` and tells what the kernel says to that, which dropping it does not. Where data are handed over only now,
/// as on NFS, this is what tells that they could not be kept (close(2)).
pub(crate) fn close(file: OwnedFd) -> Result<()> {
    nix::unistd::close(file).map_err(|errno| Errno::from_raw_os_error(errno as i32))
}
