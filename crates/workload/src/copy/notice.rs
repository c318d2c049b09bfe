//! What a copy has to say while it goes on, in the words of GNU dd.

use std::ffi::OsString;
use std::fmt;
use std::io;

use rustix::io::Errno;

use super::human;
use etalon_units::{quoted, quoted_name};

/// Which of the two files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// The input.
    Input,
    /// The output.
    Output,
}

/// One message; its text is what follows `dd: `.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Notice {
    /// A file could not be opened.
    OpenFailed(OsString, Errno),
    /// There is no memory for a buffer of so many bytes.
    OutOfMemory(Side, usize),
    /// A read failed.
    ReadFailed(OsString, Errno),
    /// A read came short where that may change how much is copied.
    PartialRead(usize),
    /// A write failed; `gathered` is true for a block of the output buffer.
    WriteFailed {
        /// The output.
        name: OsString,
        /// Why.
        errno: Errno,
        /// Whether the block was gathered from several reads.
        gathered: bool,
    },
    /// The input ends before the place to skip to.
    SkipBeyondEnd(OsString),
    /// The input cannot be positioned.
    SkipFailed(OsString, Errno),
    /// A file cannot be positioned.
    SeekFailed(OsString, Errno),
    /// `seek=` names a place no file can have.
    SeekTooLarge {
        /// Blocks of `seek=`.
        blocks: u64,
        /// Output block size in bytes.
        block: usize,
    },
    /// The output could not be cut or grown to so many bytes.
    TruncateFailed(OsString, u64, Errno),
    /// `O_DIRECT` could not be turned off for a block that is no whole block.
    DirectStaysOn(OsString, Errno),
    /// `fdatasync` or `fsync` failed.
    SyncFailed(SyncCall, OsString, Errno),
    /// close(2) of the output failed.
    CloseFailed(OsString, Errno),
}

/// A call that makes data durable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SyncCall {
    /// fdatasync(2)
    Fdatasync,
    /// fsync(2)
    Fsync,
}

impl Notice {
    /// Whether the copy counts as failed; the others are warnings.
    pub fn is_failure(&self) -> bool {
        !matches!(
            self,
            Notice::PartialRead(_) | Notice::SkipBeyondEnd(_) | Notice::DirectStaysOn(..)
        )
    }
}

impl fmt::Display for Notice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Notice::OpenFailed(name, errno) => {
                write!(f, "failed to open {}: {}", quoted(name), text(*errno))
            }
            Notice::OutOfMemory(side, bytes) => {
                let side = match side {
                    Side::Input => "input",
                    Side::Output => "output",
                };
                let size = human::binary(*bytes as u64);
                write!(
                    f,
                    "memory exhausted by {side} buffer of size {bytes} bytes ({size})"
                )
            }
            Notice::ReadFailed(name, errno) => {
                write!(f, "error reading {}: {}", quoted(name), text(*errno))
            }
            Notice::PartialRead(bytes) => {
                write!(
                    f,
                    "warning: partial read ({bytes} byte{}); suggest iflag=fullblock",
                    if *bytes == 1 { "" } else { "s" }
                )
            }
            Notice::WriteFailed {
                name,
                errno,
                gathered,
            } => {
                let doing = if *gathered {
                    "writing to"
                } else {
                    "error writing"
                };
                write!(f, "{doing} {}: {}", quoted(name), text(*errno))
            }
            Notice::SkipBeyondEnd(name) => {
                write!(f, "{}: cannot skip to specified offset", quoted_name(name))
            }
            Notice::SkipFailed(name, errno) => {
                write!(f, "{}: cannot skip: {}", quoted_name(name), text(*errno))
            }
            Notice::SeekFailed(name, errno) => {
                write!(f, "{}: cannot seek: {}", quoted_name(name), text(*errno))
            }
            Notice::SeekTooLarge { blocks, block } => write!(
                f,
                "offset too large: cannot truncate to a length of seek={blocks} ({block}-byte) blocks"
            ),
            Notice::TruncateFailed(name, bytes, errno) => write!(
                f,
                "failed to truncate to {bytes} bytes in output file {}: {}",
                quoted(name),
                text(*errno)
            ),
            Notice::DirectStaysOn(name, errno) => write!(
                f,
                "failed to turn off O_DIRECT: {}: {}",
                quoted(name),
                text(*errno)
            ),
            Notice::SyncFailed(call, name, errno) => {
                let call = match call {
                    SyncCall::Fdatasync => "fdatasync",
                    SyncCall::Fsync => "fsync",
                };
                write!(f, "{call} failed for {}: {}", quoted(name), text(*errno))
            }
            Notice::CloseFailed(name, errno) => {
                write!(f, "closing output file {}: {}", quoted(name), text(*errno))
            }
        }
    }
}

/// The C library's words for an error, without the number that Rust adds.
pub(crate) fn text(errno: Errno) -> String {
    let full = io::Error::from(errno).to_string();
    match full.rsplit_once(" (os error ") {
        Some((words, _)) => words.to_owned(),
        None => full,
    }
}
