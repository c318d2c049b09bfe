//! The kernel's protection of directories that everybody may write: with `O_CREAT` it does not open
//! what another user has put there (`fs.protected_regular` and `fs.protected_fifos`,
//! Documentation/admin-guide/sysctl/fs.rst). What is opened by its inode goes past that, so the same
//! is asked here.

use std::fs::{metadata, read_link, read_to_string};
use std::os::fd::OwnedFd;
use std::os::unix::fs::MetadataExt as _;

use rustix::fs::{FileType, fstat};
use rustix::io::Errno;
use rustix::process::geteuid;

use super::reopen::link_of;

const STICKY: u32 = 0o1000;
const ALL_MAY_WRITE: u32 = 0o002;
const GROUP_MAY_WRITE: u32 = 0o020;

/// `EACCES` where the kernel would say so to a program that is ready to make the file
/// (fs/namei.c, `may_create_in_sticky`).
pub(super) fn refuse_planted(handle: &OwnedFd, kind: FileType) -> Result<(), Errno> {
    let Some(strictness) = strictness(kind) else {
        return Ok(());
    };
    let Some(directory) = read_link(link_of(handle))
        .ok()
        .and_then(|name| metadata(name.parent()?).ok())
    else {
        return Ok(());
    };
    let owner = fstat(handle)?.st_uid;
    let trusted = owner == directory.uid() || owner == geteuid().as_raw();
    let mode = directory.mode();
    let shared = mode & ALL_MAY_WRITE != 0 || mode & GROUP_MAY_WRITE != 0 && strictness >= 2;
    match mode & STICKY != 0 && shared && !trusted {
        true => Err(Errno::ACCESS),
        false => Ok(()),
    }
}

/// What the machine is set to for this kind of file; none where nothing is protected.
fn strictness(kind: FileType) -> Option<u32> {
    let name = match kind {
        FileType::RegularFile => "protected_regular",
        FileType::Fifo => "protected_fifos",
        _ => return None,
    };
    let text = read_to_string(format!("/proc/sys/fs/{name}")).ok()?;
    text.trim()
        .parse()
        .ok()
        .filter(|strictness| *strictness > 0)
}
