//! Numbered records that are recognised byte by byte.

use crate::disk::SECTOR_BYTES;
use crate::noise;

/// Sets the noise of records apart from that of a disk of the same seed.
const OF_RECORDS: u64 = 0x5245_434F_5244_5300;

/// All records of a seed. Every sector of one is noise of its number, so that nothing else is taken for it: no
/// old record, no other one, and no disk that was used before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Records {
    seed: u64,
}

/// What is left of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RecordState {
    /// All of it.
    Kept,
    /// Some sectors of it.
    Torn,
    /// Nothing of it.
    Lost,
}

/// A record of which somebody was told that it is durable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Promised {
    /// Its number, from 0 on.
    pub number: u64,
    /// When it was promised, in nanoseconds of writing from the first record on.
    pub at_ns: u64,
}

/// A promised record that is not there any more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LostRecord {
    /// The promise.
    pub promised: Promised,
    /// What is left of it, which is not all.
    pub state: RecordState,
}

/// One power cut.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PowerCut {
    /// Which, from 1 on.
    pub number: u64,
    /// When, in nanoseconds of writing from the first record on.
    pub at_ns: u64,
    /// Records that had been promised by then.
    pub promised: u64,
    /// Those of them that are not there afterwards.
    pub lost: Vec<LostRecord>,
    /// Bytes that the disk lost, as it alone knows, promised or not.
    pub dropped_bytes: u64,
}

impl PowerCut {
    /// Of the lost ones those of which some sectors are left.
    #[must_use]
    pub fn torn(&self) -> u64 {
        let torn = |lost: &&LostRecord| lost.state == RecordState::Torn;
        self.lost.iter().filter(torn).count() as u64
    }
}

impl LostRecord {
    /// Of these promises the ones that were not kept, by what is left of each.
    pub fn among(
        promised: &[Promised],
        state: impl Fn(Promised) -> RecordState,
    ) -> Vec<LostRecord> {
        let lost = promised.iter().map(|&promised| match state(promised) {
            RecordState::Kept => None,
            state => Some(LostRecord { promised, state }),
        });
        lost.flatten().collect()
    }
}

impl Records {
    /// Bytes of each.
    pub const BYTES: u64 = 4096;

    /// Those of this seed.
    #[must_use]
    pub fn new(seed: u64) -> Records {
        Records {
            seed: seed ^ OF_RECORDS,
        }
    }

    /// Where one begins, in a file or on a device that holds nothing else, in bytes.
    #[must_use]
    pub fn offset(number: u64) -> u64 {
        number * Records::BYTES
    }

    /// One of them.
    #[must_use]
    pub fn content(&self, number: u64) -> Vec<u8> {
        let mut content = vec![0; usize::try_from(Records::BYTES).unwrap_or(0)];
        noise::fill(&mut content, self.seed, Records::offset(number));
        content
    }

    /// What of it was found where it should be, with whatever follows it.
    #[must_use]
    pub fn state(&self, number: u64, found: &[u8]) -> RecordState {
        let content = self.content(number);
        let size = usize::try_from(SECTOR_BYTES).unwrap_or(512);
        let sectors = content.chunks(size).zip(found.chunks(size));
        let kept = sectors.filter(|(wanted, found)| wanted == found).count();
        match kept * size {
            0 => RecordState::Lost,
            bytes if bytes == content.len() => RecordState::Kept,
            _ => RecordState::Torn,
        }
    }

    /// Of these the ones that are not in what is left from the first record on, which may be less than all.
    #[must_use]
    pub fn lost(&self, promised: &[Promised], left: &[u8]) -> Vec<LostRecord> {
        LostRecord::among(promised, |promised| {
            let offset = usize::try_from(Records::offset(promised.number));
            let found = offset.ok().and_then(|offset| left.get(offset..));
            self.state(promised.number, found.unwrap_or_default())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_recognised_by_every_sector_of_it() {
        let records = Records::new(7);
        let mut found = records.content(3);
        assert_eq!(records.state(3, &found), RecordState::Kept);
        assert_eq!(records.state(4, &found), RecordState::Lost);
        assert_eq!(Records::new(8).state(3, &found), RecordState::Lost);
        found[4000] ^= 1;
        assert_eq!(records.state(3, &found), RecordState::Torn);
        assert_eq!(records.state(3, &found[..1000]), RecordState::Torn);
        assert_eq!(records.state(3, &[]), RecordState::Lost);
        let mut unwritten = vec![0; 4096];
        noise::fill(&mut unwritten, 7, 3 * 4096);
        assert_eq!(records.state(3, &unwritten), RecordState::Lost);
    }
}
