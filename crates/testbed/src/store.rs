//! Looking into a store beside the program that writes it.

use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, OpenFlags};

/// How long a look waits for the program that holds the store.
const BUSY: Duration = Duration::from_secs(60);

/// Finished runs that any reader of the store sees at this moment; none where there is no store yet, or one without its
/// tables.
///
/// The store is opened for writing: after a kill within a commit, the first to open it must roll the commit back, which a
/// reader may not do (`SQLITE_READONLY_ROLLBACK`).
///
/// # Panics
/// Where the store cannot be read, with SQLite's word for it: that is never a count of none.
#[must_use]
pub fn kept_runs(store: &Path) -> u64 {
    if !store.exists() {
        return 0;
    }
    let count = count(store);
    assert!(count.is_ok(), "LOST: {}: {count:?}", store.display());
    count.unwrap_or_default()
}

fn count(store: &Path) -> rusqlite::Result<u64> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let store = Connection::open_with_flags(store, flags)?;
    store.busy_timeout(BUSY)?;
    let ask = |question: &str| store.query_row(question, [], |row| row.get::<_, i64>(0));
    if ask("SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = 'run'")? == 0 {
        return Ok(0);
    }
    Ok(ask("SELECT count(*) FROM run")?.unsigned_abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(name: &str) -> std::path::PathBuf {
        std::env::temp_dir().join(format!("{name}-{}.sqlite", std::process::id()))
    }

    #[test]
    fn what_is_not_there_yet_has_no_runs() {
        let place = place("begun");
        assert_eq!(kept_runs(&place), 0);
        let store = Connection::open(&place).unwrap();
        assert_eq!(kept_runs(&place), 0);
        let made = "CREATE TABLE run (id); INSERT INTO run VALUES (1), (2)";
        store.execute_batch(made).unwrap();
        assert_eq!(kept_runs(&place), 2);
        std::fs::remove_file(&place).unwrap();
    }

    #[test]
    #[should_panic(expected = "LOST")]
    fn what_cannot_be_read_is_no_count_of_none() {
        let place = place("torn");
        std::fs::write(&place, "no store ".repeat(200)).unwrap();
        let counted = std::panic::catch_unwind(|| kept_runs(&place));
        std::fs::remove_file(&place).unwrap();
        std::panic::resume_unwind(counted.unwrap_err());
    }
}
