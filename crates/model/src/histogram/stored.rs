//! A histogram in the bytes in which it is stored.
//!
//! Unpacked the counts take about 270 KiB, most of them zeros; packed a run's latencies take one or two. Whoever reads
//! thousands of runs asks each for a few quantiles, which a short walk over the packed counts answers, from the last mark
//! before. What is computed here is what hdrhistogram computes of the same counts, and tested against it.

use std::sync::OnceLock;

use etalon_units::Nanos;

use super::packed::{Counts, HEADER, Mark};
use super::{DIGITS, HIGHEST};

/// First word of the encoding (HdrHistogram, `V2_ENCODING_COOKIE_BASE | 0x10`).
const COOKIE: u32 = 0x1c84_9313;
/// Counts that share a power of two: half of the least power of two that tells three digits apart, 2 048.
const HALF: usize = 1024;
/// Its logarithm.
const HALF_BITS: u32 = HALF.trailing_zeros();
/// Counts of a histogram up to [`HIGHEST`]: 32 powers of two, and the lower half of the first.
const COUNTS: usize = 33 * HALF;

/// Numbers from one mark to the next: the marks take a quarter of what the counts take.
const STRIDE: usize = 64;

/// The V2 encoding of a histogram with the bounds of ours.
#[derive(Debug, Clone, Default)]
pub(super) struct Stored {
    bytes: Box<[u8]>,
    /// What a walk over all counts told, once somebody asked: a page shows a few of those that it reads.
    walked: OnceLock<Walked>,
}

impl PartialEq for Stored {
    fn eq(&self, other: &Stored) -> bool {
        self.bytes == other.bytes
    }
}

/// What all counts come to; nothing where they are broken.
#[derive(Debug, Clone, Default)]
struct Walked {
    /// Every [`STRIDE`] numbers, where a walk can begin.
    marks: Box<[Mark]>,
    total: u64,
    /// The last place with a count.
    last: Option<usize>,
}

/// What the numbers passed so far come to.
#[derive(Default)]
struct BucketWalk {
    total: u64,
    /// The last place with a count.
    last: usize,
}

impl BucketWalk {
    /// Adds a place's number, a count where it is above zero; `None` where the total is more than 64 bits.
    #[inline(always)]
    fn pass(&mut self, (place, number): (usize, i64)) -> Option<()> {
        // Two choices and no branch: nothing foretells which number is a count.
        self.last = if number > 0 { place } else { self.last };
        let count = if number > 0 { number as u64 } else { 0 };
        let (total, is_over) = self.total.overflowing_add(count);
        self.total = total;
        (!is_over).then_some(())
    }
}

impl Walked {
    /// Walks over all counts once; `None` where they are broken or lie beyond our bounds.
    fn over(bytes: &[u8]) -> Option<Walked> {
        let (mut walk, mut marks) = (BucketWalk::default(), Vec::new());
        let mut counts = Counts::of(bytes);
        while !counts.is_at_end() {
            for _ in 0..STRIDE {
                if counts.is_at_end() {
                    break;
                }
                walk.pass(counts.advance()?)?;
            }
            marks.push(counts.mark(bytes, walk.total)?);
        }
        (walk.last < COUNTS).then(|| Walked {
            marks: marks.into(),
            total: walk.total,
            last: (walk.total > 0).then_some(walk.last),
        })
    }

    /// The last mark that fewer observations than `wanted` lie before.
    fn mark_before(&self, wanted: u64) -> Option<Mark> {
        let marks = self.marks.partition_point(|mark| mark.passed < wanted);
        self.marks.get(marks.checked_sub(1)?).copied()
    }
}

/// Whether the header tells of our bounds, and of as many bytes as there are.
fn is_ours(bytes: &[u8]) -> bool {
    let told = || {
        let header = bytes.get(..HEADER)?;
        let word = |at: usize| Some(u32::from_be_bytes(header.get(at..at + 4)?.try_into().ok()?));
        let long = |at: usize| Some(u64::from_be_bytes(header.get(at..at + 8)?.try_into().ok()?));
        let is_ours = word(0)? == COOKIE
            && word(4)? as usize == bytes.len() - HEADER
            && word(8)? == 0
            && word(12)? == u32::from(DIGITS)
            && (long(16)?, long(24)?, f64::from_bits(long(32)?)) == (1, HIGHEST, 1.0);
        Some(is_ours)
    };
    told().unwrap_or(false)
}

