//! Opening a store: making the file, checking what it is, bringing it up to date.
//!
//! The file keeps SQLite's rollback journal (`journal_mode=DELETE`) and not a write-ahead log. A log
//! needs memory shared by all who have the file open, which no network filesystem gives
//! (<https://sqlite.org/wal.html>), and home directories are often on one; it also leaves the store
//! in three files. What a log would bring, readers beside a busy writer, is worth little where a
//! transaction lasts milliseconds and comes once per run: readers and writers wait for each other
//! within the busy timeout. `synchronous=EXTRA` also syncs the directory once the journal is gone,
//! so that a run once acknowledged outlives a power cut.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use etalon_factor::guard::{GuardError, database, private_directory};
use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags, TransactionBehavior};

use crate::error::{CorruptDetail, OpenFailure, StoreError};
use crate::schema::{self, APPLICATION_ID, FileMark, STORE_VERSION};

/// How long another process's lock is waited for. A transaction lasts milliseconds; longer means
/// that somebody keeps the store open in a transaction, or that the disk stalls.
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);

/// Files up to this size are checked whole when opened for writing, which takes about 0.1 s.
/// Larger ones rely on the checksums of what is read, and on [`Store::check`].
const QUICK_CHECK_LIMIT_BYTES: u64 = 64 << 20;

/// An open store: one connection to one file.
#[derive(Debug)]
pub struct Store {
    pub(crate) connection: Connection,
    pub(crate) path: PathBuf,
    pub(crate) busy_timeout: Duration,
    begun_in_empty_file: bool,
}

impl Store {
    /// Opens the store at `path` for reading and writing; makes it, and its directory with mode
    /// 0700, where they are missing; brings an older format up to date.
    ///
    /// # Errors
    /// Every [`StoreError`] but those of single experiments. In particular the store is refused
    /// here, before anything is measured, when it is read-only, locked for more than five seconds,
    /// damaged, of a newer format (it is then left as it is) or not a store.
    pub fn open(path: &Path) -> Result<Store, StoreError> {
        Store::open_waiting(path, BUSY_TIMEOUT)
    }

    /// [`Store::open`], with another time to wait for locks, now and later.
    ///
    /// # Errors
    /// As [`Store::open`].
    pub fn open_waiting(path: &Path, busy_timeout: Duration) -> Result<Store, StoreError> {
        let path = absolute(path)?;
        make_directory(&path)?;
        let existed = path.exists();
        let database = judged(&path, true)?;
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE;
        let mut store = Store::connect(path, &database, flags, busy_timeout)?;
        let was_empty = store.prepare_for_writing()?;
        store.begun_in_empty_file = existed && was_empty;
        Ok(store)
    }

    /// Opens the store at `path` for reading; nothing in it is changed, except that a transaction
    /// which a killed writer left half-done is undone where permissions allow. Older formats are read
    /// as they are.
    ///
    /// # Errors
    /// [`StoreError::Missing`] when there is no file, and otherwise as [`Store::open`].
    pub fn open_read_only(path: &Path) -> Result<Store, StoreError> {
        let path = absolute(path)?;
        if !path.exists() {
            return Err(StoreError::Missing { path });
        }
        // With permission to write, SQLite can undo what a killed writer left; without it, this
        // falls back to reading only by itself.
        let database = judged(&path, false)?;
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE;
        let store = Store::connect(path, &database, flags, BUSY_TIMEOUT)?;
        let mark = store.known_mark()?;
        if mark.empty {
            return Err(StoreError::Missing { path: store.path });
        }
        let query_only = store.connection.pragma_update(None, "query_only", true);
        query_only.map_err(|e| store.failed(e))?;
        Ok(store)
    }

    /// Whether there was a file already, with nothing in it, in which this store was begun: one that a
    /// killed start left, or one that somebody named by mistake.
    pub fn begun_in_empty_file(&self) -> bool {
        self.begun_in_empty_file
    }

    /// Where the store is, as an absolute path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Checks the structure of the whole file (`PRAGMA quick_check`).
    ///
    /// # Errors
    /// [`StoreError::Corrupt`] with the first thing that is wrong.
    pub fn check(&self) -> Result<(), StoreError> {
        let answer: String = self
            .connection
            .query_row("PRAGMA quick_check(1)", [], |row| row.get(0))
            .map_err(|e| self.failed(e))?;
        if answer == "ok" {
            return Ok(());
        }
        Err(self.corrupt(CorruptDetail::Check(answer)))
    }

