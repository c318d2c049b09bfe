//! What a disk is asked for, and how it ends.

/// What is to be done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RequestKind {
    /// Read.
    Read,
    /// Write; one with `fua` is on the medium before it is answered.
    Write {
        /// Force unit access.
        fua: bool,
    },
    /// Everything that was answered before is on the medium afterwards.
    Flush,
    /// The content is not needed any more (TRIM, UNMAP, discard).
    Trim,
}

impl RequestKind {
    /// A write that may stay in the cache.
    pub const WRITE: RequestKind = RequestKind::Write { fua: false };
}

/// One request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Request {
    /// Given back with the completion.
    pub id: u64,
    /// What is to be done.
    pub kind: RequestKind,
    /// First byte, a multiple of 512.
    pub offset_bytes: u64,
    /// Length, a multiple of 512; of no meaning for a flush.
    pub length_bytes: u64,
}

impl Request {
    /// The byte after the last.
    #[must_use]
    pub fn end_bytes(&self) -> u64 {
        self.offset_bytes.saturating_add(self.length_bytes)
    }
}

/// A request that has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Completion {
    /// The id of the request.
    pub id: u64,
    /// When it ended.
    pub at_ns: u64,
    /// Why it failed, if it did.
    pub failed: Option<DiskError>,
}

/// Why a request failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum DiskError {
    /// A sector cannot be read; writing it again mends it.
    #[error("the sector at byte {0} cannot be read (a latent error); writing it again mends it")]
    Unreadable(u64),
    /// The disk answers nothing any more.
    #[error("the disk has died; replace it")]
    Dead,
    /// Beyond the end.
    #[error("byte {0} is beyond the end of the disk; ask within its size")]
    BeyondEnd(u64),
}
