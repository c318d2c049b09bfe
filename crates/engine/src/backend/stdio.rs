//! `fread(3)` and `fwrite(3)` with the library's own buffer.

use std::fs::File;

use rustix::io::Errno;

use super::one_at_a_time::Transfer;
use super::sync::errno;
use super::{Request, Stream, SyncCall};
use crate::recorder::OpKind;

/// One C stream.
pub(crate) struct StdioStream {
    stream: Stream,
    /// Where the stream stands and what it did last; a change of either needs a seek.
    position: Option<(u64, OpKind)>,
}

impl StdioStream {
    /// A stream on `file`, which is open for writing if `writes`.
    pub(crate) fn new(file: File, writes: bool) -> Result<Self, Errno> {
        Ok(StdioStream {
            stream: Stream::new(file, writes).map_err(errno)?,
            position: None,
        })
    }
}

impl Transfer for StdioStream {
    fn transfer(&mut self, memory: &mut [u8], request: Request) -> Result<usize, Errno> {
        if self.position.take() != Some((request.offset, request.kind)) {
            self.stream.seek(request.offset).map_err(errno)?;
        }
        let moved = match request.kind {
            OpKind::Read => self.stream.read(memory),
            _ => self.stream.write(memory),
        };
        let moved = moved.map_err(errno)?;
        self.position = Some((request.offset + moved as u64, request.kind));
        Ok(moved)
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
