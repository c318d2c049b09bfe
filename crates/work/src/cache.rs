//! The page cache of single files: written back and dropped, as far as the kernel does.

use std::fs::File;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

use rustix::fs::OFlags;

use super::error::WorkError;
use super::parameter::{Kind, Parameter};
use super::step::Step;
use super::tree::{WalkEvent, walk};

/// Whether a step finds its input in memory.
pub static CACHE: Parameter = Parameter {
    name: "cache",
    kind: Kind::Choice(&["cold", "warm"]),
    default: "cold",
    help: "cold: the pages of the input are dropped before the step (posix_fadvise); warm: they are left as the setup left them",
};

/// Writes a file back and drops its pages.
///
/// # Errors
/// The kernel's, with the file.
pub fn drop_file(path: &Path) -> Result<(), WorkError> {
    let flags = (OFlags::NONBLOCK | OFlags::NOFOLLOW).bits() as i32;
    let file = File::options()
        .read(true)
        .custom_flags(flags)
        .open(path)
        .map_err(WorkError::io("open", path))?;
    etalon_host::cache::drop_file(&file).map_err(WorkError::io("drop the pages of", path))
}

/// Drops the pages of all files below `root`, or of the one file that it is.
///
/// # Errors
/// The kernel's, with the file.
pub fn drop_tree(root: &Path, step: &mut Step<'_>) -> Result<(), WorkError> {
    walk(root, step, &mut |path, found| match found {
        WalkEvent::Leaf(meta) if meta.is_file() => drop_file(path),
        _ => Ok(()),
    })
}
