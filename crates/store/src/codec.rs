//! Between a run and the columns that hold it.

use std::borrow::Cow;

use etalon_model::{DecodeHistogramError, JsonRecord as _, LatencyHistogram, Run, SeriesPoint};
use etalon_units::{Bytes, Nanos};

use crate::error::{Damage, StoreError};

/// Length of one point of the series: four numbers of 64 bits.
pub(crate) const POINT_BYTES: usize = 32;

/// What the row of a run keeps beside its headline figures, each with the name of its column; read where SQLite has it.
#[derive(Debug, PartialEq)]
pub(crate) struct Parts<'a> {
    pub(crate) record_json: Cow<'a, str>,
    pub(crate) read_histogram: Cow<'a, [u8]>,
    pub(crate) write_histogram: Cow<'a, [u8]>,
    pub(crate) metadata_histogram: Cow<'a, [u8]>,
    pub(crate) lag_histogram: Option<Cow<'a, [u8]>>,
    pub(crate) series: Cow<'a, [u8]>,
}

/// How the bytes of a histogram are read.
pub(crate) type ReadHistogram = fn(&[u8]) -> Result<LatencyHistogram, DecodeHistogramError>;

impl Parts<'_> {
    pub(crate) fn of(run: &Run) -> Result<Parts<'static>, StoreError> {
        let m = &run.measurement;
        let bytes = |latency: &LatencyHistogram| Cow::Owned(latency.to_bytes());
        Ok(Parts {
            record_json: lightened(run).to_json()?.into(),
            read_histogram: bytes(&m.reads.latency),
            write_histogram: bytes(&m.writes.latency),
            metadata_histogram: bytes(&m.metadata.latency),
            lag_histogram: m.lag.as_ref().map(bytes),
            series: series_to_bytes(&m.series).into(),
        })
    }

    /// CRC-32 (IEEE 802.3) over every part, each preceded by its length as 64 bits little-endian;
    /// the missing lag of a closed loop counts as an empty one.
    pub(crate) fn crc32(&self) -> u32 {
        let mut sum = Checksum::default();
        sum.add(self.record_json.as_bytes());
        sum.add(&self.read_histogram);
        sum.add(&self.write_histogram);
        sum.add(&self.metadata_histogram);
        sum.add(self.lag_histogram.as_deref().unwrap_or_default());
        sum.add(&self.series);
        sum.finish()
    }

    /// The run again; fails with the column that cannot be read.
    pub(crate) fn run(&self, histogram: ReadHistogram) -> Result<Run, UnreadablePart> {
        let unreadable = |_| UnreadablePart("record_json");
        let histogram = |column, bytes: &[u8]| histogram(bytes).map_err(|_| UnreadablePart(column));
        let mut run = Run::from_json(&self.record_json).map_err(unreadable)?;
        let m = &mut run.measurement;
        m.reads.latency = histogram("read_histogram", &self.read_histogram)?;
        m.writes.latency = histogram("write_histogram", &self.write_histogram)?;
        m.metadata.latency = histogram("metadata_histogram", &self.metadata_histogram)?;
        m.lag = match &self.lag_histogram {
            Some(bytes) => Some(histogram("lag_histogram", bytes)?),
            None => None,
        };
        m.series = series_from_bytes(&self.series)?;
        Ok(run)
    }
}

/// The column that is not what this crate writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct UnreadablePart(pub(crate) &'static str);

impl UnreadablePart {
    pub(crate) fn of_run(self, run: i64) -> Damage {
        Damage::RunPart { run, part: self.0 }
    }
}

/// CRC-32 over parts, each with its length, so that no byte can move from one to the next.
#[derive(Default)]
pub(crate) struct Checksum(crc32fast::Hasher);

impl Checksum {
    pub(crate) fn add(&mut self, part: &[u8]) {
        self.0.update(&(part.len() as u64).to_le_bytes());
        self.0.update(part);
    }

    pub(crate) fn finish(self) -> u32 {
        self.0.finalize()
    }
}

/// The run without what has columns of its own.
fn lightened(run: &Run) -> Run {
    let mut light = run.clone();
    let m = &mut light.measurement;
    for totals in [&mut m.reads, &mut m.writes, &mut m.metadata] {
        totals.latency = LatencyHistogram::new();
    }
    m.lag = None;
    m.series.clear();
    light
}

fn series_to_bytes(series: &[SeriesPoint]) -> Vec<u8> {
    series
        .iter()
        .flat_map(|point| {
            [
                point.operations,
                point.bytes.get(),
                point.latency_sum_ns,
                point.latency_max.get(),
            ]
        })
        .flat_map(u64::to_le_bytes)
        .collect()
}

fn series_from_bytes(bytes: &[u8]) -> Result<Vec<SeriesPoint>, UnreadablePart> {
    let (points, rest) = bytes.as_chunks::<POINT_BYTES>();
    if !rest.is_empty() {
        return Err(UnreadablePart("series"));
    }
    Ok(points.iter().map(point).collect())
}

fn point(bytes: &[u8; POINT_BYTES]) -> SeriesPoint {
    let (words, _) = bytes.as_chunks::<8>();
    let mut numbers = words.iter().map(|word| u64::from_le_bytes(*word));
    let mut next = || numbers.next().unwrap_or(0);
    SeriesPoint {
        operations: next(),
        bytes: Bytes(next()),
        latency_sum_ns: next(),
        latency_max: Nanos(next()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn any_series_reads_back(numbers in prop::collection::vec(any::<[u64; 4]>(), 0..50)) {
            let series: Vec<SeriesPoint> = numbers
                .iter()
                .map(|&[operations, bytes, latency_sum_ns, max]| SeriesPoint {
                    operations,
                    bytes: Bytes(bytes),
                    latency_sum_ns,
                    latency_max: Nanos(max),
                })
                .collect();
            let bytes = series_to_bytes(&series);
            prop_assert_eq!(bytes.len(), series.len() * POINT_BYTES);
            prop_assert_eq!(series_from_bytes(&bytes), Ok(series));
        }

        #[test]
        fn a_series_that_ends_within_a_point_is_refused(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            prop_assert_eq!(series_from_bytes(&bytes).is_ok(), bytes.len() % POINT_BYTES == 0);
        }
    }

    #[test]
    fn a_checksum_sees_a_byte_move_between_parts() {
        let of = |parts: [&[u8]; 2]| {
            let mut sum = Checksum::default();
            parts.iter().for_each(|part| sum.add(part));
            sum.finish()
        };
        assert_ne!(of([b"ab", b"c"]), of([b"a", b"bc"]));
    }
}
