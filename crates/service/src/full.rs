//! A full filesystem, which servers tell each in its own words.

use std::path::Path;

use etalon_host::FreeSpace;
use etalon_units::Bytes;
use etalon_work::WorkError;

use crate::Home;

/// The kernel's words for ENOSPC and EDQUOT, which PostgreSQL quotes, and those of MariaDB (errors 1021 and 1114, and
/// what InnoDB says of its files) and SQLite (SQLITE_FULL).
const WORDS: [&str; 7] = [
    "No space left on device",
    "Disk quota exceeded",
    "Disk full",
    "is full",
    "OS error 28",
    "failed with error 28",
    "system error number 28",
];

/// Less than a database takes at once of a filesystem.
const LEAST: Bytes = Bytes::kib(64);

/// MariaDB's words while it waits, once a minute and without an end, until somebody frees space.
const WAITING: &str = "Waiting for someone to free space";

/// Whether a line of a log tells of a full filesystem.
pub(crate) fn is_full(line: &str) -> bool {
    WORDS.iter().any(|word| line.contains(word))
}

/// Whether a server whose log ends so waits until somebody frees space.
pub(crate) fn waits(last_lines: &str) -> bool {
    last_lines.contains(WAITING)
}

/// An error that a full filesystem below `place` caused, told as such with the last lines of the server's log; every
/// other as it is.
pub fn told_if_full(error: WorkError, place: &Path, home: Option<&Home>) -> WorkError {
    let WorkError::Service(cause) = &error else {
        return error;
    };
    let cause = whole(&**cause);
    let log = home.map(Home::last_lines).unwrap_or_default();
    if !is_full(&cause) && !is_full(&log) && !has_no_room(place) {
        return error;
    }
    // How the server ended is told with its log already.
    let said = match log.is_empty() || cause.contains(&log) {
        true => cause,
        false => format!("{cause}; the last lines of its log: {log}"),
    };
    // Without the dot at its end.
    let place = place.components().collect();
    WorkError::Full { place, said }
}

/// SQLite says no more than "disk I/O error" where it cannot make its shared memory longer; whoever fails while there
/// is no room has failed for that.
pub(crate) fn has_no_room(place: &Path) -> bool {
    let space = FreeSpace::of_path(place);
    space.is_ok_and(|space| space.has_size() && space.available() < LEAST)
}

/// An error with its causes.
fn whole(error: &(dyn std::error::Error + 'static)) -> String {
    let causes = std::iter::successors(error.source(), |&cause| cause.source());
    causes.fold(error.to_string(), |said, cause| {
        let cause = cause.to_string();
        match said.contains(&cause) {
            true => said,
            false => format!("{said}: {cause}"),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ServiceError;

    fn ended(said: &str) -> WorkError {
        let (status, said) = ("signal: 6".to_owned(), said.to_owned());
        let engine = "PostgreSQL";
        ServiceError::Ended {
            engine,
            status,
            said,
        }
        .into()
    }

    #[test]
    fn an_empty_log_is_called_so() {
        assert!(ended(" \n").to_string().ends_with("; its log is empty"));
        assert!(ended("FATAL").to_string().ends_with("of its log: FATAL"));
    }

    #[test]
    fn a_full_filesystem_is_told_from_every_other_end() {
        let place = Path::new("/mnt/.");
        let full = ended("PANIC: could not write to file \"pg_wal/1\": No space left on device");
        let full = told_if_full(full, place, None);
        assert!(full.is_disk_full());
        let text = full.to_string();
        assert!(
            text.starts_with("the filesystem of '/mnt' is full: PostgreSQL ended with")
                && text.contains("pg_wal/1"),
            "{text}"
        );
        let other = told_if_full(ended("FATAL: no such role"), place, None);
        assert!(!other.is_disk_full());
        assert!(matches!(
            told_if_full(WorkError::Stopped, place, None),
            WorkError::Stopped
        ));
    }
}
