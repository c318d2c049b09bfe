//! Records of a file that is mapped into memory.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;

use etalon_engine::Mapping;
use rustix::fs::{FallocateFlags, fallocate};
use rustix::io::Errno;

use super::record_file::{RecordFile, close};
use super::settings::{Mapped, WriteBack};
use super::{Direction, FileOp, Settings};

/// A file and its mapping.
pub(super) struct MappedFile {
    mapping: Mapping,
    file: File,
    /// `None` for a file that is only read.
    write_back: Option<WriteBack>,
    mixed: bool,
    /// Whether the next record of a mixed pass goes by a call.
    call_next: bool,
}

impl MappedFile {
    /// Maps what the records reach of `file`; a file that is to be written gets their length first.
    pub(super) fn new(
        file: File,
        op: FileOp,
        mapped: Mapped,
        settings: &Settings,
    ) -> io::Result<MappedFile> {
        let writes = op.direction() == Direction::Write;
        let length = settings.span(op);
        if writes && file.metadata()?.len() < length {
            file.set_len(length)?;
        }
        let mapping = Mapping::new(&file, length, writes)?;
        if let Some(advice) = settings.advice {
            mapping.advise(advice.for_mapping())?;
        }
        Ok(MappedFile {
            mapping,
            file,
            write_back: writes.then_some(mapped.write_back),
            mixed: mapped.mixed,
            call_next: false,
        })
    }

    /// Whether this record goes by a call.
    fn by_call(&mut self) -> bool {
        let by_call = self.mixed && self.call_next;
        self.call_next = !self.call_next;
        by_call
    }
}

impl RecordFile for MappedFile {
    fn read(&mut self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        if self.by_call() {
            return self.file.read_at(buffer, offset);
        }
        Ok(self.mapping.read(buffer, offset)?)
    }

    fn write(&mut self, data: &[u8], offset: u64) -> io::Result<usize> {
        if self.by_call() {
            return self.file.write_at(data, offset);
        }
        let stored = self.mapping.write(data, offset);
        stored.map_err(|errno| why(&self.file, data.len(), offset, errno).into())
    }

    fn drain(&mut self) -> io::Result<()> {
        match self.write_back {
            None | Some(WriteBack::Left) => Ok(()),
            Some(WriteBack::Asked) => Ok(self.mapping.sync(false)?),
            Some(WriteBack::Awaited) => Ok(self.mapping.sync(true)?),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        // Stores need no msync(2) of their own: fsync(2) writes back dirty pages whoever made
        // them dirty.
        self.file.sync_all()
    }

    fn close(self: Box<Self>) -> io::Result<()> {
        drop(self.mapping);
        close(self.file)
    }
}

/// A store into a hole fails alike for want of space and by a fault of the disk: asking for the
/// space tells them apart.
fn why(file: &File, length: usize, offset: u64, errno: Errno) -> Errno {
    match fallocate(file, FallocateFlags::KEEP_SIZE, offset, length as u64) {
        Err(full @ (Errno::NOSPC | Errno::DQUOT)) => full,
        _ => errno,
    }
}

#[cfg(test)]
mod tests;
