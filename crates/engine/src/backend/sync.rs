//! `pread(2)`, `pwrite(2)` and discards, one at a time.

use std::fs::File;
use std::os::unix::fs::FileExt;

use rustix::io::Errno;

use super::discard::discard;
use super::one_at_a_time::Transfer;
use super::{Request, SyncCall};
use crate::recorder::OpKind;

impl Transfer for File {
    #[inline]
    fn transfer(&mut self, memory: &mut [u8], request: Request) -> Result<usize, Errno> {
        let result = match request.kind {
            OpKind::Read => self.read_at(memory, request.offset),
            OpKind::Trim => discard(self, request.offset, request.length),
            OpKind::Write => self.write_at(memory, request.offset),
        };
        result.map_err(errno)
    }

    fn sync(&mut self, call: SyncCall) -> Result<(), Errno> {
        call.carry_out(self)
    }
}

/// The kernel's number behind a library error; `EIO` where there is none.
pub(crate) fn errno(error: std::io::Error) -> Errno {
    Errno::from_io_error(&error).unwrap_or(Errno::IO)
}
