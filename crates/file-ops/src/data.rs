//! The memory of one worker and what stands in it.

use std::ops::Range;

use etalon_engine::Buffers;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::content::Content;
use super::stamp::PAGE;
use super::{Direction, FileOp, Settings};

/// So much is written before any of the same memory is written again. Whatever compresses looks back
/// less far: btrfs 128 KiB, f2fs and ZFS at most 1 MiB unless they are told otherwise.
const POOL: usize = 1 << 20;

/// Memory for one record after the other.
#[derive(Debug)]
pub(crate) struct RecordBuffers {
    memory: Buffers,
    /// All of it, a whole number of records.
    size: usize,
    /// From one record to the next at least.
    stride: usize,
    /// Behind the last record.
    next: usize,
    content: Content,
}

impl RecordBuffers {
    /// What a worker needs for `op` with records of `length` bytes at most; `seed` decides what
    /// stands in it.
    pub(crate) fn of(
        op: FileOp,
        settings: &Settings,
        length: usize,
        content: Content,
        seed: u64,
    ) -> RecordBuffers {
        let count = settings.buffers;
        match op.direction() {
            Direction::Write if content.stays() => {
                let pool = pool_for(settings.span(op), length);
                RecordBuffers::pool(pool.max(count), length, content, seed)
            }
            _ => RecordBuffers::new(count, length, content, seed),
        }
    }

    /// `count` buffers of `length` bytes, used in turn.
    pub(crate) fn new(count: usize, length: usize, content: Content, seed: u64) -> RecordBuffers {
        let stride = length.next_multiple_of(PAGE);
        RecordBuffers::filled(stride * count.max(1), stride, content, seed)
    }

    /// Memory for `count` records of `length` bytes, through which records go one behind the other.
    fn pool(count: usize, length: usize, content: Content, seed: u64) -> RecordBuffers {
        let step = length.next_multiple_of(grain(length));
        RecordBuffers::filled(step * count, 0, content, seed)
    }

    fn filled(size: usize, stride: usize, content: Content, seed: u64) -> RecordBuffers {
        let mut memory = Buffers::new(1, size);
        content.prepare(memory.get(0), &mut Xoshiro256PlusPlus::seed_from_u64(seed));
        RecordBuffers {
            memory,
            size,
            stride,
            next: 0,
            content,
        }
    }

    /// Where the next record of `length` bytes stands.
    #[inline]
    fn turn(&mut self, length: usize) -> Range<usize> {
        let grain = grain(length);
        let mut at = (self.next + grain - 1) & !(grain - 1);
        if at + length > self.size {
            at = 0;
        }
        self.next = at + length.max(self.stride);
        at..(at + length).min(self.size)
    }

    /// The next memory of `length` bytes, as it is.
    #[inline]
    pub(crate) fn for_read(&mut self, length: usize) -> &mut [u8] {
        let place = self.turn(length);
        &mut self.memory.get(0)[place]
    }

    /// The next memory of `length` bytes as the record at `offset`, written the `pass`-th time.
    #[inline]
    pub(crate) fn for_write(&mut self, offset: u64, length: usize, pass: u64) -> &[u8] {
        let place = self.turn(length);
        let record = &mut self.memory.get(0)[place];
        self.content.place(record, offset, pass);
        record
    }
}

/// Records of `length` bytes that are to stand side by side for `written` bytes to be without equal
/// parts close to one another.
pub(crate) fn pool_for(written: u64, length: usize) -> usize {
    let wanted = written.min(POOL as u64) as usize;
    wanted.div_ceil(length.max(1)).max(1)
}

/// What the start of a record is a multiple of: of a page for all that fill one, and of what
/// `O_DIRECT` wants of smaller ones.
#[inline]
fn grain(length: usize) -> usize {
    if length >= PAGE {
        PAGE
    } else {
        length.next_power_of_two()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::repeated;
    use crate::{Access, Fill, Lists};
    use etalon_units::{Bytes, Nanos};
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

    /// What a pass writes to a file, by its records.
    fn written(settings: &Settings, length: usize) -> Vec<u8> {
        let content = Content::new(settings.fill);
        let mut records = RecordBuffers::of(FileOp::Write, settings, length, content, 3);
        let mut file = Vec::new();
        for step in settings.steps(FileOp::Write, length, 0) {
            let record = records.for_write(step.offset, step.length, 5);
            assert_eq!(record.len(), step.length);
            assert_eq!(record.as_ptr() as usize % grain(step.length), 0);
            file.extend_from_slice(record);
        }
        file
    }

    #[test]
    fn what_is_written_does_not_repeat_within_a_mebibyte() {
        for length in [96, 512, 4096, 5024, 128 << 10, 800 << 10, 3 << 20] {
            let settings = Settings {
                size: Bytes::mib(6),
                record: Bytes(length),
                ..Settings::default()
            };
            let file = written(&settings, length as usize);
            assert_eq!(repeated(&file), 0, "{length}");
        }
    }

    #[test]
    fn records_of_any_length_go_through_the_same_memory() {
        let lengths = [1 << 20, 512, 512, 4096, 1024, 8192].repeat(3);
        let mut offset = 0;
        let accesses = lengths.iter().map(|&length| {
            offset += length;
            Access {
                offset: offset - length,
                length,
                delay: Nanos::ZERO,
            }
        });
        let settings = Settings {
            lists: Lists {
                writes: Some(accesses.collect()),
                reads: None,
            },
            ..Settings::default()
        };
        let file = written(&settings, 1 << 20);
        assert_eq!(file.len() as u64, offset);
        let small = &file[1 << 20..(1 << 20) + 14_336];
        assert_eq!(repeated(small), 0);
    }

    #[test]
    fn a_small_file_needs_no_more_memory_than_itself() {
        let size = |op, fill| {
            let settings = Settings {
                fill,
                ..Settings::default()
            };
            RecordBuffers::of(op, &settings, 4096, Content::new(fill), 3).size
        };
        assert_eq!(size(FileOp::Write, Fill::Stamped), 512 << 10);
        assert_eq!(size(FileOp::Read, Fill::Stamped), 4096);
        assert_eq!(size(FileOp::Write, Fill::Placed { file: 0 }), 4096);
    }
}
