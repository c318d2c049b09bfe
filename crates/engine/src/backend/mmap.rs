//! Loads and stores through a mapping of the file.

use std::fs::File;

use rustix::io::Errno;

use super::mapping::Mapping;
use super::one_at_a_time::Transfer;
use super::{Request, SyncCall};
use crate::recorder::OpKind;

/// One mapped file.
pub(crate) struct MappedFile {
    mapping: Mapping,
    file: File,
}

impl MappedFile {
    /// Maps the first `length` bytes of `file`.
    pub(crate) fn new(file: File, length: u64, writes: bool) -> Result<Self, Errno> {
        Ok(MappedFile {
            mapping: Mapping::new(&file, length, writes)?,
            file,
        })
    }
}

impl Transfer for MappedFile {
    fn transfer(&mut self, memory: &mut [u8], request: Request) -> Result<usize, Errno> {
        match request.kind {
            OpKind::Read => self.mapping.read(memory, request.offset),
            _ => self.mapping.write(memory, request.offset),
        }
    }

    fn sync(&mut self, call: SyncCall) -> Result<(), Errno> {
        self.mapping.sync(true)?;
        call.carry_out(&self.file)
    }
}
