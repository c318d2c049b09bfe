//! Data that does not compress, differs in every sector and can be computed again.
//!
//! Each sector of 512 bytes begins with a stamp of 16 bytes: the sector's number with the file's
//! number, the generation, and a check of both, scrambled so that the stamps do not compress
//! either. The rest is a window of a seeded random pool,
//! chosen by a hash of the stamp and XORed with a 64-bit key from the same hash. Two sectors with
//! different stamps share neither window nor key, save by a chance of 2^-64, so no compressor or
//! deduplicator finds anything.

use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::offsets::{mix, unmix};

/// Size of what one stamp covers: the smallest unit that any disk writes.
pub(super) const SECTOR: usize = 512;

/// Words of 64 bits in a sector.
const WORDS: usize = SECTOR / 8;

/// Windows to choose from; the pool of 256 KiB stays in a second-level cache.
const WINDOWS: usize = 32_768;

/// Bits of the stamp's first word that hold the sector's number; the rest holds the file's.
pub(super) const SECTOR_BITS: u32 = 48;

/// The source of all data for one seed.
#[derive(Debug)]
pub struct Pattern {
    pool: Vec<u64>,
    seed: u64,
}

/// What a sector says of itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stamp {
    /// The file's number in the high bits, the sector's in the low [`SECTOR_BITS`].
    pub(super) place: u64,
    /// 0 as laid out, growing with each time the block is written.
    pub(super) generation: u32,
}

impl Stamp {
    /// The stamp of a sector of a file.
    pub(super) fn new(file: u32, sector: u64, generation: u32) -> Self {
        let place = (u64::from(file) << SECTOR_BITS) | (sector & ((1 << SECTOR_BITS) - 1));
        Stamp { place, generation }
    }
}

impl Pattern {
    /// The data that `seed` decides.
    pub fn new(seed: u64) -> Self {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let pool = (0..WINDOWS + WORDS).map(|_| rng.next_u64()).collect();
        Pattern { pool, seed }
    }

    /// The seed it was made from.
    pub(crate) fn seed(&self) -> u64 {
        self.seed
    }

    /// Fills `block`, which lies at byte `offset` of file `file`. Where either end is not on a
    /// sector's boundary, that part of the sector is written that falls within.
    pub fn fill(&self, block: &mut [u8], file: u32, offset: u64, generation: u32) {
        let head = (offset % SECTOR as u64) as usize;
        let mut sector = offset / SECTOR as u64;
        let mut rest = block;
        if head != 0 {
            let mut whole = [0; SECTOR];
            self.sector(&mut whole, Stamp::new(file, sector, generation));
            let length = rest.len().min(SECTOR - head);
            let (part, after) = rest.split_at_mut(length);
            part.copy_from_slice(&whole[head..head + length]);
            rest = after;
            sector += 1;
        }
        let mut chunks = rest.chunks_exact_mut(SECTOR);
        for chunk in &mut chunks {
            self.sector(chunk, Stamp::new(file, sector, generation));
            sector += 1;
        }
        let tail = chunks.into_remainder();
        if !tail.is_empty() {
            let mut whole = [0; SECTOR];
            self.sector(&mut whole, Stamp::new(file, sector, generation));
            tail.copy_from_slice(&whole[..tail.len()]);
        }
    }

    /// The check that follows a stamp; the seed makes it this tool's and this layout's.
    #[inline]
    fn hash(&self, stamp: Stamp) -> u64 {
        let place = mix(stamp.place ^ self.seed) ^ mix(!self.seed);
        mix(place.wrapping_add(u64::from(stamp.generation)))
    }

    /// Fills one sector.
    #[inline]
    pub(super) fn sector(&self, out: &mut [u8], stamp: Stamp) {
        let hash = self.hash(stamp);
        let key = mix(hash);
        let window = (hash % WINDOWS as u64) as usize;
        for (bytes, word) in out
            .chunks_exact_mut(8)
            .zip(&self.pool[window..window + WORDS])
        {
            bytes.copy_from_slice(&(word ^ key).to_le_bytes());
        }
        let [first, second] = self.scramble(stamp, hash);
        out[..8].copy_from_slice(&first.to_le_bytes());
        out[8..16].copy_from_slice(&second.to_le_bytes());
    }

