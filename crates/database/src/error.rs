//! Why a database gave no answer.

use std::path::PathBuf;

use etalon_work::WorkError;

/// Why a database gave no answer.
#[derive(Debug, thiserror::Error)]
pub enum DatabaseError {
    /// SQLite refused a statement or failed.
    #[error("SQLite: {0}")]
    Sqlite(#[from] rusqlite::Error),
    /// PostgreSQL refused a statement, or the connection to it.
    #[error("PostgreSQL: {}", of_postgres(.0))]
    Postgres(#[from] postgres::Error),
    /// MariaDB refused a statement, or the connection to it.
    #[error("MariaDB: {0}")]
    Mariadb(#[from] crate::mariadb::WireError),
    /// The connection is gone.
    #[error("the connection to {engine} is gone; measure again")]
    Gone {
        /// The engine.
        engine: &'static str,
    },
    /// A program of the engine ended when it should not have.
    #[error("{engine} ended with {status}; the last lines of its log: {said}")]
    Ended {
        /// The engine.
        engine: &'static str,
        /// How it ended.
        status: String,
        /// The end of its log.
        said: String,
    },
    /// The user as whom the server runs cannot reach the target.
    #[error(
        "{engine} runs as the user nobody here, who may not pass '{}'; let others pass it (chmod o+x), name another directory, or run etalon as an ordinary user",
        place.display()
    )]
    Barred {
        /// The engine.
        engine: &'static str,
        /// The directory that bars the way.
        place: PathBuf,
    },
    /// The change cannot be written down, so it is not made.
    #[error(transparent)]
    Journal(etalon_factor::JournalError),
    /// A program of the engine cannot be started.
    #[error(transparent)]
    Start(etalon_factor::ServerError),
    /// A setting was made and the engine shows another value.
    #[error("{engine} was told {name}={wanted} and says {name}={found}: {advice}")]
    Setting {
        /// The engine.
        engine: &'static str,
        /// The setting.
        name: &'static str,
        /// What it was told.
        wanted: String,
        /// What it says.
        found: String,
        /// What to do.
        advice: &'static str,
    },
}

/// What the server said, which the crate keeps apart from what failed.
fn of_postgres(error: &postgres::Error) -> String {
    match error.as_db_error() {
        Some(told) => told.to_string(),
        None => error.to_string(),
    }
}

impl DatabaseError {
    /// Whether the connection is gone.
    pub(crate) fn is_closed(&self) -> bool {
        match self {
            DatabaseError::Postgres(error) => {
                let shutdown = error
                    .code()
                    .is_some_and(|code| code.code().starts_with("57P"));
                error.is_closed() || shutdown || error.as_db_error().is_none()
            }
            DatabaseError::Mariadb(error) => {
                matches!(error, crate::mariadb::WireError::Io(_))
            }
            DatabaseError::Gone { .. } => true,
            _ => false,
        }
    }
}

impl From<DatabaseError> for WorkError {
    fn from(error: DatabaseError) -> WorkError {
        let full = matches!(&error, DatabaseError::Sqlite(e)
            if e.sqlite_error_code() == Some(rusqlite::ErrorCode::DiskFull))
            || matches!(&error, DatabaseError::Postgres(e)
            if e.code() == Some(&postgres::error::SqlState::DISK_FULL));
        if full {
            let source = std::io::ErrorKind::StorageFull.into();
            return WorkError::io("write", std::path::Path::new("the database"))(source);
        }
        WorkError::Service(Box::new(error))
    }
}
