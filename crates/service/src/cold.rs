//! How much of files the page cache keeps although it was asked to let go.

use std::fs;
use std::path::{Path, PathBuf};

use etalon_units::Bytes;
use etalon_work::{WorkError, cache};

/// Bytes of the files that are still in memory.
pub fn kept(files: &[PathBuf]) -> Bytes {
    let held = files
        .iter()
        .filter_map(|file| etalon_stack::residency(file).ok());
    Bytes(held.map(|found| found.cached.get()).sum())
}

/// All files below `directory`.
pub fn files(directory: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    let mut found = Vec::new();
    for entry in entries {
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => found.extend(files(&entry.path())),
            Ok(kind) if kind.is_file() => found.push(entry.path()),
            _ => {}
        }
    }
    found
}

/// Empties the page cache of all files below `directory`, and tells how many bytes of them stayed.
///
/// # Errors
/// The kernel's, with the file.
pub fn empty(directory: &Path) -> Result<Bytes, WorkError> {
    let files = files(directory);
    files.iter().try_for_each(|file| cache::drop_file(file))?;
    Ok(kept(&files))
}
