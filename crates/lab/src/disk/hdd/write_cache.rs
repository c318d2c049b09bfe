//! Writes that were answered and are not on the medium yet.

use std::collections::{BTreeMap, VecDeque};

/// Extents that follow each other are one up to so much, about a track: what a drive writes at once.
const EXTENT_BYTES: u64 = 1 << 20;

/// One extent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Dirty {
    pub(super) length_bytes: u64,
    generation: u64,
}

/// Extents by their first byte. A flush ends a generation; it waits for all that are of it or older.
#[derive(Debug)]
pub(super) struct WriteCache {
    limit_bytes: u64,
    used_bytes: u64,
    extents: BTreeMap<u64, Dirty>,
    generation: u64,
    /// How many extents there are of each generation, from the oldest on.
    count: VecDeque<(u64, usize)>,
}

impl WriteCache {
    pub(super) fn new(limit_bytes: u64) -> WriteCache {
        WriteCache {
            limit_bytes,
            used_bytes: 0,
            extents: BTreeMap::new(),
            generation: 0,
            count: VecDeque::new(),
        }
    }

    pub(super) fn is_on(&self) -> bool {
        self.limit_bytes > 0
    }

    pub(super) fn is_clean(&self) -> bool {
        self.extents.is_empty()
    }

    /// An empty cache has room for anything, or a write larger than it would wait for ever.
    pub(super) fn has_room(&self, bytes: u64) -> bool {
        self.is_clean() || self.used_bytes + bytes <= self.limit_bytes
    }

    /// Whether one extent has all of it.
    pub(super) fn covers(&self, from: u64, to: u64) -> bool {
        let before = self.extents.range(..=from).next_back();
        before.is_some_and(|(begin, dirty)| begin + dirty.length_bytes >= to)
    }

    pub(super) fn insert(&mut self, offset: u64, length_bytes: u64) {
        if self.covers(offset, offset + length_bytes) {
            return;
        }
        self.forget(offset, offset + length_bytes);
        self.used_bytes += length_bytes;
        let generation = self.generation;
        if let Some((begin, before)) = self.extents.range_mut(..offset).next_back()
            && begin + before.length_bytes == offset
            && before.generation == generation
            && before.length_bytes + length_bytes <= EXTENT_BYTES
        {
            before.length_bytes += length_bytes;
            return;
        }
        self.extents.insert(
            offset,
            Dirty {
                length_bytes,
                generation,
            },
        );
        match self.count.back_mut() {
            Some((last, count)) if *last == generation => *count += 1,
            _ => self.count.push_back((generation, 1)),
        }
    }

    /// Extents that lie within are not needed any more; one that only overlaps is written twice.
    pub(super) fn forget(&mut self, from: u64, to: u64) {
        loop {
            let mut inside = self.extents.range(from..to);
            let found = inside.find(|(begin, dirty)| *begin + dirty.length_bytes <= to);
            let Some((&begin, _)) = found else {
                return;
            };
            self.remove(begin);
        }
    }

    /// Takes an extent out.
    pub(super) fn remove(&mut self, begin: u64) -> Option<Dirty> {
        let dirty = self.extents.remove(&begin)?;
        self.used_bytes = self.used_bytes.saturating_sub(dirty.length_bytes);
        let mut counts = self.count.iter_mut();
        if let Some((_, count)) = counts.find(|(of, _)| *of == dirty.generation) {
            *count -= 1;
        }
        while self.count.front().is_some_and(|(_, count)| *count == 0) {
            self.count.pop_front();
        }
        Some(dirty)
    }

    /// Ends a generation, and gives its number.
    pub(super) fn close_generation(&mut self) -> u64 {
        self.generation += 1;
        self.generation - 1
    }

    /// Whether something of this generation or an older one is still here.
    pub(super) fn holds_until(&self, generation: u64) -> bool {
        let oldest = self.count.front();
        oldest.is_some_and(|(of, _)| *of <= generation)
    }

    /// Extents around a byte: `each` that follow it and as many before it, none younger than this.
    pub(super) fn around(
        &self,
        byte: u64,
        each: usize,
        until: u64,
    ) -> impl Iterator<Item = u64> + '_ {
        let old = move |found: &(&u64, &Dirty)| found.1.generation <= until;
        let after = self.extents.range(byte..).filter(old).take(each);
        let before = self.extents.range(..byte).rev().filter(old).take(each);
        after.chain(before).map(|(begin, _)| *begin)
    }
}
