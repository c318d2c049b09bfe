//! What can go wrong with a store, and what to do about it.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use etalon_model::RunId;
use rusqlite::ErrorCode;

use crate::Holder;

/// Why a store could not be opened, written or read.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// There is no file to read.
    #[error("there is no store at '{}'; nothing has been measured into it yet, or --store names another file", path.display())]
    Missing {
        /// The path asked for.
        path: PathBuf,
    },
    /// The directory that should hold the store cannot be made.
    #[error("the directory '{}' for the store cannot be made: {source}; make it, or name another file with --store FILE", path.display())]
    Directory {
        /// The directory.
        path: PathBuf,
        /// The kernel's answer.
        source: io::Error,
    },
    /// The file must not be written: it is a device, or something relies on what it holds.
    #[error("the store cannot be kept there: {0}")]
    Refused(#[source] etalon_factor::guard::Refusal),
    /// The file is there or could be made, but this user may not open it.
    #[error("the store '{}' cannot be opened: {source}; give this user access to it, or name another file with --store FILE", path.display())]
    Unopenable {
        /// The file.
        path: PathBuf,
        /// Whose answer that is.
        source: OpenFailure,
    },
    /// Another process kept the store locked.
    #[error("the store '{}' is locked{}, and did not become free within {:.1} s; wait for it to end, or use another file with --store FILE", path.display(), by(holder), waited.as_secs_f64())]
    Locked {
        /// The file.
        path: PathBuf,
        /// Who holds it, where the kernel tells.
        holder: Option<Holder>,
        /// How long its release was waited for.
        waited: Duration,
    },
    /// A SQLite database whose structure is broken.
    #[error("the store '{}' is damaged: {detail}; move it away and start a new one, or bring it back from a backup ('sqlite3 FILE .recover' may save a part)", path.display())]
    Corrupt {
        /// The file.
        path: PathBuf,
        /// What was found.
        detail: CorruptDetail,
    },
    /// It does not begin as a SQLite database does.
    #[error("'{}' is not a store of etalon: it is no SQLite database; name another file with --store FILE (if it was a store once, bring it back from a backup)", path.display())]
    NotADatabase {
        /// The file.
        path: PathBuf,
    },
    /// A sound SQLite database that belongs to something else.
    #[error("'{}' is a SQLite database, but not a store of etalon (its application id is {application_id:#010x}); name another file with --store FILE", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
        /// What stands where a store has [`crate::APPLICATION_ID`].
        application_id: i32,
    },
    /// A newer etalon has written the store.
    #[error("the store '{}' has format {found}, and this etalon knows formats up to {supported}; use the newer etalon that wrote it, or name another file with --store FILE", path.display())]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its format.
        found: i32,
        /// The newest format that is known here.
        supported: i32,
    },
    /// The store was to be written and cannot be.
    #[error("the store '{}' is read-only; give this user write permission on it and on its directory, or name another file with --store FILE", path.display())]
    ReadOnly {
        /// The file.
        path: PathBuf,
    },
    /// The filesystem of the store has no space left.
    #[error("the filesystem of the store '{}' is full, and the last record is not stored (earlier ones are); free some space, or name a file elsewhere with --store FILE", path.display())]
    DiskFull {
        /// The file.
        path: PathBuf,
    },
    /// There is no experiment with this number.
    #[error("there is no experiment {id} in the store '{}'; `etalon list` shows those that there are", path.display())]
    NoSuchExperiment {
        /// The file.
        path: PathBuf,
        /// The number asked for.
        id: RunId,
    },
    /// An experiment is not as it was when it was read.
    #[error("experiment {id} in the store '{}' has changed meanwhile: another etalon goes on with it, or has done so; wait for its end, and try again", path.display())]
    ChangedMeanwhile {
        /// The file.
        path: PathBuf,
        /// Its number.
        id: RunId,
    },
    /// A stored record is not what was stored.
    #[error("a record of experiment {experiment} in the store '{}' is damaged: {what}; bring the store back from a backup, or go on with the rest, which can still be read", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The experiment's number.
        experiment: RunId,
        /// Which record, and how that shows.
        what: Damage,
    },
    /// A record cannot be turned into what the store keeps.
    #[error("a record cannot be written as JSON: {0}")]
    Encode(#[from] serde_json::Error),
    /// Anything else that SQLite reports, such as an I/O error.
    #[error("the store '{}' failed: {source}; see the kernel's log for errors of the disk beneath it", path.display())]
    Sqlite {
        /// The file.
        path: PathBuf,
        /// SQLite's answer.
        source: rusqlite::Error,
    },
}

