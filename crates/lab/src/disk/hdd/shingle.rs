//! A shingled disk that hides it: bands that can only be written whole, and a persistent cache on the
//! outer tracks for everything else.
//!
//! Aghayev and Desnoyers, "Skylight - a window on shingled disk operation" (FAST '15), found drives
//! of this kind: a static mapping, one persistent cache at the outer diameter, and cleaning band by
//! band by read-modify-write.

use std::collections::BTreeMap;

use super::{Hdd, ShingleFigures};

/// What the persistent cache holds.
#[derive(Debug)]
pub(super) struct Shingle {
    figures: ShingleFigures,
    /// Where the next write into the cache goes.
    pointer: u64,
    used_bytes: u64,
    /// Bytes of each band that are in the cache.
    bands: BTreeMap<u64, u64>,
    /// Where a write goes on in order within its band.
    in_order: Option<u64>,
}

impl Shingle {
    pub(super) fn new(figures: ShingleFigures) -> Shingle {
        Shingle {
            figures,
            pointer: 0,
            used_bytes: 0,
            bands: BTreeMap::new(),
            in_order: None,
        }
    }

    /// Whether a write begins a band or goes on where the last one in order ended.
    fn goes_on(&self, offset: u64) -> bool {
        offset.is_multiple_of(self.figures.band_bytes) || self.in_order == Some(offset)
    }

    fn is_full(&self, more: u64) -> bool {
        self.used_bytes + more > self.figures.cache_bytes
    }

    /// Places a write into the cache, which is used round and round.
    fn place(&mut self, offset: u64, length: u64) -> u64 {
        if self.pointer + length > self.figures.cache_bytes {
            self.pointer = 0;
        }
        let place = self.pointer;
        self.pointer += length;
        self.used_bytes += length;
        *self
            .bands
            .entry(offset / self.figures.band_bytes)
            .or_default() += length;
        place
    }
}

impl Hdd {
    pub(super) fn write_shingled(
        &mut self,
        shingle: &mut Shingle,
        at_ns: u64,
        offset: u64,
        length: u64,
    ) -> u64 {
        if shingle.goes_on(offset) {
            shingle.in_order = Some(offset + length);
            return self.write_at(at_ns, offset, length);
        }
        let mut now = at_ns;
        while shingle.is_full(length) && !shingle.bands.is_empty() {
            now = self.clean_band(shingle, now);
        }
        let place = shingle.place(offset, length);
        self.write_at(now, place, length)
    }

    /// Reads the first band that has something in the cache, and writes it whole.
    fn clean_band(&mut self, shingle: &mut Shingle, at_ns: u64) -> u64 {
        let Some((band, bytes)) = shingle.bands.pop_first() else {
            return at_ns;
        };
        shingle.used_bytes = shingle.used_bytes.saturating_sub(bytes);
        let length = shingle.figures.band_bytes;
        let begin = (band * length).min(self.geometry.bytes() - length);
        // Passing over it to read costs what passing over it to write does.
        let read = self.write_at(at_ns, begin, length);
        self.write_at(read, begin, length)
    }
}
