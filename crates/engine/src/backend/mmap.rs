//! Loads and stores through a mapping of the file.

use std::fs::File;

use rustix::io::Errno;

use super::mapping::Mapping;
use super::{Backend, Buffers, Completion, Patience, Request, SyncCall};
use crate::recorder::OpKind;

/// One mapped file, one request at a time.
pub(crate) struct MmapBackend {
    mapping: Mapping,
    file: File,
    buffers: Buffers,
    queued: Option<Request>,
    done: Option<Completion>,
}

impl MmapBackend {
    /// Maps the first `length` bytes of `file`.
    pub(crate) fn new(
        file: File,
        length: u64,
        buffers: Buffers,
        writes: bool,
    ) -> Result<Self, Errno> {
        Ok(MmapBackend {
            mapping: Mapping::new(&file, length, writes)?,
            file,
            buffers,
            queued: None,
            done: None,
        })
    }

    fn copy(&mut self, request: Request) -> Result<usize, Errno> {
        let memory = &mut self.buffers.get(0)[request.range()];
        match request.kind {
            OpKind::Read => self.mapping.read(memory, request.offset),
            _ => self.mapping.write(memory, request.offset),
        }
    }
}

impl Backend for MmapBackend {
    const BLOCKING: bool = true;

    fn buffer(&mut self, slot: usize) -> &mut [u8] {
        self.buffers.get(slot)
    }

    fn push(&mut self, _slot: usize, request: Request) {
        self.queued = Some(request);
    }

    fn submit(&mut self, _patience: Patience) -> Result<(), Errno> {
        if let Some(request) = self.queued.take() {
            let result = self.copy(request);
            self.done = Some(Completion::new(0, result));
        }
        Ok(())
    }

    fn completion(&mut self) -> Option<Completion> {
        self.done.take()
    }

    fn flush(&mut self) -> Result<(), Errno> {
        Ok(())
    }

    fn sync(&mut self, call: SyncCall) -> Result<(), Errno> {
        self.mapping.sync(true)?;
        call.carry_out(&self.file)
    }
}
