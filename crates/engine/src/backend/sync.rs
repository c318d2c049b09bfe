//! `pread(2)` and `pwrite(2)`, one at a time.

use std::fs::File;
use std::os::unix::fs::FileExt;

use rustix::io::Errno;

use super::{Backend, Buffers, Completion, Patience, Request, SyncCall};
use crate::recorder::OpKind;

/// One file, one request at a time.
#[derive(Debug)]
pub(crate) struct SyncBackend {
    file: File,
    buffers: Buffers,
    queued: Option<Request>,
    done: Option<Completion>,
}

impl SyncBackend {
    pub(crate) fn new(file: File, buffers: Buffers) -> Self {
        SyncBackend {
            file,
            buffers,
            queued: None,
            done: None,
        }
    }
}

impl Backend for SyncBackend {
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
            let result = match request.kind {
                OpKind::Read => self.file.read_at(memory, request.offset),
                _ => self.file.write_at(memory, request.offset),
            };
            self.done = Some(Completion::new(0, result.map_err(errno)));
        }
        Ok(())
    }

    #[inline]
    fn completion(&mut self) -> Option<Completion> {
        self.done.take()
    }

    fn flush(&mut self) -> Result<(), Errno> {
        Ok(())
    }

    fn sync(&mut self, call: SyncCall) -> Result<(), Errno> {
        call.carry_out(&self.file)
    }
}

/// The kernel's number behind a library error; `EIO` where there is none.
pub(crate) fn errno(error: std::io::Error) -> Errno {
    Errno::from_io_error(&error).unwrap_or(Errno::IO)
}
