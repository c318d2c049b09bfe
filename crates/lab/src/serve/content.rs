//! What was written to a served disk: a file without a name in memory, in which only what was written
//! takes room.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt as _;
use std::sync::atomic::{AtomicU64, Ordering};

use etalon_host::memory;
use rustix::fs::{FallocateFlags, MemfdFlags, SeekFrom, fallocate, memfd_create, seek};
use rustix::io::Errno;

/// How much may be written until the free memory is looked at again.
const LOOKED_AT_AFTER: u64 = 16 << 20;
/// What the kernel keeps such a file in.
const PAGE_BYTES: u64 = 4096;

/// The data of one disk. It goes with the last descriptor, whatever ends the process.
#[derive(Debug)]
pub struct Content {
    file: File,
    /// What unwritten places read as: noise of this seed, or zeroes.
    noise: Option<u64>,
    written: AtomicU64,
}

impl Content {
    /// A disk of zeroes.
    ///
    /// # Errors
    /// The kernel's.
    pub fn new(bytes: u64) -> io::Result<Content> {
        let file = File::from(memfd_create("etalon-disk", MemfdFlags::CLOEXEC)?);
        file.set_len(bytes)?;
        Ok(Content {
            file,
            noise: None,
            written: AtomicU64::new(0),
        })
    }

    /// A disk that reads as noise where nothing was written, as a used one does: zeroes are what no disk in use
    /// holds, and some layers answer without asking for them.
    ///
    /// # Errors
    /// The kernel's.
    pub fn with_noise(bytes: u64, seed: u64) -> io::Result<Content> {
        Ok(Content {
            noise: Some(seed),
            ..Content::new(bytes)?
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

    pub(super) fn discard(&self, offset: u64, length: u64) -> io::Result<()> {
        let flags = FallocateFlags::PUNCH_HOLE | FallocateFlags::KEEP_SIZE;
        Ok(fallocate(&self.file, flags, offset, length)?)
    }
}

/// Noise that depends on the place alone: SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom
/// number generators", OOPSLA 2014) of the number of each word.
fn fill(data: &mut [u8], seed: u64, offset: u64) {
    for (word, at) in data.chunks_mut(8).zip(offset / 8..) {
        let mut mixed = seed.wrapping_add(at.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15));
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^= mixed >> 31;
        word.copy_from_slice(&mixed.to_le_bytes()[..word.len()]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::MetadataExt as _;

    #[test]
    fn noise_is_the_same_however_it_is_read_and_gives_way_to_what_is_written() {
        let content = Content::with_noise(1 << 20, 7).unwrap();
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
        let content = Content::new(1 << 40).unwrap();
        content.write(4096 * 7, &[5; 8192]).unwrap();
        assert_eq!(content.read(4096 * 7 - 1, 3).unwrap(), [0, 5, 5]);
        let held = || content.file.metadata().unwrap().blocks() * 512;
        assert_eq!(held(), 8192);
        content.discard(4096 * 7, 8192).unwrap();
        assert_eq!(content.read(4096 * 7, 2).unwrap(), [0, 0]);
        assert_eq!(held(), 0);
    }
}
