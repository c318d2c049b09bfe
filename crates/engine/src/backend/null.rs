//! Does nothing, at once: what remains is the cost of the tool itself.

use rustix::io::Errno;

use super::{Backend, Buffers, Completion, Patience, Request, SyncCall};

/// Answers every request in full when it is submitted.
#[derive(Debug)]
pub(crate) struct NullBackend {
    buffers: Buffers,
    queued: Vec<Completion>,
    next: usize,
}

impl NullBackend {
    pub(crate) fn new(depth: usize, buffers: Buffers) -> Self {
        NullBackend {
            buffers,
            queued: Vec::with_capacity(depth),
            next: 0,
        }
    }
}

impl Backend for NullBackend {
    const BLOCKING: bool = true;

    #[inline]
    fn buffer(&mut self, slot: usize) -> &mut [u8] {
        self.buffers.get(slot)
    }

    #[inline]
    fn push(&mut self, slot: usize, request: Request) {
        let moved = request.length as usize;
        self.queued.push(Completion::new(slot, Ok(moved)));
    }

    #[inline]
    fn submit(&mut self, _patience: Patience) -> Result<(), Errno> {
        Ok(())
    }

    #[inline]
    fn completion(&mut self) -> Option<Completion> {
        let completion = self.queued.get(self.next).copied();
        if completion.is_some() {
            self.next += 1;
        } else {
            self.queued.clear();
            self.next = 0;
        }
        completion
    }

    fn flush(&mut self) -> Result<(), Errno> {
        Ok(())
    }

    fn sync(&mut self, _call: SyncCall) -> Result<(), Errno> {
        Ok(())
    }
}
