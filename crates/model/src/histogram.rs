//! Latencies, gathered without loss of order of size.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use etalon_units::Nanos;
use hdrhistogram::Histogram;
use hdrhistogram::serialization::{Deserializer, Serializer, V2Serializer};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Longest latency that is told apart; longer ones count as this long.
const HIGHEST: u64 = 3_600_000_000_000;

/// Significant decimal digits. Three digits bound the relative error of a value by 0.1 %
/// (Tene, HdrHistogram: 2 048 sub-buckets to each power of two); the counts take about 270 KiB.
const DIGITS: u8 = 3;

/// Latencies from 1 ns to 1 h, each known to 0.1 %; merging two adds their counts, so that any
/// split of the same observations gives the same histogram.
///
/// Serialised as the base64 text of HdrHistogram's V2 encoding, readable by every HdrHistogram.
#[derive(Debug, Clone, PartialEq)]
pub struct LatencyHistogram(Histogram<u64>);

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
    #[expect(
        clippy::expect_used,
        reason = "the three constants are legal by the library's contract"
    )]
    pub fn new() -> Self {
        LatencyHistogram(
            Histogram::new_with_bounds(1, HIGHEST, DIGITS).expect("constant bounds are legal"),
        )
    }

    /// Adds one latency in nanoseconds.
    #[inline]
    pub fn record(&mut self, nanos: u64) {
        self.0.saturating_record(nanos);
    }

    /// Adds one latency `count` times.
    #[inline]
    pub fn record_n(&mut self, nanos: u64, count: u64) {
        self.0.saturating_record_n(nanos, count);
    }

    /// Adds all of another histogram's observations.
    #[expect(clippy::expect_used, reason = "both sides have the bounds of `new`")]
    pub fn merge(&mut self, other: &LatencyHistogram) {
        self.0.add(&other.0).expect("equal bounds always merge");
    }

    /// Number of observations.
    pub fn count(&self) -> u64 {
        self.0.len()
    }

    /// The smallest latency that at least the share `q` (0..=1) of the observations do not exceed;
    /// `None` when there are no observations.
    pub fn quantile(&self, q: f64) -> Option<Nanos> {
        (self.count() > 0).then(|| Nanos(self.0.value_at_quantile(q).min(self.0.max())))
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
        (self.count() > 0).then(|| Nanos(self.0.max()))
    }

    /// The mean latency; `None` when there are no observations.
    pub fn mean(&self) -> Option<Nanos> {
        (self.count() > 0).then(|| Nanos(self.0.mean().round() as u64))
    }

    /// HdrHistogram's V2 encoding, for stores.
    #[expect(clippy::expect_used, reason = "writing to memory cannot fail")]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        V2Serializer::new()
            .serialize(&self.0, &mut bytes)
            .expect("a Vec takes every byte");
        bytes
    }

    /// Reads what [`LatencyHistogram::to_bytes`] wrote.
    ///
    /// # Errors
    /// [`DecodeHistogramError::Format`] when the bytes are anything else.
    pub fn from_bytes(mut bytes: &[u8]) -> Result<Self, DecodeHistogramError> {
        // The library makes room for as many bytes as the header promises, up to 4 GiB.
        if promised_bytes(bytes) != Some(bytes.len()) {
            return Err(DecodeHistogramError::Format);
        }
        let stored: Histogram<u64> = Deserializer::new()
            .deserialize(&mut bytes)
            .map_err(|_| DecodeHistogramError::Format)?;
        let mut histogram = LatencyHistogram::new();
        histogram
            .0
            .add(&stored)
            .map_err(|_| DecodeHistogramError::Format)?;
        Ok(histogram)
    }
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

impl<'de> Deserialize<'de> for LatencyHistogram {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        STANDARD_NO_PAD
            .decode(text)
            .map_err(|_| DecodeHistogramError::Base64)
            .and_then(|bytes| LatencyHistogram::from_bytes(&bytes))
            .map_err(serde::de::Error::custom)
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
}
