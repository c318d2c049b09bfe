//! How much one client, and all of them together, may ask for.

use std::time::Duration;

/// Bytes of a request's line and headers, beyond which it is refused with 431.
pub(crate) const MOST_HEADER_BYTES: usize = 16 << 10;
/// Headers of a request.
pub(crate) const MOST_HEADERS: usize = 64;
/// Bytes of a request's path and query, beyond which it is refused with 414.
pub(crate) const MOST_URI_BYTES: usize = 2 << 10;
/// Experiments on one page of the list.
pub(crate) const MOST_LISTED: usize = 1000;
/// Experiments side by side: more conditions than these cannot be told apart in a picture.
pub(crate) const MOST_COMPARED: usize = etalon_picture::SERIES;

/// What a server puts up with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Connections at once; further ones are closed unanswered.
    pub connections: usize,
    /// Streams of events at once, each of which lasts; further ones are refused with 503.
    pub streams: usize,
    /// Pages made or waited for at once; further ones are refused with 503.
    pub pages: usize,
    /// Requests of one address at once, after a pause; further ones are refused with 429.
    pub burst: u32,
    /// Requests that one address may add per second.
    pub per_second: u32,
    /// Time for a TLS handshake, and again for the headers of a request.
    pub header: Duration,
    /// Time from the first byte to the end of an answer, so that who reads slowly is cut off.
    pub page: Duration,
    /// Time of a stream of events; browsers ask again by themselves.
    pub stream: Duration,
    /// Between two events.
    pub every: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            connections: 64,
            streams: 8,
            pages: 16,
            burst: 100,
            per_second: 20,
            header: Duration::from_secs(10),
            page: Duration::from_secs(30),
            stream: Duration::from_secs(3600),
            every: Duration::from_secs(1),
        }
    }
}
