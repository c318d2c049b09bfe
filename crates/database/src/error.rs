//! Why a database gave no answer.

use etalon_factor::Server;
use etalon_service::Home;
use etalon_work::WorkError;
use etalon_workload::room::RoomError;

/// Why a database gave no answer.
#[derive(Debug, thiserror::Error)]
pub enum DatabaseError {
    /// SQLite refused a statement or failed.
    #[error("SQLite: {0}")]
    Sqlite(#[from] rusqlite::Error),
    /// PostgreSQL refused a statement, or the connection to it.
    #[error("PostgreSQL: {0}")]
    Postgres(#[from] crate::postgresql::PostgresqlError),
    /// MariaDB refused a statement, or the connection to it.
    #[error("MariaDB: {0}")]
    Mariadb(#[from] crate::mariadb::WireError),
    /// The connection is gone.
    #[error("the connection to {engine} is gone; measure again")]
    Gone {
        /// The engine.
        engine: &'static str,
    },
    /// The private server could not be started or ended by itself.
    #[error(transparent)]
    Service(#[from] etalon_service::ServiceError),
    /// Somebody has what would be made on a server that stands.
    #[error(
        "the server has a schema '{name}' already, which nothing is done to; where an earlier run that was killed left it, 'etalon restore' drops it, or this does: {drop}"
    )]
    Exists {
        /// Its name.
        name: &'static str,
        /// The statement that drops it.
        drop: &'static str,
    },
    /// A server that stands cannot be reached, or lets nobody in.
    #[error("'{url}': {why}; {advice}")]
    Standing {
        /// The server, as it was named.
        url: String,
        /// What it or the kernel said.
        why: String,
        /// What to do.
        advice: &'static str,
    },
    /// A program that drives a server ended well and said what nobody can read.
    #[error("{program} said nothing of its transactions that can be read; its last lines: {said}")]
    Unread {
        /// The program.
        program: &'static str,
        /// The end of what it printed.
        said: String,
    },
    /// The rows do not fit where they are to stand.
    #[error("{rows} rows: {source}; {}", fewer(*.fitting))]
    Room {
        /// Rows that were asked for.
        rows: u64,
        /// Rows that fit beside those that are inserted later.
        fitting: u64,
        /// What is missing.
        source: RoomError,
    },
    /// More rows than the table has keys for.
    #[error(
        "{rows} rows: the table has keys for {keys}; take fewer, by --set rows=N without --set scale"
    )]
    Keys {
        /// Rows that were asked for, with those that are inserted later.
        rows: u64,
        /// Rows that have keys.
        keys: u64,
    },
    /// A statement was answered without having been carried out.
    #[error("{engine} did not carry out '{statement}': {why}; {advice}")]
    NotDone {
        /// The engine.
        engine: &'static str,
        /// What it was asked for.
        statement: String,
        /// What it said.
        why: String,
        /// What to do.
        advice: &'static str,
    },
    /// Something else is missing where the engine is to stand.
    #[error(transparent)]
    NoRoom(RoomError),
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

/// What to ask for where the rows do not fit.
fn fewer(fitting: u64) -> String {
    match fitting {
        1000.. => format!("{fitting} rows fit (--set rows={fitting})"),
        _ => "not even 1000 rows fit".to_owned(),
    }
}

impl DatabaseError {
    /// Whether the connection is gone.
    pub(crate) fn is_closed(&self) -> bool {
        match self {
            DatabaseError::Postgres(error) => error.is_closed(),
            DatabaseError::Mariadb(error) => {
                matches!(error, crate::mariadb::WireError::Io(_))
            }
            DatabaseError::Gone { .. } => true,
            _ => false,
        }
    }
}

/// An error of the connection is told by what the server said, where it has ended.
pub(crate) fn explained(
    home: &Home,
    server: Option<&mut Server>,
    error: DatabaseError,
) -> DatabaseError {
    let server = server.filter(|_| error.is_closed());
    let death = server.and_then(|server| home.death_of(server));
    death.map_or(error, Into::into)
}

impl From<DatabaseError> for WorkError {
    fn from(error: DatabaseError) -> WorkError {
        WorkError::Service(Box::new(error))
    }
}
