//! How much of files the page cache keeps although it was asked to let go.

use std::fs;
use std::path::Path;

use etalon_model::CacheHeld;
use etalon_stack::CacheLook;
use etalon_units::Bytes;
use etalon_work::{WorkError, cache};

/// A start with empty caches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ColdStart {
    /// Bytes of the files that are in memory all the same; `None` where that cannot be told.
    pub kept: Option<Bytes>,
}

impl From<Option<CacheHeld>> for ColdStart {
    fn from(held: Option<CacheHeld>) -> ColdStart {
        let kept = held.map(|held| held.cached);
        ColdStart { kept }
    }
}

/// Asks the page cache to let go of one file, and tells how much of it stayed.
///
/// # Errors
/// The kernel's, with the file.
pub fn empty_file(file: &Path) -> Result<ColdStart, WorkError> {
    cache::drop_file(file)?;
    let mut look = CacheLook::begin();
    look.add(file);
    Ok(look.held().into())
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
pub fn empty(directory: &Path) -> Result<ColdStart, WorkError> {
    let held = cache::until_it_is_gone(|| {
        each_file(directory, &mut |file| cache::drop_file(file))?;
        let mut look = CacheLook::begin();
        each_file(directory, &mut |file| {
            look.add(file);
            Ok::<(), WorkError>(())
        })?;
        Ok(look.held())
    })?;
    Ok(held.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_told_of_a_file_is_not_nothing() {
        let place = tempfile::tempdir().unwrap();
        fs::write(place.path().join("file"), [1; 8192]).unwrap();
        assert!(empty(place.path()).unwrap().kept.is_some());
        let device = Path::new("/dev/null");
        let mut look = CacheLook::begin();
        look.add(device);
        assert_eq!(ColdStart::from(look.held()).kept, None);
    }
}
