//! Latencies, gathered without loss of order of size.

mod packed;
mod stored;

use std::fmt;
use std::sync::{LazyLock, OnceLock};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use etalon_units::Nanos;
use hdrhistogram::Histogram;
use hdrhistogram::serialization::{Deserializer, Serializer, V2Serializer};
use schemars::JsonSchema;
use serde::de::Visitor;
use serde::{Deserialize, Serialize};

use stored::Stored;

/// Longest latency that is told apart; longer ones count as this long.
const HIGHEST: u64 = 3_600_000_000_000;

/// Significant decimal digits. Three digits bound the relative error of a value by 0.1 %
/// (Tene, HdrHistogram: 2 048 sub-buckets to each power of two); the counts take about 270 KiB.
const DIGITS: u8 = 3;

/// Latencies from 1 ns to 1 h, each known to 0.1 %; merging two adds their counts, so that any
/// split of the same observations gives the same histogram.
///
/// What was read from a store stays packed, at a few KiB, until something is recorded or added.
///
/// Serialised as the base64 text of HdrHistogram's V2 encoding, readable by every HdrHistogram.
#[derive(Debug, Clone)]
pub struct LatencyHistogram {
    /// Each count in its place; `None` while nothing was added to what is stored.
    counts: Option<Histogram<u64>>,
    /// As it was read; out of date once there are counts.
    stored: Stored,
}

impl PartialEq for LatencyHistogram {
    fn eq(&self, other: &LatencyHistogram) -> bool {
        match (&self.counts, &other.counts) {
            (Some(one), Some(other)) => one == other,
            (None, None) if self.stored == other.stored => true,
            _ => self.to_bytes() == other.to_bytes(),
        }
    }
}

/// Why a text is not a stored histogram.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DecodeHistogramError {
    /// The text is not base64.
    #[error("the histogram's text is not base64; the record is damaged or not etalon's")]
    Base64,
    /// The bytes are no V2 histogram.
    #[error("the histogram's bytes are not HdrHistogram V2; the record is damaged or not etalon's")]
    Format,
}

impl Default for LatencyHistogram {
    fn default() -> Self {
        Self::new()
    }
}

impl LatencyHistogram {
    /// An empty histogram.
    pub fn new() -> Self {
        LatencyHistogram::of_counts(counts())
    }

    /// One without observations that takes no room until something is added: for what nearly every record lacks.
    pub fn absent() -> Self {
        LatencyHistogram {
            counts: None,
            stored: Stored::default(),
        }
    }

    /// Adds one latency in nanoseconds.
    #[inline]
    pub fn record(&mut self, nanos: u64) {
        self.unpacked().saturating_record(nanos);
    }

    /// Adds one latency `count` times.
    #[inline]
    pub fn record_n(&mut self, nanos: u64, count: u64) {
        self.unpacked().saturating_record_n(nanos, count);
    }

    /// Adds all of another histogram's observations.
    #[expect(clippy::expect_used, reason = "both sides have the bounds of `new`")]
    pub fn merge(&mut self, other: &LatencyHistogram) {
        // A page of zeros is neither made nor walked through.
        if other.count() == 0 {
            return;
        }
        if self.counts.is_none() && self.count() == 0 {
            *self = other.clone();
            return;
        }
        let own = self.unpacked();
        match &other.counts {
            Some(added) => own.add(added).expect("equal bounds always merge"),
            None => add_stored(own, &other.stored),
        }
    }

    fn of_counts(counts: Histogram<u64>) -> LatencyHistogram {
        LatencyHistogram {
            counts: Some(counts),
            stored: Stored::default(),
        }
    }

    /// The counts, each in its place.
    #[inline]
    fn unpacked(&mut self) -> &mut Histogram<u64> {
        let stored = &self.stored;
        self.counts.get_or_insert_with(|| {
            let mut unpacked = counts();
            add_stored(&mut unpacked, stored);
            unpacked
        })
    }

    /// Number of observations.
    pub fn count(&self) -> u64 {
        let stored = || self.stored.count();
        self.counts
            .as_ref()
            .map_or_else(stored, |counts| counts.len())
    }

    /// The smallest latency that at least the share `q` (0..=1) of the observations do not exceed;
    /// `None` when there are no observations.
    pub fn quantile(&self, q: f64) -> Option<Nanos> {
        let Some(counts) = &self.counts else {
            return self.stored.quantile(q);
        };
        let found = || Nanos(counts.value_at_quantile(q).min(counts.max()));
        (!counts.is_empty()).then(found)
    }

