//! Directories for output that a user named.

use std::io;
use std::path::Path;

use rustix::fs::Mode;

/// Makes the directory `path` as the umask lets; those above it must be there. Nothing is followed or replaced: where
/// anything has the name, mkdir(2) fails.
///
/// # Errors
/// The kernel's answer.
pub fn new_directory(path: &Path) -> io::Result<()> {
    let mode = Mode::RWXU | Mode::RWXG | Mode::RWXO;
    Ok(rustix::fs::mkdir(path, mode)?)
}
