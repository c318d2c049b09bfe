//! What files of trees are filled with.

use etalon_units::Bytes;
use rand::{Rng as _, RngExt as _, SeedableRng as _};
use rand_xoshiro::Xoshiro256PlusPlus;

/// No layer below looks for equal data in smaller pieces.
const PAGE: usize = 4096;

/// So much is written of a file before any of the same memory is written again: whatever compresses
/// looks back less far.
const POOL: usize = 1 << 20;

/// Data for one file after the other: zeros, or data that do not compress and of which no page is
/// equal to another, whichever files they are in.
#[derive(Debug)]
pub(crate) struct FileData {
    pool: Vec<u8>,
    /// Most bytes written at once.
    piece: usize,
    /// Where the numbers of pages come from; `None` for zeros.
    random: Option<Xoshiro256PlusPlus>,
}

impl FileData {
    /// For files of `size` bytes, written by at most `piece` at once; `seed` decides the data.
    pub(crate) fn random(size: Bytes, piece: usize, seed: u64) -> FileData {
        let mut data = FileData::zeros(size, piece);
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        random.fill(&mut data.pool[..]);
        data.random = Some(random);
        data
    }

    /// The same with zeros throughout.
    pub(crate) fn zeros(size: Bytes, piece: usize) -> FileData {
        let piece = piece.max(1);
        let length = size.get().min(POOL.next_multiple_of(piece) as u64) as usize;
        FileData {
            pool: vec![0; length.max(1)],
            piece,
            random: None,
        }
    }

    /// What is written next to a file of which `done` bytes are written and `left` are not.
    pub(crate) fn next(&mut self, done: u64, left: u64) -> &[u8] {
        let at = (done % self.pool.len() as u64) as usize;
        let length = self.piece.min(self.pool.len() - at);
        let length = left.min(length as u64) as usize;
        let data = &mut self.pool[at..at + length];
        if let Some(random) = &mut self.random {
            for page in data.chunks_mut(PAGE) {
                let number = random.next_u64().to_le_bytes();
                let length = page.len().min(number.len());
                page[..length].copy_from_slice(&number[..length]);
            }
        }
        data
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    fn file(data: &mut FileData, size: u64) -> Vec<u8> {
        let mut file = Vec::new();
        while (file.len() as u64) < size {
            let done = file.len() as u64;
            file.extend_from_slice(data.next(done, size - done));
        }
        file
    }

    #[test]
    fn no_piece_of_a_file_stands_in_it_again_within_a_mebibyte() {
        for (size, piece) in [(40 << 10, 1 << 20), (64 << 10, 512), (3 << 20, 4096)] {
            let mut data = FileData::random(Bytes(size), piece, 7);
            for window in file(&mut data, size).chunks(1 << 20) {
                let pieces: HashSet<&[u8]> = window.chunks(32).collect();
                assert_eq!(pieces.len(), window.len() / 32, "{size} by {piece}");
            }
        }
    }

    #[test]
    fn no_page_of_any_file_is_equal_to_another() {
        let mut seen = HashSet::new();
        for seed in 0..2 {
            let mut data = FileData::random(Bytes(10_000), 4096, seed);
            for _ in 0..3 {
                for page in file(&mut data, 10_000).chunks(4096) {
                    assert!(seen.insert(page.to_vec()));
                }
            }
        }
    }

    #[test]
    fn files_of_every_size_are_whole() {
        for size in [0, 1, 7, 511, 4096, 5000, (1 << 20) + 1] {
            for piece in [0, 1, 100, 4096, 2 << 20] {
                if size > 5000 && piece < 100 {
                    continue;
                }
                let mut data = FileData::random(Bytes(size), piece, 1);
                assert_eq!(
                    file(&mut data, size).len() as u64,
                    size,
                    "{size} by {piece}"
                );
                let mut zeros = FileData::zeros(Bytes(size), piece);
                assert!(file(&mut zeros, size).iter().all(|&byte| byte == 0));
            }
        }
    }
}