    /// The `q`-quantile where at least ten observations lie beyond it, and `None` otherwise: with
    /// fewer, the figure is one of a handful of accidents.
    pub fn tail_quantile(&self, q: f64) -> Option<Nanos> {
        let beyond = self.count() as f64 * (1.0 - q);
        // Half an observation of slack absorbs the rounding of 1 - q.
        (beyond + 1e-6 >= 10.0).then(|| self.quantile(q)).flatten()
    }

    /// The longest latency; `None` when there are no observations.
    pub fn max(&self) -> Option<Nanos> {
        let Some(counts) = &self.counts else {
            return self.stored.max();
        };
        (!counts.is_empty()).then(|| Nanos(counts.max()))
    }

    /// The mean latency; `None` when there are no observations.
    pub fn mean(&self) -> Option<Nanos> {
        let Some(counts) = &self.counts else {
            return self.stored.mean();
        };
        (!counts.is_empty()).then(|| Nanos(counts.mean().round() as u64))
    }

    /// The latencies that were observed, the shortest first, each with its count: of those that are not told apart, the middle.
    pub fn recorded(&self) -> Vec<(Nanos, u64)> {
        let Some(counts) = &self.counts else {
            return self.stored.middles().collect();
        };
        let steps = counts.iter_recorded();
        let middle = |value| Nanos(counts.median_equivalent(value));
        steps
            .map(|step| (middle(step.value_iterated_to()), step.count_at_value()))
            .collect()
    }

    /// HdrHistogram's V2 encoding, for stores.
    pub fn to_bytes(&self) -> Vec<u8> {
        // Of its four kinds of operations each run has one or two.
        static NOTHING: OnceLock<Vec<u8>> = OnceLock::new();
        match (&self.counts, self.stored.bytes()) {
            (Some(counts), _) => encoded(counts),
            (None, []) => NOTHING.get_or_init(|| encoded(&counts())).clone(),
            (None, stored) => stored.to_vec(),
        }
    }

    /// Reads what [`LatencyHistogram::to_bytes`] wrote.
    ///
    /// # Errors
    /// [`DecodeHistogramError::Format`] when the bytes are anything else.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, DecodeHistogramError> {
        match Stored::of(bytes) {
            Some(stored) => Ok(LatencyHistogram::of_stored(stored)),
            None => of_other_bounds(bytes),
        }
    }

    /// As [`LatencyHistogram::from_bytes`], of bytes that a checksum vouches for: their counts are walked over when they
    /// are asked for, and broken ones are none.
    ///
    /// # Errors
    /// [`DecodeHistogramError::Format`] when the bytes begin as no histogram does.
    pub fn from_checked_bytes(bytes: &[u8]) -> Result<Self, DecodeHistogramError> {
        match Stored::unwalked(bytes) {
            Some(stored) => Ok(LatencyHistogram::of_stored(stored)),
            None => of_other_bounds(bytes),
        }
    }

    fn of_stored(stored: Stored) -> LatencyHistogram {
        LatencyHistogram {
            counts: None,
            stored,
        }
    }
}

/// It is copied as a whole, where the library fills a new one count by count, which takes a build without
/// optimisation as long as a short run.
#[expect(
    clippy::expect_used,
    reason = "the three constants are legal by the library's contract"
)]
static NONE_COUNTED: LazyLock<Histogram<u64>> = LazyLock::new(|| {
    Histogram::new_with_bounds(1, HIGHEST, DIGITS).expect("constant bounds are legal")
});

fn counts() -> Histogram<u64> {
    NONE_COUNTED.clone()
}

#[expect(clippy::expect_used, reason = "writing to memory cannot fail")]
fn encoded(counts: &Histogram<u64>) -> Vec<u8> {
    let mut bytes = Vec::new();
    V2Serializer::new()
        .serialize(counts, &mut bytes)
        .expect("a Vec takes every byte");
    bytes
}

fn add_stored(counts: &mut Histogram<u64>, stored: &Stored) {
    for (nanos, count) in stored.recorded() {
        counts.saturating_record_n(nanos, count);
    }
}

/// An encoding whose places are not ours.
fn of_other_bounds(mut bytes: &[u8]) -> Result<LatencyHistogram, DecodeHistogramError> {
    // The library makes room for as many bytes as the header promises, up to 4 GiB.
    if promised_bytes(bytes) != Some(bytes.len()) {
        return Err(DecodeHistogramError::Format);
    }
    let stored: Histogram<u64> = Deserializer::new()
        .deserialize(&mut bytes)
        .map_err(|_| DecodeHistogramError::Format)?;
    let mut histogram = counts();
    histogram
        .add(&stored)
        .map_err(|_| DecodeHistogramError::Format)?;
    Ok(LatencyHistogram::of_counts(histogram))
}

