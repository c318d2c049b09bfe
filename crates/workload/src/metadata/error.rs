//! Why a metadata run is refused or has no result.

use std::io;
use std::path::PathBuf;

use etalon_units::Bytes;

use super::operation::MetadataOperation;
use crate::RemoveError;
use crate::room::RoomError;

/// A figure of a [`MetadataWorkload`](super::MetadataWorkload) that is out of range.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SettingsError {
    /// There is nothing to do.
    #[error("no operation is named; name some of {names}", names = MetadataOperation::names())]
    NoOperation,
    /// Too few or too many threads.
    #[error("{0} jobs are outside of 1 to 1024")]
    Jobs(u32),
    /// Not a file for each thread.
    #[error(
        "the number of files is {files}, and {jobs} jobs need one each at least; give more files or fewer jobs"
    )]
    TooFewFiles {
        /// Files in all.
        files: u64,
        /// Threads.
        jobs: u32,
    },
    /// More names than can be numbered.
    #[error("{0} files or directories are more than can be numbered; 2^32 is the most, give fewer")]
    TooManyNames(u64),
    /// Threads that cannot have equal shares.
    #[error(
        "{directories} directories cannot be divided among {jobs} jobs; give a multiple of {jobs}"
    )]
    Uneven {
        /// Directories in all.
        directories: u64,
        /// Threads.
        jobs: u32,
    },
    /// Not one of the operations that can be done alone.
    #[error(
        "'{0}' is not measured alone, because it is about what stands in files or directories; use `etalon metadata --operations {0}`"
    )]
    NotAlone(MetadataOperation),
    /// More than can be numbered.
    #[error(
        "depth {depth}, breadth {breadth}, {files} files per directory and {jobs} jobs make {entries} directories and files, and 2^32 is the most that is accepted; lower the depth first"
    )]
    TooMany {
        /// Levels.
        depth: u32,
        /// Directories per directory.
        breadth: u32,
        /// Files per directory.
        files: u32,
        /// Threads.
        jobs: u32,
        /// The total, or `more than 2^128`.
        entries: String,
    },
    /// Paths would be longer than the kernel takes.
    #[error(
        "a depth of {0} makes paths longer than the kernel takes (PATH_MAX, 4096 bytes); 300 is the deepest"
    )]
    TooDeep(u32),
    /// A write of no bytes or of very many.
    #[error("a block size of {0} is outside of 1 B to 64 MiB")]
    BlockSize(Bytes),
    /// More bytes than an offset counts.
    #[error(
        "{files} files of {file_size} are more bytes than can be counted (2^63); lower the file size"
    )]
    TooLarge {
        /// Files in all.
        files: u64,
        /// Size of each.
        file_size: Bytes,
    },
}

/// Why a metadata run has no result at all.
#[derive(Debug, thiserror::Error)]
pub enum MetadataError {
    /// A figure is out of range.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// It does not fit.
    #[error(transparent)]
    Room(#[from] RoomError),
    /// The directory of the run could not be made.
    #[error("cannot {what} '{}': {source}", path.display())]
    Place {
        /// What was tried.
        what: &'static str,
        /// On what.
        path: PathBuf,
        /// The kernel's answer.
        source: io::Error,
    },
    /// The directory of the run could not be removed, or not wholly.
    #[error("the directory '{}' is left over: {source}", path.display())]
    NotRemoved {
        /// The directory.
        path: PathBuf,
        /// What stood in the way.
        source: RemoveError,
    },
    /// A thread ended by a defect.
    #[error("a job of the metadata run ended by a defect of this program; please report it")]
    Defect,
}