    /// SQLite opens `database`, which the guard has judged, and follows no link from there.
    fn connect(
        path: PathBuf,
        database: &Path,
        flags: OpenFlags,
        busy_timeout: Duration,
    ) -> Result<Store, StoreError> {
        let flags = flags | OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_NOFOLLOW;
        let opened = Connection::open_with_flags(database, flags);
        let connection = opened.map_err(|e| StoreError::from_sqlite(&path, busy_timeout, e))?;
        let store = Store {
            connection,
            path,
            busy_timeout,
            begun_in_empty_file: false,
        };
        store.configure().map_err(|e| store.failed(e))?;
        Ok(store)
    }

    fn configure(&self) -> rusqlite::Result<()> {
        let c = &self.connection;
        c.busy_timeout(self.busy_timeout)?;
        // The file may come from somebody else: nothing in it may run code or rewrite itself.
        c.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
        c.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
        c.pragma_update(None, "cell_size_check", true)?;
        c.pragma_update(None, "foreign_keys", true)?;
        c.pragma_update(None, "synchronous", "EXTRA")
    }

    /// The file's mark, once it is sure that this etalon may use the file.
    fn known_mark(&self) -> Result<FileMark, StoreError> {
        let mark = schema::mark(&self.connection).map_err(|e| self.failed(e))?;
        let path = self.path.clone();
        if mark.application_id != APPLICATION_ID && !(mark.empty && mark.application_id == 0) {
            return Err(StoreError::Foreign {
                path,
                application_id: mark.application_id,
            });
        }
        if mark.version > STORE_VERSION {
            return Err(StoreError::Newer {
                path,
                found: mark.version,
                supported: STORE_VERSION,
            });
        }
        if mark.version < 0 || mark.empty != (mark.version == 0) {
            return Err(self.corrupt(CorruptDetail::Schema));
        }
        Ok(mark)
    }

    /// Gives whether there was nothing in the file.
    fn prepare_for_writing(&mut self) -> Result<bool, StoreError> {
        let mark = self.known_mark()?;
        if self
            .connection
            .is_readonly("main")
            .map_err(|e| self.failed(e))?
        {
            return Err(StoreError::ReadOnly {
                path: self.path.clone(),
            });
        }
        if !mark.empty && self.size_bytes() <= QUICK_CHECK_LIMIT_BYTES {
            self.check()?;
        }
        self.use_rollback_journal().map_err(|e| self.failed(e))?;
        self.migrate_or_try()?;
        Ok(mark.empty)
    }

    /// Turns off the write-ahead log that another program may have turned on.
    fn use_rollback_journal(&self) -> rusqlite::Result<()> {
        self.connection
            .pragma_update_and_check(None, "journal_mode", "DELETE", |_| Ok(()))
    }

    /// Brings the file up to date; where there is nothing to do, begins a change and takes it back,
    /// which shows a lock, a read-only directory or a full disk before the first run is made.
    fn migrate_or_try(&mut self) -> Result<(), StoreError> {
        let (path, waited) = (self.path.clone(), self.busy_timeout);
        let failed = |e| StoreError::from_sqlite(&path, waited, e);
        let transaction = self
            .connection
            .transaction_with_behavior(TransactionBehavior::Immediate)
            .map_err(failed)?;
        // Another process may have done it while this one waited for the lock.
        let version = schema::mark(&transaction).map_err(failed)?.version;
        schema::migrate(&transaction, version).map_err(failed)?;
        if version < STORE_VERSION {
            transaction.commit().map_err(failed)
        } else {
            transaction.rollback().map_err(failed)
        }
    }

    pub(crate) fn size_bytes(&self) -> u64 {
        fs::metadata(&self.path).map_or(0, |found| found.len())
    }

    pub(crate) fn failed(&self, error: rusqlite::Error) -> StoreError {
        StoreError::from_sqlite(&self.path, self.busy_timeout, error)
    }

    fn corrupt(&self, detail: CorruptDetail) -> StoreError {
        StoreError::Corrupt {
            path: self.path.clone(),
            detail,
        }
    }
}

/// An absolute path never looks like one of SQLite's special names (`:memory:`, `file:` URIs).
fn absolute(path: &Path) -> Result<PathBuf, StoreError> {
    std::path::absolute(path).map_err(|source| StoreError::Directory {
        path: path.to_owned(),
        source,
    })
}

fn make_directory(path: &Path) -> Result<(), StoreError> {
    let Some(directory) = path.parent() else {
        return Ok(());
    };
    private_directory(directory).map_err(|source| StoreError::Directory {
        path: directory.to_owned(),
        source,
    })
}

/// Where SQLite finds the store, if it may be written; with `make`, a missing one is made.
fn judged(path: &Path, make: bool) -> Result<PathBuf, StoreError> {
    let found = database(path, make);
    found
        .map(|database| database.path)
        .map_err(|error| match error {
            GuardError::Refused(refusal) => StoreError::Refused(refusal),
            GuardError::Failed(errno) => StoreError::Unopenable {
                path: path.to_owned(),
                source: OpenFailure::Kernel(errno.into()),
            },
        })
}
