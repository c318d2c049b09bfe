//! What keeps an operation from starting.

use std::path::PathBuf;

use etalon_units::Bytes;

/// Why an operation did not start, or its file could not be made or removed.
///
/// What fails inside the clock is no error but the end of a [`Pass`](super::Pass).
#[derive(Debug, thiserror::Error)]
pub enum FileOpError {
    /// A record size out of range.
    #[error("a record of {record} is outside the range of 1 B to {most}; give -r another size")]
    RecordSize {
        /// The size asked for.
        record: Bytes,
        /// The largest.
        most: Bytes,
    },
    /// Not one record fits into the file.
    #[error(
        "a record of {record} does not fit into a file of {size}; make the file larger (-s, or -g with -a) or the record smaller (-r, or -y with -a)"
    )]
    RecordBeyondFile {
        /// The record size.
        record: Bytes,
        /// The file size.
        size: Bytes,
    },
    /// The kernel gives no ring.
    #[error("no queue of requests (io_uring) for {}: {source}; leave -H and -k out, or let the kernel have it (sysctl kernel.io_uring_disabled, a container's filter)", path.display())]
    NoQueue {
        /// The file.
        path: PathBuf,
        /// The kernel's answer.
        source: std::io::Error,
    },
    /// A queue that would take too much memory.
    #[error(
        "{depth} records of {record} under way at once take more than {most} of memory; use a smaller depth (-H, -k) or smaller records (-r)"
    )]
    QueueMemory {
        /// Records under way.
        depth: usize,
        /// The record size.
        record: Bytes,
        /// The most memory.
        most: Bytes,
    },
    /// The default file name belongs to somebody else's file.
    #[error("{0} exists and bears no stamp of this program; it is left alone. Type --overwrite {0} to have it overwritten and removed, name another file with -f, or move it away", path.display())]
    NotOurs {
        /// The file.
        path: PathBuf,
    },
    /// Something other than a regular file.
    #[error("{} is not a regular file; nothing was written. Name a file with -f", path.display())]
    NotAFile {
        /// The path.
        path: PathBuf,
    },
    /// Something relies on what the file holds.
    #[error(transparent)]
    Refused(#[from] etalon_factor::guard::Refusal),
    /// Somebody has exchanged the file.
    #[error("{} is not the file that was made or found there; it is left alone. Run where nobody else can write", path.display())]
    Replaced {
        /// The file.
        path: PathBuf,
    },
    /// The file is left over.
    #[error("{} is left over: {source}", path.display())]
    NotRemoved {
        /// The file.
        path: PathBuf,
        /// What stood in the way.
        source: etalon_factor::RemoveError,
    },
    /// What would be made cannot be written down, so it is not made.
    #[error("{0}")]
    NoJournal(String),
    /// Another error, in whose text the directory bears its path.
    #[error("{text}")]
    Shown {
        /// The text.
        text: String,
        /// The error.
        cause: Box<FileOpError>,
    },
    /// A read test without a file to read.
    #[error("{} cannot be read because it does not exist; write it first with -i 0", path.display())]
    Missing {
        /// The file.
        path: PathBuf,
    },
    /// The file to read is shorter than it should be.
    #[error("{} has {found}, and {needed} are to be read; write it first with -i 0 and the same -s", path.display())]
    TooShort {
        /// The file.
        path: PathBuf,
        /// Its size.
        found: Bytes,
        /// The size needed.
        needed: Bytes,
    },
    /// The filesystem would be filled to the brim.
    #[error("{needed} are to be written in {}, where {available} are free and {reserve} (a tenth of the filesystem) stay so; use a smaller -s or -g, another place, or --fill", path.display())]
    NoRoom {
        /// The directory.
        path: PathBuf,
        /// What would be written.
        needed: Bytes,
        /// What is free.
        available: Bytes,
        /// What is to stay free.
        reserve: Bytes,
    },
    /// The mount point cannot be remounted.
    #[error("{} cannot be unmounted and mounted again: {reason}", path.display())]
    Remount {
        /// The mount point.
        path: PathBuf,
        /// Why, and what to do.
        reason: Box<RemountRefusal>,
    },
    /// A system call failed outside the clock.
    #[error("cannot {action} {}: {source}", path.display())]
    Io {
        /// What was tried, for example `open`.
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// The kernel's answer.
        source: std::io::Error,
    },
    /// A worker could not be started or ended too early.
    #[error("worker {index} of {workers} {what}")]
    Worker {
        /// Its number, from 0.
        index: usize,
        /// How many there were to be.
        workers: usize,
        /// What happened.
        what: WorkerTrouble,
    },
    /// Not as many files as workers.
    #[error("{files} file names for {workers} workers; name one file for each with -F")]
    FileCount {
        /// Names given.
        files: usize,
        /// Workers asked for.
        workers: usize,
    },
}

/// Why a mount point stays as it is.
#[derive(Debug, thiserror::Error)]
pub enum RemountRefusal {
    /// Only root may.
    #[error("that needs root; run as root, or leave -U out and use -I")]
    NotRoot,
    /// The root of the system.
    #[error("it is the root of the system; use a filesystem of its own")]
    RootOfSystem,
    /// The file under test lies elsewhere.
    #[error("{} does not lie on it; give -f a name below the mount point", file.display())]
    FileElsewhere {
        /// The file.
        file: PathBuf,
    },
    /// What is mounted there would not come back as it is.
    #[error(transparent)]
    Unfit(#[from] etalon_factor::UnfitMount),
    /// `umount` or `mount` said no.
    #[error(transparent)]
    Cycle(#[from] etalon_factor::MountCycleError),
}

/// What became of a worker.
#[derive(Debug, thiserror::Error)]
pub enum WorkerTrouble {
    /// The kernel gave no thread or process.
    #[error("could not be started: {0}")]
    NotStarted(std::io::Error),
    /// It ended without a result.
    #[error("ended without a result")]
    Vanished,
    /// The user stopped it before it was ready.
    #[error("was stopped before it was ready")]
    Stopped,
    /// It said why it could not work.
    #[error("could not begin: {0}")]
    Refused(String),
}

impl FileOpError {
    /// Whether going on would have destroyed something.
    pub fn is_dangerous(&self) -> bool {
        match self {
            FileOpError::NotOurs { .. }
            | FileOpError::NotAFile { .. }
            | FileOpError::Refused(_)
            | FileOpError::Replaced { .. }
            | FileOpError::Remount { .. } => true,
            FileOpError::Shown { cause, .. } => cause.is_dangerous(),
            _ => false,
        }
    }

    /// Whether it is no failure but the user's stop.
    pub fn is_stop(&self) -> bool {
        match self {
            FileOpError::Worker { what, .. } => matches!(what, WorkerTrouble::Stopped),
            FileOpError::Shown { cause, .. } => cause.is_stop(),
            _ => false,
        }
    }

    /// The same error with paths that people know.
    pub fn shown(self) -> FileOpError {
        let text = self.to_string();
        let shown = etalon_factor::shown(&text);
        if shown == text {
            return self;
        }
        FileOpError::Shown {
            text: shown,
            cause: Box::new(self),
        }
    }
}
