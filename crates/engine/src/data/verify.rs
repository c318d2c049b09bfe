//! Comparing what was read with what must be there, and naming what is wrong.

use etalon_model::VerifyReport;

use super::pattern::{Pattern, SECTOR, Stamp};

/// Offsets of bad sectors that a report keeps.
const EXAMPLES: usize = 8;

/// Which generation a block must hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Expected {
    /// This one and no other.
    Exactly(u32),
    /// Whichever its stamps name; a sector without a stamp was written by somebody else and is not compared.
    Any,
}

/// Compares `data`, read at byte `offset` of file `file`, and adds to `report`. Pieces of a sector
/// at either end bear no stamp that could name what is wrong with them: they are right or corrupt.
pub(crate) fn check(
    pattern: &Pattern,
    data: &[u8],
    file: u32,
    offset: u64,
    expected: Expected,
    report: &mut VerifyReport,
) {
    let mut at = 0;
    while at < data.len() {
        let position = offset + at as u64;
        let head = (position % SECTOR as u64) as usize;
        let length = (SECTOR - head).min(data.len() - at);
        let piece = &data[at..at + length];
        at += length;
        let flaw = if length == SECTOR {
            let here = Stamp::new(file, position / SECTOR as u64, 0);
            let flaw = whole(pattern, piece, here, expected);
            if (flaw, expected) == (Some(Flaw::Unstamped), Expected::Any) {
                report.skipped_sectors += 1;
                continue;
            }
            report.sectors += 1;
            flaw
        } else if let Expected::Exactly(generation) = expected {
            report.sectors += 1;
            let mut right = [0; SECTOR];
            let right = &mut right[..length];
            pattern.fill(right, file, position, generation);
            (*right != *piece).then_some(Flaw::Corrupt)
        } else {
            None
        };
        if let Some(flaw) = flaw {
            book(report, flaw, position);
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Flaw {
    Corrupt,
    Stale,
    Misplaced,
    Unstamped,
}

fn book(report: &mut VerifyReport, flaw: Flaw, position: u64) {
    match flaw {
        Flaw::Corrupt => report.corrupt += 1,
        Flaw::Stale => report.stale += 1,
        Flaw::Misplaced => report.misplaced += 1,
        Flaw::Unstamped => report.unstamped += 1,
    }
    if report.examples.len() < EXAMPLES {
        report.examples.push(position);
    }
}

/// What is wrong with a whole sector that should bear the place of `here`.
fn whole(pattern: &Pattern, data: &[u8], here: Stamp, expected: Expected) -> Option<Flaw> {
    let mut right = [0; SECTOR];
    if let Expected::Exactly(generation) = expected {
        pattern.sector(&mut right, Stamp { generation, ..here });
        if right == *data {
            return None;
        }
    }
    let Some(found) = pattern.stamp_of(data) else {
        return Some(damaged_or_foreign(data, &right, expected));
    };
    pattern.sector(&mut right, found);
    if right != *data {
        return Some(Flaw::Corrupt);
    }
    if found.place != here.place {
        return Some(Flaw::Misplaced);
    }
    match expected {
        Expected::Any => None,
        Expected::Exactly(generation) if found.generation == generation => None,
        Expected::Exactly(_) => Some(Flaw::Stale),
    }
}

/// A sector whose stamp does not hold is corrupt when most of it is as it should be.
fn damaged_or_foreign(data: &[u8], right: &[u8], expected: Expected) -> Flaw {
    let same = data.iter().zip(right).filter(|(a, b)| a == b).count();
    if matches!(expected, Expected::Exactly(_)) && same > SECTOR / 2 {
        Flaw::Corrupt
    } else {
        Flaw::Unstamped
    }
}

/// Adds the counts of one report to another.
pub(crate) fn merge(into: &mut VerifyReport, other: VerifyReport) {
    into.sectors += other.sectors;
    into.corrupt += other.corrupt;
    into.stale += other.stale;
    into.misplaced += other.misplaced;
    into.unstamped += other.unstamped;
    into.skipped_sectors += other.skipped_sectors;
    let room = EXAMPLES.saturating_sub(into.examples.len());
    into.examples.extend(other.examples.into_iter().take(room));
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Compares with the whole of the right data, sector by sector.
    fn slow_twin(data: &[u8], right: &[u8]) -> u64 {
        data.chunks(SECTOR)
            .zip(right.chunks(SECTOR))
            .filter(|(a, b)| a != b)
            .count() as u64
    }

    fn filled(pattern: &Pattern, file: u32, offset: u64, generation: u32) -> Vec<u8> {
        let mut data = vec![0; 8 * SECTOR];
        pattern.fill(&mut data, file, offset, generation);
        data
    }

    fn report(data: &[u8], expected: Expected) -> VerifyReport {
        let mut report = VerifyReport::default();
        check(&Pattern::new(1), data, 2, 4096, expected, &mut report);
        report
    }

    proptest! {
        #[test]
        fn finds_exactly_the_sectors_that_differ(hits in prop::collection::vec((0usize..4096, 1u8..), 0..6)) {
            let right = filled(&Pattern::new(1), 2, 4096, 5);
            let mut data = right.clone();
            for (at, change) in hits {
                data[at] ^= change;
            }
            let found = report(&data, Expected::Exactly(5));
            prop_assert_eq!(found.bad(), slow_twin(&data, &right));
            prop_assert_eq!(found.corrupt, found.bad());
            prop_assert_eq!(found.sectors, 8);
        }

        #[test]
        fn arbitrary_bytes_are_unstamped(data in prop::collection::vec(any::<u8>(), 512..1_600)) {
            let sectors = (data.len() / SECTOR) as u64;
            let found = report(&data, Expected::Exactly(5));
            prop_assert_eq!(found.unstamped, sectors);
            // Where nobody says what must be there, they are counted and not compared.
            let skipped_sectors = sectors;
            prop_assert_eq!(report(&data, Expected::Any), VerifyReport { skipped_sectors, ..VerifyReport::default() });
        }
    }

    #[test]
    fn each_flaw_has_its_name() {
        let pattern = Pattern::new(1);
        let right = filled(&pattern, 2, 4096, 5);
        assert_eq!(report(&right, Expected::Exactly(5)).bad(), 0);
        assert_eq!(report(&right, Expected::Any).bad(), 0);
        assert_eq!(
            report(&filled(&pattern, 2, 4096, 4), Expected::Exactly(5)).stale,
            8
        );
        assert_eq!(
            report(&filled(&pattern, 2, 8192, 5), Expected::Any).misplaced,
            8
        );
        assert_eq!(
            report(&filled(&pattern, 3, 4096, 5), Expected::Exactly(5)).misplaced,
            8
        );
        assert_eq!(report(&[0; 4096], Expected::Exactly(5)).unstamped, 8);
        let other_seed = filled(&Pattern::new(9), 2, 4096, 5);
        assert_eq!(report(&other_seed, Expected::Exactly(5)).unstamped, 8);
    }

    #[test]
    fn pieces_of_sectors_are_compared_too() {
        let pattern = Pattern::new(1);
        let mut data = vec![0; 1_000];
        pattern.fill(&mut data, 0, 300, 2);
        let mut report = VerifyReport::default();
        check(&pattern, &data, 0, 300, Expected::Exactly(2), &mut report);
        assert_eq!((report.bad(), report.sectors), (0, 3));
        data[999] ^= 1;
        check(&pattern, &data, 0, 300, Expected::Exactly(2), &mut report);
        assert_eq!(report.corrupt, 1);
        assert_eq!(report.examples, [1024]);
    }
}
