//! How long and how much a client takes from a server, which may be slow, endless or hostile.

use std::time::Duration;

/// What a client puts up with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ClientLimits {
    /// Until a connection stands, TLS and all.
    pub(crate) connect: Duration,
    /// Until an answer is there, body and all.
    pub(crate) answer: Duration,
    /// The longest body, in bytes.
    pub(crate) body: usize,
    /// How often one page may send on to another.
    pub(crate) moves: u32,
}

impl Default for ClientLimits {
    /// More than a person waits for, more than any page or image has, and as many moves as browsers follow at least
    /// (RFC 2068, section 10.3, named five).
    fn default() -> ClientLimits {
        ClientLimits {
            connect: Duration::from_secs(10),
            answer: Duration::from_secs(30),
            body: 256 << 20,
            moves: 5,
        }
    }
}