/// Who did not open the file of a store.
#[derive(Debug, thiserror::Error)]
pub enum OpenFailure {
    /// The kernel.
    #[error(transparent)]
    Kernel(#[from] io::Error),
    /// SQLite.
    #[error(transparent)]
    Sqlite(#[from] rusqlite::Error),
}

/// How the damage of a whole store shows.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CorruptDetail {
    /// SQLite came across a broken page.
    #[error("SQLite calls its structure malformed")]
    Malformed,
    /// `PRAGMA quick_check` found something.
    #[error("SQLite's check says '{0}'")]
    Check(String),
    /// The tables are not those of its format.
    #[error("a table or column that its format has is missing")]
    Schema,
}

/// How the damage of one record shows.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Damage {
    /// The checksum of a run differs.
    #[error("run {0} does not match its checksum")]
    RunChecksum(RunId),
    /// The checksum of a cell differs.
    #[error("cell {0} does not match its checksum")]
    CellChecksum(i64),
    /// A part of a run cannot be read.
    #[error("the {part} of run {run} cannot be read")]
    RunPart {
        /// The run's number.
        run: RunId,
        /// The column.
        part: &'static str,
    },
    /// The environment of a run is not what was stored.
    #[error("the environment {0} of its runs cannot be read or does not match its checksum")]
    Environment(i64),
    /// A cell's record cannot be read.
    #[error("the record of cell {0} cannot be read")]
    Cell(i64),
    /// A column of the experiment cannot be read.
    #[error("its {0} cannot be read")]
    Header(&'static str),
}

fn by(holder: &Option<Holder>) -> String {
    holder
        .as_ref()
        .map(|holder| format!(" by {holder}, probably another etalon"))
        .unwrap_or_else(|| " by another etalon".to_owned())
}

impl StoreError {
    pub(crate) fn damaged(store: &Path, experiment: RunId, what: Damage) -> StoreError {
        StoreError::Damaged {
            path: store.to_owned(),
            experiment,
            what,
        }
    }

    /// Sorts SQLite's error into what a person can act on.
    pub(crate) fn from_sqlite(
        path: &Path,
        waited: Duration,
        source: rusqlite::Error,
    ) -> StoreError {
        let path = path.to_owned();
        let corrupt = |path, detail| StoreError::Corrupt { path, detail };
        match source.sqlite_error_code() {
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => StoreError::Locked {
                holder: Holder::of(&path),
                path,
                waited,
            },
            Some(ErrorCode::NotADatabase) if !begins_as_database(&path) => {
                StoreError::NotADatabase { path }
            }
            Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt) => {
                corrupt(path, CorruptDetail::Malformed)
            }
            Some(ErrorCode::ReadOnly) => StoreError::ReadOnly { path },
            Some(ErrorCode::DiskFull) => StoreError::DiskFull { path },
            Some(ErrorCode::CannotOpen | ErrorCode::PermissionDenied) => {
                let source = OpenFailure::Sqlite(source);
                StoreError::Unopenable { path, source }
            }
            // A statement that does not compile names what the file should have and has not.
            _ if is_schema_error(&source) => corrupt(path, CorruptDetail::Schema),
            _ => StoreError::Sqlite { path, source },
        }
    }
}

/// Whether the file has the first bytes of every SQLite database (<https://sqlite.org/fileformat.html>).
fn begins_as_database(path: &Path) -> bool {
    let mut head = [0; 16];
    let read = File::open(path).and_then(|mut file| file.read_exact(&mut head));
    read.is_ok() && head == *b"SQLite format 3\0"
}

fn is_schema_error(error: &rusqlite::Error) -> bool {
    matches!(
        error,
        rusqlite::Error::SqlInputError { .. }
            | rusqlite::Error::InvalidColumnType(..)
            | rusqlite::Error::IntegralValueOutOfRange(..)
    ) || error.sqlite_error_code() == Some(ErrorCode::Unknown)
}
