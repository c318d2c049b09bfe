//! Why a private server gave no answer.

use std::path::PathBuf;

use etalon_work::WorkError;

/// Why a private server gave no answer.
#[derive(Debug, thiserror::Error)]
pub enum ServiceError {
    /// A program of the server ended when it should not have.
    #[error("{engine} ended with {status}; {}", last_lines(said))]
    Ended {
        /// The server.
        engine: &'static str,
        /// How it ended.
        status: String,
        /// The end of its log.
        said: String,
    },
    /// The server did not write back what it held before it ended, which the next step depends on.
    #[error(
        "{engine} was to shut down in order before a cold step and ended with {status}, so that its caches need not be cold; measure again; {}",
        last_lines(said)
    )]
    NotInOrder {
        /// The server.
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
        /// The server.
        engine: &'static str,
        /// The directory that bars the way.
        place: PathBuf,
    },
    /// The change cannot be written down, so it is not made.
    #[error(transparent)]
    Journal(#[from] etalon_factor::JournalError),
    /// A program of the server cannot be started.
    #[error(transparent)]
    Start(#[from] etalon_factor::ServerError),
}

fn last_lines(said: &str) -> String {
    match said.trim() {
        "" => "its log is empty".to_owned(),
        said => format!("the last lines of its log: {said}"),
    }
}

impl From<ServiceError> for WorkError {
    fn from(error: ServiceError) -> WorkError {
        WorkError::Service(Box::new(error))
    }
}
