//! Short reads elsewhere that disturb the order in which a file is read.

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::record_file::RecordFile;

/// One disturbance in so many records.
const EVERY: u64 = 64;

/// Reads single bytes at random places.
#[derive(Debug)]
pub(crate) struct Jitter {
    rng: Xoshiro256PlusPlus,
    length: u64,
}

impl Jitter {
    /// Disturbs a file of `length` bytes, at least 1.
    pub(crate) fn new(length: u64, seed: u64) -> Jitter {
        Jitter {
            rng: Xoshiro256PlusPlus::seed_from_u64(seed),
            length: length.max(1),
        }
    }

    /// Before the `count`-th record.
    pub(crate) fn before(&mut self, count: u64, file: &mut dyn RecordFile) -> std::io::Result<()> {
        if count.is_multiple_of(EVERY) {
            let offset = self.rng.random_range(0..self.length);
            file.read(&mut [0], offset)?;
        }
        Ok(())
    }
}
