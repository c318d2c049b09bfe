//! The memory of one worker and what stands in it.

use etalon_engine::Buffers;
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::Settings;

/// The unit that bears a stamp: no layer below looks for equal data in smaller pieces.
pub(crate) const PAGE: usize = 4096;

/// What the stamp of a page begins with, so that a file of ours can be told from another.
pub(crate) const MAGIC: u64 = u64::from_le_bytes(*b"etaloniz");

/// Length of a stamp.
const STAMP: usize = 24;

/// What stands in the records that are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Content {
    /// Data that do not compress, each page with a stamp of its own.
    Stamped,
    /// One byte throughout.
    Byte(u8),
}

impl Content {
    /// What `settings` ask for.
    pub(crate) fn of(settings: &Settings) -> Content {
        settings.verify.map_or(Content::Stamped, Content::Byte)
    }

    /// Fills memory once, before the clock starts; every page is touched.
    pub(crate) fn fill(self, memory: &mut [u8], rng: &mut Xoshiro256PlusPlus) {
        match self {
            Content::Stamped => rng.fill_bytes(memory),
            Content::Byte(byte) => memory.fill(byte),
        }
    }

    /// Makes filled memory the record at `offset`, written the `pass`-th time.
    #[inline]
    pub(crate) fn place(self, memory: &mut [u8], offset: u64, pass: u64) {
        match self {
            Content::Stamped => stamp(memory, offset, pass),
            Content::Byte(_) => {}
        }
    }
}

/// Buffers of one record each, used in turn.
#[derive(Debug)]
pub(crate) struct Records {
    buffers: Buffers,
    count: usize,
    used: usize,
    content: Content,
}

impl Records {
    /// `count` buffers of `length` bytes, filled.
    pub(crate) fn new(count: usize, length: usize, content: Content, seed: u64) -> Records {
        let count = count.max(1);
        let mut buffers = Buffers::new(count, length);
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        for slot in 0..count {
            content.fill(buffers.get(slot), &mut rng);
        }
        Records {
            buffers,
            count,
            used: 0,
            content,
        }
    }

    /// The first `length` bytes of the next buffer, as they are.
    #[inline]
    pub(crate) fn for_read(&mut self, length: usize) -> &mut [u8] {
        self.used = if self.used + 1 >= self.count {
            0
        } else {
            self.used + 1
        };
        let buffer = self.buffers.get(self.used);
        let length = length.min(buffer.len());
        &mut buffer[..length]
    }

    /// The first `length` bytes of the next buffer as the record at `offset`, written the
    /// `pass`-th time.
    #[inline]
    pub(crate) fn for_write(&mut self, offset: u64, length: usize, pass: u64) -> &[u8] {
        let content = self.content;
        let record = self.for_read(length);
        content.place(record, offset, pass);
        record
    }
}

/// Writes magic, place and pass at the head of every page.
#[inline]
fn stamp(buffer: &mut [u8], offset: u64, pass: u64) {
    for (index, page) in buffer.chunks_mut(PAGE).enumerate() {
        let Some(head) = page.first_chunk_mut::<STAMP>() else {
            return;
        };
        let place = offset + (index * PAGE) as u64;
        head[..8].copy_from_slice(&MAGIC.to_le_bytes());
        head[8..16].copy_from_slice(&place.to_le_bytes());
        head[16..].copy_from_slice(&pass.to_le_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn no_two_pages_of_a_file_are_equal() {
        let mut records = Records::new(1, 4 * PAGE, Content::Stamped, 3);
        let mut seen = HashSet::new();
        for (pass, offset) in [(0, 0), (0, 16_384), (1, 0)] {
            for page in records.for_write(offset, 4 * PAGE, pass).chunks(PAGE) {
                assert!(seen.insert(page.to_vec()), "pass {pass} offset {offset}");
            }
        }
    }

    #[test]
    fn a_pattern_fills_the_record_and_buffers_take_turns() {
        let mut records = Records::new(2, 100, Content::Byte(7), 3);
        let first = records.for_read(100).as_ptr();
        assert!(records.for_write(0, 100, 0).iter().all(|&byte| byte == 7));
        assert_eq!(records.for_read(100).as_ptr(), first);
    }
}
