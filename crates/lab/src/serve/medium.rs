//! What a disk holds where it outlives the loss of power: a file without a name in memory, in which only
//! what was written takes room.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt as _;
use std::sync::atomic::{AtomicU64, Ordering};

use etalon_host::memory;
use rustix::fs::{FallocateFlags, MemfdFlags, SeekFrom, fallocate, memfd_create, seek};
use rustix::io::Errno;

use crate::noise::fill;

/// How much may be written until the free memory is looked at again.
const LOOKED_AT_AFTER: u64 = 16 << 20;
/// A copy goes through a buffer of this size.
const COPIED_AT_ONCE: u64 = 1 << 20;
/// What the kernel keeps such a file in.
const PAGE_BYTES: u64 = 4096;

/// The medium of one disk. It goes with the last descriptor, whatever ends the process.
#[derive(Debug)]
pub(super) struct Medium {
    file: File,
    /// What unwritten places read as: noise of this seed, or zeroes.
    noise: Option<u64>,
    written: AtomicU64,
}

impl Medium {
    /// One of zeroes.
    pub(super) fn new(bytes: u64) -> io::Result<Medium> {
        let file = File::from(memfd_create("etalon-disk", MemfdFlags::CLOEXEC)?);
        file.set_len(bytes)?;
        Ok(Medium {
            file,
            noise: None,
            written: AtomicU64::new(0),
        })
    }

    /// One that reads as noise where nothing was written, as a used one does: zeroes are what no disk in use
    /// holds, and some layers answer without asking for them.
    pub(super) fn with_noise(bytes: u64, seed: u64) -> io::Result<Medium> {
        Ok(Medium {
            noise: Some(seed),
            ..Medium::new(bytes)?
        })
    }

    pub(super) fn read(&self, offset: u64, length: u64) -> io::Result<Vec<u8>> {
        let mut data = vec![0; usize::try_from(length).unwrap_or(0)];
        let Some(seed) = self.noise else {
            self.file.read_exact_at(&mut data, offset)?;
            return Ok(data);
        };
        let end = offset + length;
        let mut at = offset;
        while at < end {
            let written = self.next(SeekFrom::Data(at))?.min(end);
            let place = |byte: u64| usize::try_from(byte - offset).unwrap_or(0);
            fill(&mut data[place(at)..place(written)], seed, at);
            if written == end {
                break;
            }
            at = self.next(SeekFrom::Hole(written))?.min(end);
            let part = &mut data[place(written)..place(at)];
            self.file.read_exact_at(part, written)?;
        }
        Ok(data)
    }

    /// Where data, or a hole, comes next; the end where neither does.
    fn next(&self, from: SeekFrom) -> io::Result<u64> {
        match seek(&self.file, from) {
            Err(Errno::NXIO) => Ok(u64::MAX),
            found => Ok(found?),
        }
    }

    /// A page of which only a part is written keeps its noise in the rest.
    fn keep_noise(&self, byte: u64) -> io::Result<()> {
        let page = byte / PAGE_BYTES * PAGE_BYTES;
        let is_cut = page != byte;
        if is_cut && self.noise.is_some() && self.next(SeekFrom::Data(page))? >= page + PAGE_BYTES {
            let noise = self.read(page, PAGE_BYTES)?;
            self.file.write_all_at(&noise, page)?;
        }
        Ok(())
    }

    /// Writes, but refuses with `ENOSPC` before the machine runs out of memory.
    pub(super) fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
        let length = data.len() as u64;
        let before = self.written.fetch_add(length, Ordering::Relaxed);
        let is_due = before / LOOKED_AT_AFTER != (before + length) / LOOKED_AT_AFTER;
        if is_due && memory::available() < memory::kept() {
            // Looked at again with the next write.
            self.written.store(LOOKED_AT_AFTER - 1, Ordering::Relaxed);
            return Err(io::ErrorKind::StorageFull.into());
        }
        self.keep_noise(offset)?;
        self.keep_noise(offset + length)?;
        self.file.write_all_at(data, offset)
    }

    /// Another one of this size and noise, on which nothing was written.
    pub(super) fn twin(&self) -> io::Result<Medium> {
        Ok(Medium {
            noise: self.noise,
            ..Medium::new(self.file.metadata()?.len())?
        })
    }

    /// Holds what its twin holds, and nothing else.
    pub(super) fn copy_of(&self, twin: &Medium) -> io::Result<()> {
        let end = twin.file.metadata()?.len();
        self.discard(0, end)?;
        let mut at = twin.next(SeekFrom::Data(0))?;
        while at < end {
            let hole = twin.next(SeekFrom::Hole(at))?.min(end);
            while at < hole {
                let part = (hole - at).min(COPIED_AT_ONCE);
                self.write(at, &twin.read(at, part)?)?;
                at += part;
            }
            at = twin.next(SeekFrom::Data(hole))?;
        }
        Ok(())
    }

    pub(super) fn discard(&self, offset: u64, length: u64) -> io::Result<()> {
        let flags = FallocateFlags::PUNCH_HOLE | FallocateFlags::KEEP_SIZE;
        Ok(fallocate(&self.file, flags, offset, length)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::MetadataExt as _;

    #[test]
    fn noise_is_the_same_however_it_is_read_and_gives_way_to_what_is_written() {
        let content = Medium::with_noise(1 << 20, 7).unwrap();
        let whole = content.read(0, 64 << 10).unwrap();
        assert_eq!(
            content.read(5 * 512, 1024).unwrap(),
            whole[5 * 512..7 * 512]
        );
        let repeated = whole.chunks(8).filter(|word| *word == &whole[..8]).count();
        assert_eq!(repeated, 1);
        // From the midst of one page to the midst of another, with a page between them.
        content.write(512, &[1; 8192]).unwrap();
        let mut wanted = whole.clone();
        wanted[512..512 + 8192].fill(1);
        content.write(5 * 4096, &[0; 4096]).unwrap();
        wanted[5 * 4096..6 * 4096].fill(0);
        assert!(content.read(0, 64 << 10).unwrap() == wanted);
        content.discard(0, 64 << 10).unwrap();
        assert!(content.read(0, 64 << 10).unwrap() == whole);
    }

    #[test]
    fn only_what_was_written_takes_room_and_a_trim_gives_it_back() {
        let content = Medium::new(1 << 40).unwrap();
        content.write(4096 * 7, &[5; 8192]).unwrap();
        assert_eq!(content.read(4096 * 7 - 1, 3).unwrap(), [0, 5, 5]);
        let held = || content.file.metadata().unwrap().blocks() * 512;
        assert_eq!(held(), 8192);
        content.discard(4096 * 7, 8192).unwrap();
        assert_eq!(content.read(4096 * 7, 2).unwrap(), [0, 0]);
        assert_eq!(held(), 0);
    }
}
