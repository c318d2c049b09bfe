//! What a disk holds where it outlives the loss of power: a file without a name in memory, in which only
//! what was written takes room.

use std::fs::File;
use std::io;
use std::ops::Range;
use std::os::unix::fs::FileExt as _;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use etalon_host::memory;
use etalon_units::Bytes;
use rangemap::RangeSet;
use rustix::fs::{FallocateFlags, MemfdFlags, fallocate, memfd_create};

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
    bytes: u64,
    /// What unwritten places read as: noise of this seed, or zeroes.
    noise: Option<u64>,
    /// Bytes of the pages that were written. lseek(2) with `SEEK_HOLE` tells them too, but looks at every page of a written
    /// stretch (`mapping_seek_hole_data` in the kernel's mm/filemap.c): milliseconds for a read of a full disk.
    pages: Mutex<RangeSet<u64>>,
    written: AtomicU64,
    has_room: fn() -> bool,
}

/// Whether this machine, or a control group of this process, leaves memory for more.
fn has_memory() -> bool {
    memory::tightest().allowance() > Bytes::ZERO
}

impl Medium {
    /// One of zeroes.
    pub(super) fn new(bytes: u64) -> io::Result<Medium> {
        let file = File::from(memfd_create("etalon-disk", MemfdFlags::CLOEXEC)?);
        file.set_len(bytes)?;
        Ok(Medium {
            file,
            bytes,
            noise: None,
            pages: Mutex::new(RangeSet::new()),
            written: AtomicU64::new(0),
            has_room: has_memory,
        })
    }

    /// The same, which asks this for room instead of the machine.
    pub(super) fn while_room(self, has_room: fn() -> bool) -> Medium {
        Medium { has_room, ..self }
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
        self.read_into(offset, &mut data)?;
        Ok(data)
    }

    /// The same into memory that is there.
    pub(super) fn read_into(&self, offset: u64, data: &mut [u8]) -> io::Result<()> {
        let Some(seed) = self.noise else {
            return self.file.read_exact_at(data, offset);
        };
        let end = offset + data.len() as u64;
        let place = |byte: u64| usize::try_from(byte - offset).unwrap_or(0);
        let mut at = offset;
        for written in self.written(offset..end) {
            fill(&mut data[place(at)..place(written.start)], seed, at);
            at = written.end;
            let part = &mut data[place(written.start)..place(at)];
            self.file.read_exact_at(part, written.start)?;
        }
        fill(&mut data[place(at)..], seed, at);
        Ok(())
    }

    /// What was written of these bytes, one stretch after the other.
    fn written(&self, of: Range<u64>) -> Vec<Range<u64>> {
        let within = |page: &Range<u64>| page.start.max(of.start)..page.end.min(of.end);
        self.pages().overlapping(&of).map(within).collect()
    }

    fn pages(&self) -> MutexGuard<'_, RangeSet<u64>> {
        self.pages.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A page of which only a part is written keeps its noise in the rest.
    fn keep_noise(&self, byte: u64) -> io::Result<()> {
        let page = byte / PAGE_BYTES * PAGE_BYTES;
        let is_cut = page != byte;
        if is_cut && self.noise.is_some() && !self.pages().contains(&page) {
            let noise = self.read(page, PAGE_BYTES.min(self.bytes - page))?;
            self.file.write_all_at(&noise, page)?;
        }
        Ok(())
    }

