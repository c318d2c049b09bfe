//! Why real work fails.

use std::io;
use std::path::{Path, PathBuf};

use super::parameter::ParameterError;
use crate::room::RoomError;

/// Why a real work has no result, or not all of it.
#[derive(Debug, thiserror::Error)]
pub enum WorkError {
    /// A parameter is wrong; nothing was touched.
    #[error(transparent)]
    Parameter(#[from] ParameterError),
    /// What the work needs does not fit.
    #[error(transparent)]
    Room(#[from] RoomError),
    /// A program that the work needs is not installed.
    #[error(
        "this work needs the program '{program}', which is not on the PATH; install it ({package} on Debian)"
    )]
    MissingProgram {
        /// Its name.
        program: String,
        /// The Debian package that has it.
        package: &'static str,
    },
    /// The kernel refused something.
    #[error("cannot {what} '{}': {source}", path.display())]
    Io {
        /// What was tried, for example `create the file`.
        what: &'static str,
        /// On what.
        path: PathBuf,
        /// The kernel's answer.
        source: io::Error,
    },
    /// A program of a step failed.
    #[error("'{command}' ended with {status}{}", told(.stderr))]
    Exit {
        /// The command line.
        command: String,
        /// How it ended.
        status: String,
        /// The end of what it wrote to its error output.
        stderr: String,
    },
    /// A command line that is no list of words.
    #[error("'{0}' is no command line: a quote is not closed")]
    Quoting(String),
    /// The outcome of a step is not what it must be.
    #[error(
        "{what}: {expected} was expected and {found} was found; the storage or a program returned wrong data"
    )]
    Mismatch {
        /// What was compared.
        what: &'static str,
        /// What it must be.
        expected: String,
        /// What it is.
        found: String,
    },
    /// The work was asked to stop.
    #[error("stopped before the end")]
    Stopped,
}

fn told(stderr: &str) -> String {
    if stderr.is_empty() {
        String::new()
    } else {
        format!("; it said: {stderr}")
    }
}

impl WorkError {
    /// For `map_err`: a refusal of the kernel about `path`.
    pub(super) fn io(what: &'static str, path: &Path) -> impl FnOnce(io::Error) -> WorkError {
        let path = path.to_owned();
        move |source| match source.get_ref() {
            Some(inner) if inner.is::<StopMark>() => WorkError::Stopped,
            _ => WorkError::Io { what, path, source },
        }
    }

    /// True when space, inodes or a quota ran out.
    pub fn is_disk_full(&self) -> bool {
        let full = [io::ErrorKind::StorageFull, io::ErrorKind::QuotaExceeded];
        matches!(self, WorkError::Io { source, .. } if full.contains(&source.kind()))
            || matches!(self, WorkError::Exit { stderr, .. } if stderr.contains("No space left on device"))
    }
}

/// Marks an [`io::Error`] that stands for the stop flag, so that libraries between hand it through.
#[derive(Debug, thiserror::Error)]
#[error("stopped")]
pub(super) struct StopMark;
