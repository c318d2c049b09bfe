//! A disk model behind a Unix socket, as a network block device: every request is answered when the
//! model says so, in real time.
//!
//! The protocol is that of <https://github.com/NetworkBlockDevice/nbd/blob/master/doc/proto.md>: fixed
//! newstyle negotiation and simple replies. It is written here, since a library would answer as soon
//! as it has the data, and in the order in which it was asked; a model answers by its own clock.
//!
//! A [`ModelServer`] accepts one client after the other; [`handshake`] agrees with it on the export,
//! a [`RequestHead`] with what follows it is what it asks for, and `answers.rs` keeps the model and its timer.

mod ahead;
mod answers;
mod buffers;
mod content;
mod facts;
mod handshake;
mod medium;
mod nap;
mod requests;
mod server;
mod socket;
mod urgency;
mod wire;

pub use content::{Content, FlushPromise};
pub use facts::ServedFacts;
pub use handshake::{Agreed, handshake};
pub use requests::{NbdRefusal, NbdRequest, RequestHead};
pub use server::{ModelServer, ServeError};
pub use socket::Socket;

use crate::disk::SECTOR_BYTES;

/// The longest read or write: what the protocol promises to clients that do not ask.
pub const LARGEST_REQUEST: u32 = 32 << 20;

/// What a client may know of the disk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Export {
    /// The name that it may ask for; the empty one is as good.
    pub name: String,
    /// Its size, a multiple of 512.
    pub bytes: u64,
    /// Whether it turns.
    pub rotational: bool,
}

impl Export {
    /// Whether a range lies in it, and begins and ends with a sector.
    fn has(&self, offset: u64, length: u64) -> bool {
        let ends_within = offset
            .checked_add(length)
            .is_some_and(|end| end <= self.bytes);
        ends_within && Self::is_whole(offset, length)
    }

    fn is_whole(offset: u64, length: u64) -> bool {
        offset.is_multiple_of(SECTOR_BYTES) && length.is_multiple_of(SECTOR_BYTES) && length > 0
    }
}

/// Why a conversation ended before its client took leave.
#[derive(Debug, thiserror::Error)]
pub enum ProtocolError {
    /// The stream broke off, or was closed at a place where it may not be.
    #[error("the client broke off: {0}")]
    Io(#[from] std::io::Error),
    /// It does not speak this protocol.
    #[error(
        "{what} is {found:#x} and not {expected:#x}; this is no client of NBD newstyle negotiation"
    )]
    Magic {
        /// Of which message.
        what: &'static str,
        /// What came.
        found: u64,
        /// What must come.
        expected: u64,
    },
    /// Too much of something.
    #[error("{what} of {found} is more than {limit}; the connection is closed")]
    TooLong {
        /// Of what.
        what: &'static str,
        /// What came.
        found: u64,
        /// The most that is taken.
        limit: u64,
    },
    /// It asked for an export that is not there, by an option to which there is no other answer.
    #[error("there is no export '{0}'; ask for the default one")]
    NoExport(String),
}
