//! How much of files the page cache keeps although it was asked to let go.

use std::fs;
use std::path::Path;
use std::thread;
use std::time::Duration;

use etalon_units::Bytes;
use etalon_work::{WorkError, cache};

/// How often the page cache is asked to let go.
const TRIES: u32 = 4;
const PAUSE: Duration = Duration::from_millis(50);

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
    until_it_is_gone(|| {
        each_file(directory, &mut |file| cache::drop_file(file))?;
        let mut sum = 0;
        each_file(directory, &mut |file| {
            sum += kept(file).get();
            Ok::<(), WorkError>(())
        })?;
        Ok(Bytes(sum))
    })
}

/// What stays is asked for again: a page that is on its way to a client, or in a socket that nobody reads any more, is let go
/// of only a moment after its server has ended.
fn until_it_is_gone(
    mut drop: impl FnMut() -> Result<Bytes, WorkError>,
) -> Result<Bytes, WorkError> {
    let mut kept = drop()?;
    for _ in 1..TRIES {
        if kept == Bytes::ZERO {
            break;
        }
        thread::sleep(PAUSE);
        kept = drop()?;
    }
    Ok(kept)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stays_for_a_moment_is_dropped_and_what_stays_is_told() {
        let mut kept = [Bytes::kib(124), Bytes::ZERO].into_iter();
        let told = until_it_is_gone(|| Ok(kept.next().unwrap())).unwrap();
        assert_eq!(told, Bytes::ZERO);
        let told = until_it_is_gone(|| Ok(Bytes::mib(9))).unwrap();
        assert_eq!(told, Bytes::mib(9));
    }
}
