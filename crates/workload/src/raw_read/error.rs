//! Why a device was not measured.

use std::path::{Path, PathBuf};

use etalon_units::Bytes;
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
    #[error("{}: read(2097152) returned {bytes} bytes", device.display())]
    Ends {
        /// The device.
        device: PathBuf,
        /// What came of the block.
        bytes: usize,
    },
    /// A read failed.
    #[error("{}: read() failed: {}", device.display(), text(*source))]
    Read {
        /// The device.
        device: PathBuf,
        /// Why.
        source: Errno,
    },
    /// There are no 4 MiB of memory for the buffer.
    #[error("no memory for a buffer of 2 MiB")]
    OutOfMemory,
}

impl RawReadError {
    pub(super) fn read(device: &Path, failure: ReadFailure) -> RawReadError {
        let device = device.to_owned();
        match failure {
            ReadFailure::Ends(bytes) => RawReadError::Ends { device, bytes },
            ReadFailure::Failed(source) => RawReadError::Read { device, source },
        }
    }
}