    /// Writes, but refuses with `ENOSPC` before the machine, or a control group of this process, runs out of memory.
    pub(super) fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
        let length = data.len() as u64;
        let before = self.written.fetch_add(length, Ordering::Relaxed);
        let is_due = before / LOOKED_AT_AFTER != (before + length) / LOOKED_AT_AFTER;
        if is_due && !(self.has_room)() {
            // Looked at again with the next write.
            self.written.store(LOOKED_AT_AFTER - 1, Ordering::Relaxed);
            return Err(io::ErrorKind::StorageFull.into());
        }
        self.keep_noise(offset)?;
        self.keep_noise(offset + length)?;
        self.file.write_all_at(data, offset)?;
        if length > 0 {
            let page = offset / PAGE_BYTES * PAGE_BYTES;
            let end = (offset + length).next_multiple_of(PAGE_BYTES);
            self.pages().insert(page..end);
        }
        Ok(())
    }

    /// Another one of this size and noise, on which nothing was written.
    pub(super) fn twin(&self) -> io::Result<Medium> {
        Ok(Medium {
            noise: self.noise,
            has_room: self.has_room,
            ..Medium::new(self.bytes)?
        })
    }

    /// Holds what its twin holds, and nothing else.
    pub(super) fn copy_of(&self, twin: &Medium) -> io::Result<()> {
        self.discard(0, self.bytes)?;
        for written in twin.written(0..twin.bytes) {
            let mut at = written.start;
            while at < written.end {
                let part = (written.end - at).min(COPIED_AT_ONCE);
                self.write(at, &twin.read(at, part)?)?;
                at += part;
            }
        }
        Ok(())
    }

    pub(super) fn discard(&self, offset: u64, length: u64) -> io::Result<()> {
        let end = offset + length;
        // The last page of a disk may be a part of one.
        let end = end + if end == self.bytes { PAGE_BYTES - 1 } else { 0 };
        let pages = offset.next_multiple_of(PAGE_BYTES)..end / PAGE_BYTES * PAGE_BYTES;
        // Before the hole, so that nobody reads its zeroes for what was written.
        if !pages.is_empty() {
            self.pages().remove(pages);
        }
        let flags = FallocateFlags::PUNCH_HOLE | FallocateFlags::KEEP_SIZE;
        Ok(fallocate(&self.file, flags, offset, length)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt as _, SeedableRng as _};
    use rand_xoshiro::Xoshiro256PlusPlus;
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

    /// A disk as a plain vector: a write replaces bytes, a trim gives whole pages their noise back and leaves zeroes in parts
    /// of written ones.
    struct Twin {
        noise: Vec<u8>,
        data: Vec<u8>,
        written: Vec<bool>,
    }

    impl Twin {
        fn of(noise: Vec<u8>) -> Twin {
            Twin {
                data: noise.clone(),
                written: vec![false; noise.len().div_ceil(4096)],
                noise,
            }
        }

        fn write(&mut self, range: Range<usize>, byte: u8) {
            self.written[range.start / 4096..range.end.div_ceil(4096)].fill(true);
            self.data[range].fill(byte);
        }

        fn discard(&mut self, range: &Range<usize>) {
            for page in range.start / 4096..range.end.div_ceil(4096) {
                let whole = page * 4096..((page + 1) * 4096).min(self.data.len());
                let part = whole.start.max(range.start)..whole.end.min(range.end);
                if part == whole {
                    self.written[page] = false;
                    self.data[whole.clone()].copy_from_slice(&self.noise[whole]);
                } else if self.written[page] {
                    self.data[part].fill(0);
                }
            }
        }
    }

    #[test]
    fn a_disk_of_noise_is_a_vector_whatever_is_written_and_trimmed() {
        const SECTORS: usize = 8 * 12 + 3;
        let mut random = Xoshiro256PlusPlus::seed_from_u64(5);
        let medium = Medium::with_noise(SECTORS as u64 * 512, 7).unwrap();
        let mut twin = Twin::of(medium.read(0, SECTORS as u64 * 512).unwrap());
        let copy = medium.twin().unwrap();
        for round in 0..2000_u32 {
            let from = random.random_range(0..SECTORS);
            let to = random.random_range(from + 1..=SECTORS.min(from + 30));
            let (bytes, byte) = (from * 512..to * 512, random.random_range(1..=255));
            let (offset, length) = (bytes.start as u64, bytes.len() as u64);
            if random.random_bool(0.5) {
                medium.write(offset, &vec![byte; bytes.len()]).unwrap();
                twin.write(bytes.clone(), byte);
            } else {
                medium.discard(offset, length).unwrap();
                twin.discard(&bytes);
            }
            let part = medium.read(offset, length).unwrap();
            assert!(part == twin.data[bytes.clone()], "round {round}, {bytes:?}");
            let whole = medium.read(0, SECTORS as u64 * 512).unwrap();
            assert!(whole == twin.data, "round {round}");
            if round % 10 == 0 {
                copy.copy_of(&medium).unwrap();
                assert!(copy.read(0, SECTORS as u64 * 512).unwrap() == twin.data);
            }
        }
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
