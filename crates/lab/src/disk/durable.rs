//! What a power cut leaves: writes that were not flushed, each kept or lost, in an order that the
//! cache allows.

use std::collections::BTreeMap;

use rand::{RngExt as _, SeedableRng as _};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::SECTOR_BYTES;

/// What is kept of what was not flushed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CutOrder {
    /// Nothing of it.
    LosesAll,
    /// Sector by sector by chance: a drive may write in any order, and tears only between sectors.
    AnyOrder {
        /// Draws which.
        seed: u64,
    },
}

/// The newest content of sectors that are not on the medium. Nothing is kept of older content in the
/// cache: a drive that overwrites in its cache has lost it as well.
#[derive(Debug, Clone, Default)]
pub struct VolatileCache {
    sectors: BTreeMap<u64, Vec<u8>>,
}

impl VolatileCache {
    /// A cache with nothing in it.
    #[must_use]
    pub fn new() -> VolatileCache {
        VolatileCache::default()
    }

    /// Takes a write.
    pub fn write(&mut self, offset_bytes: u64, data: &[u8]) {
        let size = usize::try_from(SECTOR_BYTES).unwrap_or(512);
        for (sector, content) in (offset_bytes / SECTOR_BYTES..).zip(data.chunks(size)) {
            self.sectors.insert(sector, content.to_vec());
        }
    }

    /// Puts what it holds over what was read from the medium.
    pub fn overlay(&self, offset_bytes: u64, data: &mut [u8]) {
        let size = usize::try_from(SECTOR_BYTES).unwrap_or(512);
        let first = offset_bytes / SECTOR_BYTES;
        let end = first + (data.len() / size) as u64;
        for (sector, content) in self.sectors.range(first..end) {
            let begin = usize::try_from(sector - first).unwrap_or(0) * size;
            data[begin..begin + content.len()].copy_from_slice(content);
        }
    }

    /// Bytes that would be lost.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.sectors.len() as u64 * SECTOR_BYTES
    }

    /// Empties it, as a flush does: what is to be written to the medium, by first byte.
    pub fn flush(&mut self) -> impl Iterator<Item = (u64, Vec<u8>)> + use<> {
        let sectors = std::mem::take(&mut self.sectors);
        sectors
            .into_iter()
            .map(|(sector, content)| (sector * SECTOR_BYTES, content))
    }

    /// Takes out what lies in a range, by first byte.
    pub fn take(
        &mut self,
        offset_bytes: u64,
        length_bytes: u64,
    ) -> impl Iterator<Item = (u64, Vec<u8>)> + use<> {
        let first = offset_bytes / SECTOR_BYTES;
        let mut inside = self.sectors.split_off(&first);
        let mut after = inside.split_off(&(first + length_bytes / SECTOR_BYTES));
        self.sectors.append(&mut after);
        inside
            .into_iter()
            .map(|(sector, content)| (sector * SECTOR_BYTES, content))
    }

    /// The power fails: what has reached the medium before, by first byte.
    pub fn cut(&mut self, order: CutOrder) -> Vec<(u64, Vec<u8>)> {
        match order {
            CutOrder::LosesAll => {
                self.sectors.clear();
                Vec::new()
            }
            CutOrder::AnyOrder { seed } => {
                let mut draw = Xoshiro256PlusPlus::seed_from_u64(seed);
                let share = draw.random::<f64>();
                self.flush()
                    .filter(|_| draw.random::<f64>() < share)
                    .collect()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_flushed_is_never_lost_and_the_rest_in_any_order() {
        let mut cache = VolatileCache::new();
        cache.write(1024, &[1; 2048]);
        assert_eq!(cache.flush().count(), 4);
        cache.write(0, &[2; 512 * 100]);
        let mut read = vec![0; 1024];
        cache.overlay(512, &mut read);
        assert_eq!(read, [2; 1024]);
        let kept = cache.cut(CutOrder::AnyOrder { seed: 3 });
        assert!(!kept.is_empty() && kept.len() < 100, "{}", kept.len());
        assert_eq!(cache.bytes(), 0);
        cache.write(0, &[2; 512]);
        assert!(cache.cut(CutOrder::LosesAll).is_empty());
    }
}
