//! `pread(2)`, `pwrite(2)` and discards, one at a time.

use std::fs::File;
use std::os::unix::fs::FileExt;

use rustix::io::Errno;

use super::discard::discard;
use super::one_at_a_time::Transfer;
use super::{Request, SyncCall, Zones};
use crate::recorder::OpKind;

/// A file, or a device that may have to be written by zones.
#[derive(Debug)]
pub(crate) struct SyncFile {
    pub(crate) file: File,
    pub(crate) zones: Option<Zones>,
}

impl SyncFile {
    fn write(&mut self, memory: &[u8], offset: u64) -> std::io::Result<usize> {
        if let Some(zones) = &mut self.zones {
            zones.before_write(&self.file, offset)?;
        }
        self.file.write_at(memory, offset)
    }
}

impl Transfer for SyncFile {
    #[inline]
    fn transfer(&mut self, memory: &mut [u8], request: Request) -> Result<usize, Errno> {
        let result = match request.kind {
            OpKind::Read => self.file.read_at(memory, request.offset),
            OpKind::Trim => discard(&self.file, request.offset, request.length),
            OpKind::Write => self.write(memory, request.offset),
        };
        result.map_err(errno)
    }

    fn sync(&mut self, call: SyncCall) -> Result<(), Errno> {
        call.carry_out(&self.file)
    }
}

/// The kernel's number behind a library error; `EIO` where there is none.
pub(crate) fn errno(error: std::io::Error) -> Errno {
    Errno::from_io_error(&error).unwrap_or(Errno::IO)
}
