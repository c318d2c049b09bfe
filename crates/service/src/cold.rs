//! How much of files the page cache keeps although it was asked to let go.

use std::fs;
use std::path::Path;

use etalon_units::Bytes;
use etalon_work::{WorkError, cache};

/// Bytes of a file that are still in memory.
pub fn kept(file: &Path) -> Bytes {
    etalon_stack::residency(file).map_or(Bytes::ZERO, |found| found.cached)
}

/// Calls `act` with each file below `directory`; there may be millions, of which no list is made.
fn each_file<E>(directory: &Path, act: &mut dyn FnMut(&Path) -> Result<(), E>) -> Result<(), E> {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    for entry in entries {
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => each_file(&entry.path(), act)?,
            Ok(kind) if kind.is_file() => act(&entry.path())?,
            _ => {}
        }
    }
    Ok(())
}

/// Empties the page cache of all files below `directory`, and tells how many bytes of them stayed.
///
/// # Errors
/// The kernel's, with the file.
pub fn empty(directory: &Path) -> Result<Bytes, WorkError> {
    each_file(directory, &mut |file| cache::drop_file(file))?;
    let mut sum = 0;
    each_file(directory, &mut |file| {
        sum += kept(file).get();
        Ok::<(), WorkError>(())
    })?;
    Ok(Bytes(sum))
}