/// Length of a V2 encoding by its own header: 40 bytes and the payload, whose length is the second
/// big-endian word (HdrHistogram's V2 encoding format). `None` for less than that.
fn promised_bytes(bytes: &[u8]) -> Option<usize> {
    let word: [u8; 4] = bytes.get(4..8)?.try_into().ok()?;
    usize::try_from(u32::from_be_bytes(word))
        .ok()?
        .checked_add(40)
}

/// Text, as docs/schema.md says.
impl JsonSchema for LatencyHistogram {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "LatencyHistogram".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        String::json_schema(generator)
    }
}

impl Serialize for LatencyHistogram {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&STANDARD_NO_PAD.encode(self.to_bytes()))
    }
}

/// One without observations: most of what is read.
static EMPTY: LazyLock<String> =
    LazyLock::new(|| STANDARD_NO_PAD.encode(LatencyHistogram::new().to_bytes()));

impl<'de> Deserialize<'de> for LatencyHistogram {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(Encoded)
    }
}

/// Reads the text where it stands, without a copy of it.
struct Encoded;

impl Visitor<'_> for Encoded {
    type Value = LatencyHistogram;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a histogram, which is a text in base64")
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<LatencyHistogram, E> {
        if text == *EMPTY {
            return Ok(LatencyHistogram::absent());
        }
        STANDARD_NO_PAD
            .decode(text)
            .map_err(|_| DecodeHistogramError::Base64)
            .and_then(|bytes| LatencyHistogram::from_bytes(&bytes))
            .map_err(E::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn exact_quantile(sorted: &[u64], q: f64) -> u64 {
        let rank = (q * sorted.len() as f64).ceil().max(1.0) as usize;
        sorted[rank.min(sorted.len()) - 1]
    }

    proptest! {
        #[test]
        fn agrees_with_an_exact_sort(mut values in prop::collection::vec(1u64..3_600_000_000_000, 1..500), q in 0.0f64..=1.0) {
            let mut histogram = LatencyHistogram::new();
            for &value in &values {
                histogram.record(value);
            }
            values.sort_unstable();
            let exact = exact_quantile(&values, q) as f64;
            let found = histogram.quantile(q).unwrap().get() as f64;
            prop_assert!((found - exact).abs() <= exact * 0.001 + 1.0, "{found} for {exact}");
        }

        #[test]
        fn merging_any_split_gives_the_same(values in prop::collection::vec(1u64..1_000_000_000, 0..200), cut in 0usize..200) {
            let cut = cut.min(values.len());
            let of = |part: &[u64]| {
                let mut histogram = LatencyHistogram::new();
                part.iter().for_each(|&value| histogram.record(value));
                histogram
            };
            let mut merged = of(&values[..cut]);
            merged.merge(&of(&values[cut..]));
            prop_assert_eq!(merged, of(&values));
        }

        #[test]
        fn packed_it_tells_what_it_told_unpacked(
            values in prop::collection::vec((0u64..50, 0u64..3_600_000_000_000, 1u64..5), 0..300),
            more in prop::collection::vec(0u64..5_000, 0..20),
            q in 0.0f64..=1.0,
        ) {
            let mut unpacked = LatencyHistogram::new();
            for &(small, large, count) in &values {
                unpacked.record_n(if small < 20 { small } else { large >> small.min(41) }, count);
            }
            let mut packed = LatencyHistogram::from_bytes(&unpacked.to_bytes()).unwrap();
            prop_assert!(packed.counts.is_none());
            for q in [q, 0.0, 0.5, 0.99, 1.0] {
                prop_assert_eq!(packed.quantile(q), unpacked.quantile(q), "{}", q);
            }
            prop_assert_eq!((packed.count(), packed.max(), packed.mean()), (unpacked.count(), unpacked.max(), unpacked.mean()));
            prop_assert_eq!(packed.to_bytes(), unpacked.to_bytes());
            prop_assert_eq!(packed.recorded(), unpacked.recorded());
            let mut sum = packed.clone();
            sum.merge(&packed);
            let mut twice = unpacked.clone();
            twice.merge(&unpacked);
            prop_assert_eq!(&sum, &twice);
            for &value in &more {
                packed.record(value);
                unpacked.record(value);
            }
            prop_assert_eq!(packed, unpacked);
        }

        #[test]
        fn what_is_read_packed_is_what_the_library_reads(
            counts in prop::collection::vec(any::<u8>(), 0..60),
        ) {
            let mut bytes = LatencyHistogram::new().to_bytes();
            bytes.truncate(40);
            bytes.extend(&counts);
            bytes[4..8].copy_from_slice(&u32::try_from(counts.len()).unwrap().to_be_bytes());
            let Some(packed) = Stored::of(&bytes) else { return Ok(()) };
            let packed = LatencyHistogram { counts: None, stored: packed };
            let unpacked = of_other_bounds(&bytes).unwrap();
            prop_assert_eq!(packed.count(), unpacked.count());
            prop_assert_eq!(packed.quantile(0.5), unpacked.quantile(0.5));
            prop_assert_eq!(packed.max(), unpacked.max());
        }

        #[test]
        fn hostile_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let _ = LatencyHistogram::from_bytes(&bytes);
        }
    }

    #[test]
    fn a_header_that_promises_more_than_there_is_is_refused() {
        let mut bytes = LatencyHistogram::new().to_bytes();
        assert!(LatencyHistogram::from_bytes(&bytes).is_ok());
        bytes[4..8].fill(0xff);
        assert_eq!(
            LatencyHistogram::from_bytes(&bytes),
            Err(DecodeHistogramError::Format)
        );
    }

    #[test]
    fn survives_json() {
        let mut histogram = LatencyHistogram::new();
        histogram.record_n(12_345, 1000);
        histogram.record(u64::MAX);
        let json = serde_json::to_string(&histogram).unwrap();
        assert_eq!(
            serde_json::from_str::<LatencyHistogram>(&json).unwrap(),
            histogram
        );
    }

    #[test]
    fn a_tail_needs_ten_observations_beyond_it() {
        let mut histogram = LatencyHistogram::new();
        histogram.record_n(100, 999);
        assert_eq!(histogram.tail_quantile(0.99), None);
        histogram.record(100);
        assert_eq!(histogram.tail_quantile(0.99), Some(Nanos(100)));
        assert_eq!(histogram.tail_quantile(0.999), None);
        assert_eq!(LatencyHistogram::new().quantile(0.5), None);
    }

    #[test]
    fn checked_bytes_are_walked_over_when_they_are_asked_for_and_broken_ones_are_none() {
        let mut histogram = LatencyHistogram::new();
        histogram.record_n(12_345, 1000);
        let mut bytes = histogram.to_bytes();
        let lazy = LatencyHistogram::from_checked_bytes(&bytes).unwrap();
        let strict = LatencyHistogram::from_bytes(&bytes).unwrap();
        let told = |of: &LatencyHistogram| (of.count(), of.quantile(0.5), of.max(), of.mean());
        assert_eq!(told(&lazy), told(&strict));
        assert_eq!(lazy.to_bytes(), bytes);
        // A number that goes on behind the end.
        *bytes.last_mut().unwrap() = 0xff;
        assert!(LatencyHistogram::from_bytes(&bytes).is_err());
        let broken = LatencyHistogram::from_checked_bytes(&bytes).unwrap();
        assert_eq!(told(&broken), told(&LatencyHistogram::absent()));
        assert!(LatencyHistogram::from_checked_bytes(b"no histogram").is_err());
    }

    #[test]
    fn an_empty_one_is_read_without_room_for_it() {
        let text = serde_json::to_string(&LatencyHistogram::new()).unwrap();
        let read: LatencyHistogram = serde_json::from_str(&text).unwrap();
        assert!(read.counts.is_none() && read.stored.bytes().is_empty());
        assert_eq!(read, LatencyHistogram::new());
    }

    #[test]
    fn what_is_absent_takes_no_room_and_is_an_empty_one() {
        let absent = LatencyHistogram::absent();
        assert!(absent.counts.is_none());
        assert_eq!(absent, LatencyHistogram::new());
        assert_eq!((absent.count(), absent.quantile(0.5)), (0, None));
        assert_eq!(absent.to_bytes(), LatencyHistogram::new().to_bytes());
        let mut both = absent.clone();
        both.record(1000);
        both.merge(&absent);
        assert_eq!(both.count(), 1);
    }

    #[test]
    fn a_record_without_trims_keeps_no_room_for_them() {
        let measured = crate::Measurement::of_nothing(Nanos(1));
        assert!(measured.trims.latency.counts.is_none());
        let text = serde_json::to_string(&measured).unwrap();
        assert!(!text.contains("trims"));
        let read: crate::Measurement = serde_json::from_str(&text).unwrap();
        assert!(read.trims.latency.counts.is_none());
        assert_eq!(read.trims, crate::OpTotals::default());
    }
}
