//! Why a device was not measured.

use std::fmt;
use std::path::{Path, PathBuf};

use etalon_units::{Bytes, Nanos};
use rustix::io::Errno;

use super::ReadFailure;
use crate::copy::notice::text;

/// Why a device was not measured; nothing was written in any case.
#[derive(Debug, thiserror::Error)]
pub enum RawReadError {
    /// It could not be opened or its length found out.
    #[error("{}: {}", device.display(), text(*source))]
    Open {
        /// The device.
        device: PathBuf,
        /// Why.
        source: Errno,
    },
    /// It has less than one block from the offset on.
    #[error(
        "{}: device too small: {length} long, and one read from offset {offset} takes 2 MiB",
        device.display()
    )]
    TooSmall {
        /// The device.
        device: PathBuf,
        /// Its length.
        length: Bytes,
        /// Where reading was to start.
        offset: Bytes,
    },
    /// It ended in the middle of a block that it has.
    #[error("{}: the device ends at byte {at}, before its length says; {before}", device.display())]
    Ends {
        /// The device.
        device: PathBuf,
        /// Where it ended.
        at: u64,
        /// What had been read.
        before: PartRead,
    },
    /// A read failed.
    #[error("{}: read() failed at byte {at}: {}; {before}", device.display(), text(*source))]
    Read {
        /// The device.
        device: PathBuf,
        /// The first byte that could not be read.
        at: u64,
        /// Why.
        source: Errno,
        /// What had been read.
        before: PartRead,
    },
    /// There are no 4 MiB of memory for the buffer.
    #[error("no memory for a buffer of 2 MiB")]
    OutOfMemory,
}

/// What a reading had before an error ended it: no rate of the device.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PartRead {
    /// Bytes of whole blocks.
    pub bytes: Bytes,
    /// How long they took, with the read that failed.
    pub elapsed: Nanos,
}

impl fmt::Display for PartRead {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "no rate: only {} in {} before it",
            self.bytes, self.elapsed
        )
    }
}

impl RawReadError {
    pub(super) fn read(device: &Path, failure: ReadFailure, before: PartRead) -> RawReadError {
        let device = device.to_owned();
        match failure {
            ReadFailure::Ends(at) => RawReadError::Ends { device, at, before },
            ReadFailure::Failed(at, source) => RawReadError::Read {
                device,
                at,
                source,
                before,
            },
        }
    }
}
