//! The memory of one worker and what stands in it.

use etalon_engine::Buffers;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::content::Content;

/// Buffers of one record each, used in turn.
#[derive(Debug)]
pub(crate) struct RecordBuffers {
    buffers: Buffers,
    count: usize,
    used: usize,
    content: Content,
}

impl RecordBuffers {
    /// `count` buffers of `length` bytes, filled.
    pub(crate) fn new(count: usize, length: usize, content: Content, seed: u64) -> RecordBuffers {
        let count = count.max(1);
        let mut buffers = Buffers::new(count, length);
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        for slot in 0..count {
            content.prepare(buffers.get(slot), &mut rng);
        }
        RecordBuffers {
            buffers,
            count,
            used: 0,
            content,
        }
    }

    #[inline]
    fn turn(&mut self) {
        self.used = if self.used + 1 >= self.count {
            0
        } else {
            self.used + 1
        };
    }

    /// The first `length` bytes of the next buffer, as they are.
    #[inline]
    pub(crate) fn for_read(&mut self, length: usize) -> &mut [u8] {
        self.turn();
        front(&mut self.buffers, self.used, length)
    }

    /// The first `length` bytes of the next buffer as the record at `offset`, written the
    /// `pass`-th time.
    #[inline]
    pub(crate) fn for_write(&mut self, offset: u64, length: usize, pass: u64) -> &[u8] {
        self.turn();
        let record = front(&mut self.buffers, self.used, length);
        self.content.place(record, offset, pass);
        record
    }
}

#[inline]
fn front(buffers: &mut Buffers, slot: usize, length: usize) -> &mut [u8] {
    let buffer = buffers.get(slot);
    let length = length.min(buffer.len());
    &mut buffer[..length]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Fill;
    use crate::stamp::PAGE;
    use std::collections::HashSet;

    #[test]
    fn no_two_pages_of_a_file_are_equal() {
        let mut records = RecordBuffers::new(1, 4 * PAGE, Content::new(Fill::Stamped), 3);
        let mut seen = HashSet::new();
        for (pass, offset) in [(0, 0), (0, 16_384), (1, 0)] {
            for page in records.for_write(offset, 4 * PAGE, pass).chunks(PAGE) {
                assert!(seen.insert(page.to_vec()), "pass {pass} offset {offset}");
            }
        }
    }

    #[test]
    fn a_pattern_fills_the_record_and_buffers_take_turns() {
        let mut records = RecordBuffers::new(2, 100, Content::new(Fill::Byte(7)), 3);
        let first = records.for_read(100).as_ptr();
        assert!(records.for_write(0, 100, 0).iter().all(|&byte| byte == 7));
        assert_eq!(records.for_read(100).as_ptr(), first);
    }
}
