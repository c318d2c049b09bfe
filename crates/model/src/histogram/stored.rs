//! A histogram in the bytes in which it is stored.
//!
//! Unpacked the counts take about 270 KiB, most of them zeros; packed a run's latencies take one or two. Whoever reads
//! thousands of runs asks each for a few quantiles, which a walk over the packed counts answers. What is computed here
//! is what hdrhistogram computes of the same counts, and tested against it.

use etalon_units::Nanos;

use super::{DIGITS, HIGHEST};

/// First word of the encoding (HdrHistogram, `V2_ENCODING_COOKIE_BASE | 0x10`).
const COOKIE: u32 = 0x1c84_9313;
/// Bytes before the counts: cookie, length, offset, digits, lowest, highest, ratio.
const HEADER: usize = 40;
/// Counts that share a power of two: half of the least power of two that tells three digits apart, 2 048.
const HALF: usize = 1024;
/// Its logarithm.
const HALF_BITS: u32 = HALF.trailing_zeros();
/// Counts of a histogram up to [`HIGHEST`]: 32 powers of two, and the lower half of the first.
const COUNTS: usize = 33 * HALF;

/// The V2 encoding of a histogram with the bounds of ours, walked over once and found sound.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Stored {
    bytes: Box<[u8]>,
    total: u64,
    /// The last place with a count.
    last: Option<usize>,
}

impl Stored {
    /// `None` for any other bytes, among them encodings of other bounds.
    pub(super) fn of(bytes: &[u8]) -> Option<Stored> {
        let header = bytes.get(..HEADER)?;
        let word = |at: usize| Some(u32::from_be_bytes(header.get(at..at + 4)?.try_into().ok()?));
        let long = |at: usize| Some(u64::from_be_bytes(header.get(at..at + 8)?.try_into().ok()?));
        let is_ours = word(0)? == COOKIE
            && word(4)? as usize == bytes.len() - HEADER
            && word(8)? == 0
            && word(12)? == u32::from(DIGITS)
            && (long(16)?, long(24)?, f64::from_bits(long(32)?)) == (1, HIGHEST, 1.0);
        let mut stored = Stored {
            bytes: Box::default(),
            total: 0,
            last: None,
        };
        if !is_ours {
            return None;
        }
        for place in Counts::of(bytes) {
            let (index, count) = place.ok().filter(|(index, _)| *index < COUNTS)?;
            stored.total = stored.total.checked_add(count)?;
            stored.last = Some(index);
        }
        stored.bytes = bytes.into();
        Some(stored)
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    pub(super) fn count(&self) -> u64 {
        self.total
    }

    /// The least value of each place that has a count, and the count.
    pub(super) fn recorded(&self) -> impl Iterator<Item = (u64, u64)> {
        self.places().map(|(index, count)| (lowest(index), count))
    }

    pub(super) fn quantile(&self, q: f64) -> Option<Nanos> {
        let wanted = ((q.min(1.0) * self.total as f64).ceil() as u64).max(1);
        let mut passed = 0u64;
        let reaches = |(_, count): &(usize, u64)| {
            passed += count;
            passed >= wanted
        };
        let found = self.places().find(reaches).map(|(index, _)| index);
        // Of very many observations the rounding of the share may ask for one more than there are.
        let index = found.or(self.last)?;
        let value = if q == 0.0 {
            lowest(index)
        } else {
            highest(index)
        };
        Some(Nanos(value))
    }

    pub(super) fn max(&self) -> Option<Nanos> {
        self.last.map(|index| Nanos(highest(index)))
    }

    pub(super) fn mean(&self) -> Option<Nanos> {
        let total = self.total as f64;
        let parts = self
            .places()
            .map(|(index, count)| (lowest(index) + width(index) / 2) as f64 * count as f64 / total);
        (self.total > 0).then(|| Nanos(parts.fold(0.0, |sum, part| sum + part).round() as u64))
    }

    fn places(&self) -> impl Iterator<Item = (usize, u64)> {
        Counts::of(&self.bytes).map_while(Result::ok)
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

/// The counts above zero with their places, from packed numbers: a count, or a number of zeros below zero.
struct Counts<'a> {
    rest: &'a [u8],
    index: usize,
}

/// The bytes are no counts.
struct Broken;

impl Counts<'_> {
    fn of(bytes: &[u8]) -> Counts<'_> {
        Counts {
            rest: bytes.get(HEADER..).unwrap_or_default(),
            index: 0,
        }
    }

    /// The next number: seven bits a byte, the lowest first, of the ninth byte all eight; the sign in the lowest bit.
    fn number(&mut self) -> Option<i64> {
        let mut packed = 0u64;
        for at in 0..9 {
            let (byte, rest) = self.rest.split_first()?;
            self.rest = rest;
            let bits = if at == 8 { *byte } else { byte & 0x7f };
            packed |= u64::from(bits) << (7 * at);
            if at == 8 || byte & 0x80 == 0 {
                break;
            }
        }
        Some((packed >> 1) as i64 ^ -((packed & 1) as i64))
    }
}

impl Iterator for Counts<'_> {
    type Item = Result<(usize, u64), Broken>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.rest.is_empty() {
            let Some(number) = self.number() else {
                return Some(Err(Broken));
            };
            let place = self.index;
            let step = if number < 0 { number.unsigned_abs() } else { 1 };
            let next = usize::try_from(step)
                .ok()
                .and_then(|step| place.checked_add(step));
            let Some(next) = next else {
                return Some(Err(Broken));
            };
            self.index = next;
            if number > 0 {
                return Some(Ok((place, number.unsigned_abs())));
            }
        }
        None
    }
}
