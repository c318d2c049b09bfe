//! What stands in the records of a file.

use std::io;
use std::sync::Arc;

use etalon_engine::Pattern;
use rand::Rng;
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::{Deserialize, Serialize};

use super::stamp::stamp;

/// What a file is filled with; the same for every file of a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fill {
    /// Data that do not compress, each page with a stamp of its own.
    #[default]
    Stamped,
    /// One byte throughout, which reads are compared with.
    Byte(u8),
    /// Bytes that the place in the file and the file decide, which reads are compared with.
    Placed {
        /// The file's number in its group.
        file: u32,
    },
    /// Data of which parts are equal, for what looks for equal data.
    Shared {
        /// The file's number in its group.
        file: u32,
        /// How much is equal to what.
        sharing: Sharing,
    },
}

/// How much of each record is equal to something else. From its start a record has first what only
/// its own file repeats, then what all records of all files repeat, then what the same record of
/// the other files has, then data of its own; the parts are whole sectors of 512 bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sharing {
    /// Percent of a record that is equal to something else.
    pub shared: u8,
    /// Percent of that which every record repeats.
    pub repeated: u8,
    /// Percent of that which only records of the same file repeat.
    pub own: u8,
    /// Files share data with files of the same number only.
    pub set: u64,
}

impl Sharing {
    /// Where in a record of `length` bytes the first three parts end.
    fn ends(self, length: usize) -> [usize; 3] {
        let part = |whole: usize, percent: u8| whole * usize::from(percent.min(100)) / 100;
        let shared = part(length, self.shared);
        let repeated = part(shared, self.repeated);
        let own = part(repeated, self.own);
        [own, repeated, shared].map(|end| end / 512 * 512)
    }
}

impl Fill {
    /// The same for the `index`-th file of a group.
    pub(crate) fn of_file(self, index: usize) -> Fill {
        let file = index as u32;
        match self {
            Fill::Placed { .. } => Fill::Placed { file },
            Fill::Shared { sharing, .. } => Fill::Shared { file, sharing },
            other => other,
        }
    }
}

/// A byte that is not what was written.
#[derive(Debug, thiserror::Error)]
#[error("0x{found:02x} at byte {offset} in place of 0x{expected:02x}")]
pub(crate) struct WrongByte {
    pub(crate) offset: u64,
    pub(crate) found: u8,
    pub(crate) expected: u8,
}

/// A [`Fill`] with what it needs at hand.
#[derive(Debug, Clone)]
pub(crate) struct Content {
    fill: Fill,
    /// The source of what the place decides.
    pattern: Option<Arc<Pattern>>,
}

/// Generations of the parts that every record repeats; those of passes count from zero.
const REPEATED: u32 = u32::MAX;

/// Seed of data that the place decides: the same in every run, so that one run can compare what
/// another wrote.
const PLACED_SEED: u64 = 0x10e;

/// Comparisons go by pieces of this size.
const PIECE: usize = 4096;

impl Content {
    pub(crate) fn new(fill: Fill) -> Content {
        let seed = match fill {
            Fill::Stamped | Fill::Byte(_) => None,
            Fill::Placed { .. } => Some(PLACED_SEED),
            Fill::Shared { sharing, .. } => Some(sharing.set),
        };
        let pattern = seed.map(|seed| Arc::new(Pattern::new(seed)));
        Content { fill, pattern }
    }

    /// Fills memory once, before the clock starts; every page is touched.
    pub(crate) fn prepare(&self, memory: &mut [u8], rng: &mut Xoshiro256PlusPlus) {
        match self.fill {
            Fill::Byte(byte) => memory.fill(byte),
            _ => rng.fill_bytes(memory),
        }
    }

    /// Whether prepared memory is written as it stands there, but for a stamp.
    pub(crate) fn stays(&self) -> bool {
        self.fill == Fill::Stamped
    }

    /// Makes prepared memory the record at `offset`, written the `pass`-th time.
    #[inline]
    pub(crate) fn place(&self, memory: &mut [u8], offset: u64, pass: u64) {
        match self.fill {
            Fill::Stamped => stamp(memory, offset, pass),
            _ => self.make(memory, offset, pass),
        }
    }

    /// The same for everything but stamps, away from the loop of ordinary passes.
    #[inline(never)]
    fn make(&self, memory: &mut [u8], offset: u64, pass: u64) {
        match (self.fill, &self.pattern) {
            (Fill::Placed { file }, Some(pattern)) => pattern.fill(memory, file, offset, 0),
            (Fill::Shared { file, sharing }, Some(pattern)) => {
                share(pattern, memory, file, offset, pass, sharing);
            }
            _ => {}
        }
    }

    /// Compares what was read from `offset` with what should stand there, where that is known.
    #[inline]
    pub(crate) fn compare(&self, record: &[u8], offset: u64) -> io::Result<()> {
        match self.fill {
            Fill::Stamped => Ok(()),
            _ => self.compare_known(record, offset),
        }
    }

    #[inline(never)]
    fn compare_known(&self, record: &[u8], offset: u64) -> io::Result<()> {
        match (self.fill, &self.pattern) {
            (Fill::Byte(byte), _) => same(record, offset, |expected, _| expected.fill(byte)),
            (Fill::Placed { file }, Some(pattern)) => same(record, offset, |expected, at| {
                pattern.fill(expected, file, at, 0);
            }),
            _ => Ok(()),
        }
    }
}

