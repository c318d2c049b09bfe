//! How requests reach the target: one file per backend.

mod buffers;
mod discard;
mod fake;
mod mapping;
mod mmap;
mod null;
mod one_at_a_time;
mod pages;
mod queue;
mod ring;
mod sigbus;
mod stdio;
mod stream;
mod sync;
mod zones;

use std::fs::File;
use std::ops::Range;

use rustix::io::Errno;

use crate::recorder::OpKind;

pub use buffers::Buffers;
pub(crate) use fake::FakeBackend;
pub use mapping::Mapping;
pub(crate) use mmap::MappedFile;
pub(crate) use null::NullBackend;
pub(crate) use one_at_a_time::OneAtATime;
pub use queue::Queue;
pub(crate) use ring::{RingBackend, RingOptions, probe_ring};
pub(crate) use stdio::StdioStream;
pub use stream::Stream;
pub(crate) use sync::SyncFile;
pub(crate) use zones::{ZonedPart, Zones};

/// One operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Request {
    pub(crate) kind: OpKind,
    /// Byte offset within the file.
    pub(crate) offset: u64,
    /// Bytes to move; below 2 GiB, as the plan's check has seen to.
    pub(crate) length: u32,
    /// Bytes of the slot's buffer that an earlier, short answer has already moved.
    pub(crate) done: u32,
}

impl Request {
    /// The part of the slot's buffer that is still to be moved.
    #[inline]
    pub(crate) fn range(self) -> Range<usize> {
        self.done as usize..self.done as usize + self.length as usize
    }
}

/// The end of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Completion {
    /// The slot it was pushed with.
    pub(crate) slot: usize,
    /// As the kernel answers: the bytes moved, or less than 0 the number of the error. One word
    /// stays in a register where a `Result` goes through memory in pieces, which stalls the loop.
    answer: i64,
}

impl Completion {
    #[inline]
    pub(crate) fn new(slot: usize, result: Result<usize, Errno>) -> Completion {
        let answer = match result {
            Ok(moved) => moved as i64,
            Err(error) => -i64::from(error.raw_os_error()),
        };
        Completion { slot, answer }
    }

    /// Bytes moved.
    #[inline]
    pub(crate) fn result(self) -> Result<usize, Errno> {
        match self.answer {
            moved @ 0.. => Ok(moved as usize),
            error => Err(Errno::from_raw_os_error(-error as i32)),
        }
    }
}

/// What makes written data durable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SyncCall {
    /// `fsync(2)`: the data and all attributes.
    All,
    /// `fdatasync(2)`: the data and what is needed to read it.
    Data,
}

impl SyncCall {
    pub(crate) fn name(self) -> &'static str {
        match self {
            SyncCall::All => "fsync",
            SyncCall::Data => "fdatasync",
        }
    }

    /// Makes the call.
    pub(crate) fn carry_out(self, file: &File) -> Result<(), Errno> {
        match self {
            SyncCall::All => rustix::fs::fsync(file),
            SyncCall::Data => rustix::fs::fdatasync(file),
        }
    }
}

/// How long to wait for completions: until there are `count` of them, at most `nanos`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Patience {
    /// 0 does not wait.
    pub(crate) count: usize,
    pub(crate) nanos: u64,
}

impl Patience {
    /// Takes what is there.
    pub(crate) const NONE: Patience = Patience { count: 0, nanos: 0 };
}

/// A way to do I/O. Slots number the requests in flight, from 0 to below the depth; a slot is free
/// again once its completion has been taken.
pub(crate) trait Backend {
    /// True when `submit` returns only after every pushed request has ended.
    const BLOCKING: bool;

    /// The memory of a free slot: what a write takes and where a read leaves its data.
    fn buffer(&mut self, slot: usize) -> &mut [u8];

    /// Queues a request in a free slot.
    fn push(&mut self, slot: usize, request: Request);

    /// Hands over what is queued, and waits as long as `patience` says.
    fn submit(&mut self, patience: Patience) -> Result<(), Errno>;

    /// Takes one completion that has arrived.
    fn completion(&mut self) -> Option<Completion>;

    /// Hands over what the backend itself still holds back, at the end of the run.
    fn flush(&mut self) -> Result<(), Errno>;

    /// Processor time of kernel threads that work for this backend, in nanoseconds.
    fn helpers_cpu(&self) -> u64 {
        0
    }

    /// `fsync(2)`, `fdatasync(2)` or their like; nothing is in flight meanwhile.
    fn sync(&mut self, call: SyncCall) -> Result<(), Errno>;
}
