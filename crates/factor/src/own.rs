//! Making directories and files that only this user may open, whatever the umask.
//!
//! The umask can take bits away from a mode and never adds any, so that what is made with 0700 or
//! 0600 is never open to others; under a umask such as 0777 the owner's own bits are put back.

use std::fs::File;
use std::os::fd::{AsFd, AsRawFd as _, BorrowedFd, OwnedFd};
use std::path::PathBuf;

use rustix::fs::{AtFlags, CWD, Mode, OFlags, chmodat, fchmod, fstat, mkdirat, openat};
use rustix::io::Result;
use rustix::path::Arg;
use rustix::process::geteuid;

/// Makes the directory `name` in `parent` with mode 0700 and opens it for its path.
pub(crate) fn make_directory(parent: impl AsFd, name: impl Arg + Copy) -> Result<OwnedFd> {
    mkdirat(&parent, name, Mode::RWXU)?;
    let made = open_directory(parent, name)?;
    let_owner_write(&made)?;
    Ok(made)
}

/// Gives the owner all rights to the directory `name` in `parent`, which a umask or a copy of foreign
/// permissions has taken from it.
pub(crate) fn open_up(parent: impl AsFd, name: impl Arg) -> Result<()> {
    grant(&open_directory(parent, name)?)
}

/// The same where only some are missing; another user's directory is left as it is.
pub(crate) fn let_owner_write(directory: &OwnedFd) -> Result<()> {
    let found = fstat(directory)?;
    let has_all = Mode::from_raw_mode(found.st_mode).contains(Mode::RWXU);
    if has_all || found.st_uid != geteuid().as_raw() {
        return Ok(());
    }
    grant(directory)
}

/// chmod(2) by a name for the descriptor: fchmod(2) refuses one that was opened for its path only,
/// and this name leads to the same directory, whatever happens to its own name meanwhile.
fn grant(directory: &OwnedFd) -> Result<()> {
    let flags = AtFlags::empty();
    chmodat(CWD, descriptor_path(directory.as_fd()), Mode::RWXU, flags)
}

/// The directory `name` in `parent`, which may be no link, opened for its path.
pub(crate) fn open_directory(parent: impl AsFd, name: impl Arg) -> Result<OwnedFd> {
    let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    openat(parent, name, flags, Mode::empty())
}

/// Makes the file `name` in `parent` with mode 0600, open for writing; it must not be there.
pub(crate) fn make_file(parent: impl AsFd, name: impl Arg) -> Result<File> {
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let mode = Mode::RUSR | Mode::WUSR;
    let made = openat(parent, name, flags, mode)?;
    fchmod(&made, mode)?;
    Ok(File::from(made))
}

/// A name for what a descriptor of this process leads to, which no rename can lead elsewhere; good
/// for other processes of this user too (proc_pid_fd(5)).
pub(crate) fn descriptor_path(held: BorrowedFd<'_>) -> PathBuf {
    PathBuf::from(format!(
        "/proc/{}/fd/{}",
        std::process::id(),
        held.as_raw_fd()
    ))
}