    /// The 16 bytes of a stamp, as two words.
    #[inline]
    fn scramble(&self, stamp: Stamp, hash: u64) -> [u64; 2] {
        let first = mix(stamp.place ^ self.seed);
        let check = hash & !u64::from(u32::MAX);
        [first, (check | u64::from(stamp.generation)) ^ mix(!first)]
    }

    /// The stamp that a sector bears; `None` when it bears none of this seed.
    pub(super) fn stamp_of(&self, sector: &[u8]) -> Option<Stamp> {
        let word = |at: usize| {
            let bytes = sector.get(at..at + 8)?;
            Some(u64::from_le_bytes(bytes.try_into().ok()?))
        };
        let (first, second) = (word(0)?, word(8)?);
        let generation = (second ^ mix(!first)) as u32;
        let stamp = Stamp {
            place: unmix(first) ^ self.seed,
            generation,
        };
        (self.scramble(stamp, self.hash(stamp)) == [first, second]).then_some(stamp)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashSet;

    #[test]
    fn a_mebibyte_does_not_compress_and_no_two_sectors_are_equal() {
        let mut data = vec![0; 1 << 20];
        Pattern::new(5).fill(&mut data, 0, 0, 0);
        for level in [1, 19] {
            let packed = zstd::bulk::compress(&data, level).unwrap();
            assert!(
                packed.len() as f64 > 0.999 * data.len() as f64,
                "{}",
                packed.len()
            );
        }
        let sectors: HashSet<&[u8]> = data.chunks(SECTOR).collect();
        assert_eq!(sectors.len(), data.len() / SECTOR);
        let eighths: HashSet<&[u8]> = data.chunks(8).collect();
        assert!(
            eighths.len() as f64 > 0.9999 * (data.len() / 8) as f64,
            "{}",
            eighths.len()
        );
    }

    #[test]
    fn file_sector_generation_and_seed_all_change_the_data() {
        let sector = |seed, file, offset, generation| {
            let mut data = vec![0; SECTOR];
            Pattern::new(seed).fill(&mut data, file, offset, generation);
            data
        };
        let all = [
            sector(1, 0, 0, 0),
            sector(2, 0, 0, 0),
            sector(1, 1, 0, 0),
            sector(1, 0, 512, 0),
            sector(1, 0, 0, 1),
        ];
        assert_eq!(all.iter().collect::<HashSet<_>>().len(), all.len());
        let tails: HashSet<&[u8]> = all.iter().map(|s| &s[16..]).collect();
        assert_eq!(tails.len(), all.len());
    }

    proptest! {
        #[test]
        fn a_stamp_reads_back(seed: u64, file in 0u32..65_536, sector in 0u64..1 << 48, generation: u32) {
            let pattern = Pattern::new(seed);
            let mut data = vec![0; SECTOR];
            let offset = sector.min(u64::MAX / 512) * 512;
            pattern.fill(&mut data, file, offset, generation);
            prop_assert_eq!(pattern.stamp_of(&data), Some(Stamp::new(file, sector, generation)));
            prop_assert_eq!(Pattern::new(!seed).stamp_of(&data), None);
        }

        #[test]
        fn any_piece_equals_the_same_piece_of_the_whole(start in 0usize..3_000, length in 0usize..3_000) {
            let pattern = Pattern::new(9);
            let mut whole = vec![0; 6_000];
            pattern.fill(&mut whole, 3, 0, 7);
            let mut piece = vec![0; length];
            pattern.fill(&mut piece, 3, start as u64, 7);
            prop_assert_eq!(&piece[..], &whole[start..start + length]);
        }
    }
}
