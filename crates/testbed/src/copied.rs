//! Files of a machine that is no more than these.

use std::fs;
use std::path::{Path, PathBuf};

/// Puts a file below a directory, with the directories above it, and gives its path.
///
/// # Panics
/// Where it cannot be written.
pub fn put(directory: &Path, file: &str, content: impl AsRef<[u8]>) -> PathBuf {
    let path = directory.join(file);
    let written = fs::create_dir_all(path.parent().unwrap_or(directory))
        .and_then(|()| fs::write(&path, content));
    if let Err(error) = written {
        panic!("{}: {error}", path.display());
    }
    path
}
