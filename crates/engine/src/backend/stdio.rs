//! `fread(3)` and `fwrite(3)` with the library's own buffer.

use std::fs::File;

use rustix::io::Errno;

use super::sync::errno;
use super::{Backend, Buffers, Completion, Patience, Request, Stream, SyncCall};
use crate::recorder::OpKind;

/// One C stream, one request at a time.
pub(crate) struct StdioBackend {
    stream: Stream,
    buffers: Buffers,
    queued: Option<Request>,
    done: Option<Completion>,
    /// Where the stream stands and what it did last; a change of either needs a seek.
    position: Option<(u64, OpKind)>,
}

impl StdioBackend {
    /// A stream on `file`, which is open for writing if `writes`.
    pub(crate) fn new(file: File, buffers: Buffers, writes: bool) -> Result<Self, Errno> {
        Ok(StdioBackend {
            stream: Stream::new(file, writes).map_err(errno)?,
            buffers,
            queued: None,
            done: None,
            position: None,
        })
    }

    fn transfer(&mut self, request: Request) -> Result<usize, Errno> {
        if self.position.take() != Some((request.offset, request.kind)) {
            self.stream.seek(request.offset).map_err(errno)?;
        }
        let memory = &mut self.buffers.get(0)[request.range()];
        let moved = match request.kind {
            OpKind::Read => self.stream.read(memory),
            _ => self.stream.write(memory),
        };
        let moved = moved.map_err(errno)?;
        self.position = Some((request.offset + moved as u64, request.kind));
        Ok(moved)
    }
}

impl Backend for StdioBackend {
    const BLOCKING: bool = true;

    fn buffer(&mut self, slot: usize) -> &mut [u8] {
        self.buffers.get(slot)
    }

    fn push(&mut self, _slot: usize, request: Request) {
        self.queued = Some(request);
    }

    fn submit(&mut self, _patience: Patience) -> Result<(), Errno> {
        if let Some(request) = self.queued.take() {
            let result = self.transfer(request);
            self.done = Some(Completion::new(0, result));
        }
        Ok(())
    }

    fn completion(&mut self) -> Option<Completion> {
        self.done.take()
    }

    fn flush(&mut self) -> Result<(), Errno> {
        self.stream.flush().map_err(errno)
    }

    fn sync(&mut self, call: SyncCall) -> Result<(), Errno> {
        let synced = match call {
            SyncCall::All => self.stream.sync(),
            SyncCall::Data => self.stream.sync_data(),
        };
        synced.map_err(errno)
    }
}