/// File numbers of data: 0 is what all files share.
fn share(
    pattern: &Pattern,
    memory: &mut [u8],
    file: u32,
    offset: u64,
    pass: u64,
    sharing: Sharing,
) {
    let [own, repeated, shared] = sharing.ends(memory.len());
    let at = |part: usize| offset + part as u64;
    let (rest, alone) = memory.split_at_mut(shared);
    let (rest, across) = rest.split_at_mut(repeated);
    let (within, everywhere) = rest.split_at_mut(own);
    pattern.fill(within, file + 1, 0, REPEATED);
    pattern.fill(everywhere, 0, own as u64, REPEATED);
    pattern.fill(across, 0, at(repeated), 0);
    pattern.fill(alone, file + 1, at(shared), pass as u32);
}

#[cold]
fn wrong(offset: u64, found: u8, expected: u8) -> io::Error {
    let byte = WrongByte {
        offset,
        found,
        expected,
    };
    io::Error::new(io::ErrorKind::InvalidData, byte)
}

/// Compares piece by piece; `write` makes the piece that should stand at an offset.
fn same(record: &[u8], offset: u64, write: impl Fn(&mut [u8], u64)) -> io::Result<()> {
    let mut memory = [0; PIECE];
    let mut at = offset;
    for piece in record.chunks(PIECE) {
        let expected = &mut memory[..piece.len()];
        write(expected, at);
        if piece != expected {
            let pairs = piece.iter().zip(&*expected).zip(at..);
            let differs = |((found, expected), _): &((&u8, &u8), u64)| found != expected;
            if let Some(((&found, &expected), at)) = pairs.into_iter().find(differs) {
                return Err(wrong(at, found, expected));
            }
        }
        at += piece.len() as u64;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashMap;

    fn placed(file: u32) -> Content {
        Content::new(Fill::Placed { file })
    }

    proptest! {
        #[test]
        fn the_first_wrong_byte_is_found(
            offset in 0u64..1 << 40,
            length in 1usize..10_000,
            at: prop::sample::Index,
            more: prop::sample::Index,
            flip in 1u8..,
        ) {
            let mut record = vec![0; length];
            placed(3).place(&mut record, offset, 9);
            placed(3).compare(&record, offset).unwrap();
            let (first, second) = (at.index(length), more.index(length));
            record[first] ^= flip;
            if second != first {
                record[second] ^= flip;
            }
            let error = placed(3).compare(&record, offset).unwrap_err();
            let byte = error.downcast::<WrongByte>().unwrap();
            prop_assert_eq!(byte.offset, offset + first.min(second) as u64);
            prop_assert_eq!(byte.found ^ byte.expected, flip);
        }
    }

    #[test]
    fn another_place_or_file_is_not_taken_for_this_one() {
        let mut record = vec![0; 4096];
        placed(0).place(&mut record, 8192, 0);
        assert!(placed(0).compare(&record, 4096).is_err());
        assert!(placed(1).compare(&record, 8192).is_err());
    }

    /// Counts sectors by brute force: how many of file 0 are in it more than once, and in file 1.
    fn counted(sharing: Sharing) -> (usize, usize, usize) {
        let files = [0, 1].map(|file| {
            let content = Content::new(Fill::Shared { file, sharing });
            let mut data = vec![0; 16 * 51_200];
            for (index, record) in data.chunks_mut(51_200).enumerate() {
                content.place(record, index as u64 * 51_200, 4);
            }
            data
        });
        let mut seen: [HashMap<&[u8], usize>; 2] = Default::default();
        for (counts, data) in seen.iter_mut().zip(&files) {
            for sector in data.chunks(512) {
                *counts.entry(sector).or_default() += 1;
            }
        }
        let count = |test: &dyn Fn(bool, bool) -> bool| {
            let sectors = files[0].chunks(512);
            let found = sectors.filter(|s| test(seen[0][s] > 1, seen[1].contains_key(s)));
            found.count() / 16
        };
        (
            count(&|within, across| within && !across),
            count(&|within, across| within && across),
            count(&|within, across| !within && across),
        )
    }

    #[test]
    fn shares_are_those_of_the_options() {
        let of = |shared, repeated, own| {
            counted(Sharing {
                shared,
                repeated,
                own,
                set: 7,
            })
        };
        // Records of a hundred sectors: only within, within and across, only across.
        assert_eq!(of(0, 0, 0), (0, 0, 0));
        assert_eq!(of(50, 0, 0), (0, 0, 50));
        assert_eq!(of(50, 50, 0), (0, 25, 25));
        assert_eq!(of(50, 20, 50), (5, 5, 40));
        assert_eq!(of(100, 100, 100), (100, 0, 0));
        assert_eq!(of(50, 0, 100), (0, 0, 50));
    }

    #[test]
    fn sets_of_files_share_nothing() {
        let first = |set| {
            let sharing = Sharing {
                shared: 100,
                repeated: 100,
                own: 0,
                set,
            };
            let mut record = vec![0; 512];
            Content::new(Fill::Shared { file: 0, sharing }).place(&mut record, 0, 0);
            record
        };
        assert_eq!(first(1), first(1));
        assert_ne!(first(1), first(2));
    }
}
