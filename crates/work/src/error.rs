//! Why real work fails.

use std::error::Error;
use std::io;
use std::path::{Path, PathBuf};

use etalon_units::Bytes;

use super::parameter::ParameterError;
use etalon_workload::{RemoveError, RoomError};

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
    #[error("cannot {what} '{}': {}", path.display(), whole(.source))]
    Io {
        /// What was tried, for example `create the file`.
        what: &'static str,
        /// On what.
        path: PathBuf,
        /// The kernel's answer.
        source: io::Error,
    },
    /// A program of a step failed.
    #[error("'{command}' ended with {status}{}", quoted_stderr(.stderr))]
    Exit {
        /// The command line.
        command: String,
        /// How it ended.
        status: String,
        /// The end of what it wrote to its error output.
        stderr: String,
    },
    /// A command line that only a shell understands.
    #[error(
        "'{0}': no shell runs this line, so that ; | & < > $ and ` would be words of a program; --set shell=yes has one run it, quotes keep them as words"
    )]
    NoShell(String),
    /// A program whose start is that of another one.
    #[error(
        "'{}' is a script or the like: it is run by an interpreter, which would stay in memory with all that it reads; name the program that it starts", .0.display()
    )]
    NoBinary(PathBuf),
    /// A program that loads a library from its own place, whatever the copies are.
    #[error(
        "the program takes '{}' from there, and not the copy of it (DT_RPATH), which would stay in memory; start it in place: --set copy=no", .0.display()
    )]
    LibraryElsewhere(PathBuf),
    /// A command line that is no list of words.
    #[error("'{0}' is not a command line: a quote is not closed")]
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
    /// A copy is not what its original is.
    #[error("{what}: '{}' {how}; the storage or a program returned wrong data", path.display())]
    Differs {
        /// What was compared.
        what: &'static str,
        /// The first entry that differs, by its path within.
        path: PathBuf,
        /// How it differs.
        how: &'static str,
    },
    /// The input is not what it was when it was copied.
    #[error(
        "'{}' changed while it was copied, so that the copy cannot be compared with it; give an input that nobody changes meanwhile, or leave the comparison out by --set verify=no", path.display()
    )]
    Changed {
        /// The entry of the input.
        path: PathBuf,
    },
    /// Two steps would be taken for repetitions of each other.
    #[error(
        "two steps of this work are named '{0}', which is a defect of this program; please report it"
    )]
    RepeatedStep(String),
    /// A database or a server failed.
    #[error(transparent)]
    Service(Box<dyn std::error::Error + Send + Sync>),
    /// A server found no more room for what it was to keep.
    #[error("the filesystem of '{}' is full: {said}", place.display())]
    Full {
        /// Where it stood.
        place: PathBuf,
        /// What the server said, and the end of its log.
        said: String,
    },
    /// What is kept free for others would have been used.
    #[error(
        "{free} are free on the filesystem of '{}', of which {kept} are kept for others; free some space, or give the work less to do", place.display()
    )]
    Reserve {
        /// Where it wrote.
        place: PathBuf,
        /// What is free.
        free: Bytes,
        /// What stays free.
        kept: Bytes,
    },
    /// Its directory could not be removed, or not wholly.
    #[error("the directory '{}' is left over: {source}", path.display())]
    NotRemoved {
        /// The directory.
        path: PathBuf,
        /// What stood in the way.
        source: RemoveError,
    },
    /// It failed, and what it made could not be removed.
    #[error("{first}; then: {left}")]
    LeftOver {
        /// Why it failed.
        first: Box<WorkError>,
        /// Why something is left.
        left: Box<WorkError>,
    },
    /// The work was asked to stop.
    #[error("stopped before the end")]
    Stopped,
}

fn quoted_stderr(stderr: &str) -> String {
    if stderr.is_empty() {
        String::new()
    } else {
        format!("; it said: {stderr}")
    }
}

/// An error with the causes that a library keeps behind its own words: "failed to unpack 'a'" says nothing without
/// "Input/output error".
fn whole(error: &io::Error) -> String {
    let causes = std::iter::successors(error.source(), |&cause| cause.source());
    causes.fold(error.to_string(), |said, cause| {
        let cause = cause.to_string();
        if said.contains(&cause) {
            said
        } else {
            format!("{said}: {cause}")
        }
    })
}

/// True for the stop flag's mark, also where a library put its own words around it.
fn is_stop(error: &(dyn Error + Send + Sync + 'static)) -> bool {
    let below = error
        .source()
        .and_then(<dyn Error>::downcast_ref::<io::Error>);
    let below = below.and_then(io::Error::get_ref);
    error.is::<StopMark>() || below.is_some_and(is_stop)
}

impl WorkError {
    /// For `map_err`: a refusal of the kernel about `path`.
    pub fn io(what: &'static str, path: &Path) -> impl FnOnce(io::Error) -> WorkError {
        let path = path.to_owned();
        move |source| match source.get_ref() {
            Some(inner) if is_stop(inner) => WorkError::Stopped,
            _ => WorkError::Io { what, path, source },
        }
    }

    /// True when space, inodes or a quota ran out.
    pub fn is_disk_full(&self) -> bool {
        let full = [io::ErrorKind::StorageFull, io::ErrorKind::QuotaExceeded];
        matches!(self, WorkError::Io { source, .. } if full.contains(&source.kind()))
            || matches!(self, WorkError::Full { .. } | WorkError::Reserve { .. })
            || matches!(self, WorkError::Exit { stderr, .. } if stderr.contains("No space left on device"))
            || matches!(self, WorkError::LeftOver { first, .. } if first.is_disk_full())
    }
}

/// How a work ended, given how its steps did and whether what they made could be removed; the first
/// cause comes first.
pub(super) fn with_cleanup(
    worked: Result<(), WorkError>,
    cleaned: Result<(), WorkError>,
) -> Result<(), WorkError> {
    match (worked, cleaned) {
        (worked, Ok(())) => worked,
        (Ok(()) | Err(WorkError::Stopped), Err(left)) => Err(left),
        (Err(first), Err(left)) => Err(WorkError::LeftOver {
            first: Box::new(first),
            left: Box::new(left),
        }),
    }
}

/// Marks an [`io::Error`] that stands for the stop flag, so that libraries between hand it through.
#[derive(Debug, thiserror::Error)]
#[error("stopped")]
pub(super) struct StopMark;

#[cfg(test)]
mod tests {
    use super::*;

    fn error(what: &'static str, kind: io::ErrorKind) -> WorkError {
        WorkError::io(what, Path::new("/x"))(kind.into())
    }

    #[test]
    fn what_failed_first_is_told_before_what_is_left() {
        let left = || error("remove the directory", io::ErrorKind::ReadOnlyFilesystem);
        let full = error("write", io::ErrorKind::StorageFull);
        let both = with_cleanup(Err(full), Err(left())).unwrap_err();
        assert!(both.is_disk_full());
        let text = both.to_string();
        assert!(text.starts_with("cannot write '/x': "), "{text}");
        assert!(text.contains("; then: cannot remove the directory '/x': "));

        for worked in [Ok(()), Err(WorkError::Stopped)] {
            let only = with_cleanup(worked, Err(left())).unwrap_err();
            assert!(only.to_string().starts_with("cannot remove"), "{only}");
        }
        let stopped = with_cleanup(Err(WorkError::Stopped), Ok(()));
        assert!(matches!(stopped, Err(WorkError::Stopped)));
        assert!(with_cleanup(Ok(()), Ok(())).is_ok());
    }
}