impl Stored {
    /// Walked over and found sound; `None` for any other bytes, among them encodings of other bounds.
    pub(super) fn of(bytes: &[u8]) -> Option<Stored> {
        let walked = is_ours(bytes).then(|| Walked::over(bytes)).flatten()?;
        Some(Stored {
            bytes: bytes.into(),
            walked: walked.into(),
        })
    }

    /// With counts that are walked over when they are asked for; `None` where the header tells that they are not ours.
    pub(super) fn unwalked(bytes: &[u8]) -> Option<Stored> {
        is_ours(bytes).then(|| Stored {
            bytes: bytes.into(),
            walked: OnceLock::new(),
        })
    }

    fn walked(&self) -> &Walked {
        let walk = || Walked::over(&self.bytes).unwrap_or_default();
        self.walked.get_or_init(walk)
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    pub(super) fn count(&self) -> u64 {
        self.walked().total
    }

    /// The least value of each place that has a count, and the count.
    pub(super) fn recorded(&self) -> impl Iterator<Item = (u64, u64)> {
        self.places().map(|(index, count)| (lowest(index), count))
    }

    /// The middle value of each place that has a count, and the count.
    pub(super) fn middles(&self) -> impl Iterator<Item = (Nanos, u64)> {
        let middle = |index| Nanos(lowest(index) + width(index) / 2);
        self.places()
            .map(move |(index, count)| (middle(index), count))
    }

    pub(super) fn quantile(&self, q: f64) -> Option<Nanos> {
        let walked = self.walked();
        let last = walked.last?;
        let wanted = ((q.min(1.0) * walked.total as f64).ceil() as u64).max(1);
        let begin = walked.mark_before(wanted);
        let mut passed = begin.map_or(0, |mark| mark.passed);
        let reaches = |(_, count): &(usize, u64)| {
            passed += count;
            passed >= wanted
        };
        let mut places = begin.map_or_else(
            || Counts::of(&self.bytes),
            |mark| Counts::from(&self.bytes, mark),
        );
        let found = places.by_ref().map_while(Result::ok).find(reaches);
        let found = found.map(|(index, _)| index);
        // Of very many observations the rounding of the share may ask for one more than there are.
        let index = found.unwrap_or(last);
        let value = if q == 0.0 {
            lowest(index)
        } else {
            highest(index)
        };
        Some(Nanos(value))
    }

    pub(super) fn max(&self) -> Option<Nanos> {
        self.walked().last.map(|index| Nanos(highest(index)))
    }

    pub(super) fn mean(&self) -> Option<Nanos> {
        let count = self.count();
        let total = count as f64;
        let parts = self
            .places()
            .map(|(index, count)| (lowest(index) + width(index) / 2) as f64 * count as f64 / total);
        (count > 0).then(|| Nanos(parts.fold(0.0, |sum, part| sum + part).round() as u64))
    }

    fn places(&self) -> impl Iterator<Item = (usize, u64)> {
        let is_any = self.count() > 0;
        let bytes: &[u8] = if is_any { &self.bytes } else { &[] };
        Counts::of(bytes).map_while(Result::ok)
    }
}

/// How many values a place stands for: one below 2 048, twice as many from each power of two on.
fn width(index: usize) -> u64 {
    1 << (index >> HALF_BITS).saturating_sub(1)
}

fn lowest(index: usize) -> u64 {
    match index >> HALF_BITS {
        0 | 1 => index as u64,
        power => ((index & (HALF - 1)) + HALF) as u64 * (1 << (power - 1)),
    }
}

fn highest(index: usize) -> u64 {
    lowest(index) + (width(index) - 1)
}
