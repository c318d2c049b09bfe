//! What moves one request at a time, as a backend.

use rustix::io::Errno;

use super::{Backend, Buffers, Completion, Patience, Request, SyncCall};

/// A way to move the bytes of one request.
pub(crate) trait Transfer {
    /// Moves what of `memory` the request stands for; how much of it was moved.
    fn transfer(&mut self, memory: &mut [u8], request: Request) -> Result<usize, Errno>;

    /// As [`Backend::flush`].
    fn flush(&mut self) -> Result<(), Errno> {
        Ok(())
    }

    /// As [`Backend::sync`].
    fn sync(&mut self, call: SyncCall) -> Result<(), Errno>;
}

/// A backend of depth one.
#[derive(Debug)]
pub(crate) struct OneAtATime<T> {
    by: T,
    buffers: Buffers,
    queued: Option<Request>,
    done: Option<Completion>,
}

impl<T> OneAtATime<T> {
    pub(crate) fn new(by: T, buffers: Buffers) -> Self {
        OneAtATime {
            by,
            buffers,
            queued: None,
            done: None,
        }
    }
}

impl<T: Transfer> Backend for OneAtATime<T> {
    const BLOCKING: bool = true;

    #[inline]
    fn buffer(&mut self, slot: usize) -> &mut [u8] {
        self.buffers.get(slot)
    }

    #[inline]
    fn push(&mut self, _slot: usize, request: Request) {
        self.queued = Some(request);
    }

    #[inline]
    fn submit(&mut self, _patience: Patience) -> Result<(), Errno> {
        if let Some(request) = self.queued.take() {
            let memory = &mut self.buffers.get(0)[request.range()];
            let result = self.by.transfer(memory, request);
            self.done = Some(Completion::new(0, result));
        }
        Ok(())
    }

    #[inline]
    fn completion(&mut self) -> Option<Completion> {
        self.done.take()
    }

    fn flush(&mut self) -> Result<(), Errno> {
        self.by.flush()
    }

    fn sync(&mut self, call: SyncCall) -> Result<(), Errno> {
        self.by.sync(call)
    }
}
