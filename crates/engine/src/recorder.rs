//! What one job books: totals and latencies by kind, and the series.

use etalon_model::{LatencyHistogram, OpTotals, SeriesPoint};
use etalon_units::{Bytes, Nanos};

/// Length of one point of the series, in nanoseconds.
pub(crate) const SLICE: u64 = 100_000_000;

/// Longest series that is kept: a week. Later points are added to the last one.
const MAX_POINTS: usize = 6_048_000;

/// What an operation did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OpKind {
    Read = 0,
    Write = 1,
    Trim = 2,
}

/// One job's figures since the last [`Recorder::restart`].
#[derive(Debug, Clone)]
pub(crate) struct Recorder {
    kinds: [KindTotals; 3],
    series: Vec<SeriesPoint>,
    open: SeriesPoint,
    open_ends: u64,
    lag: Option<LatencyHistogram>,
    alike: Alike,
    count: u64,
}

/// What operations that are booked together have in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Alike {
    kind: OpKind,
    now: u64,
    latency: u64,
    bytes: u64,
}

const NONE_YET: Alike = Alike {
    kind: OpKind::Read,
    now: 0,
    latency: 0,
    bytes: 0,
};

#[derive(Debug, Clone, Default)]
struct KindTotals {
    operations: u64,
    bytes: u64,
    latency: LatencyHistogram,
}

/// A finished recorder, ready to be merged with those of other jobs.
#[derive(Debug, Clone, Default)]
pub(crate) struct RecordedFigures {
    pub(crate) reads: OpTotals,
    pub(crate) writes: OpTotals,
    pub(crate) trims: OpTotals,
    pub(crate) series: Vec<SeriesPoint>,
    pub(crate) lag: Option<LatencyHistogram>,
}

impl Recorder {
    /// An empty recorder whose first slice begins at `origin`; `paced` keeps lags too.
    pub(crate) fn new(origin: u64, paced: bool) -> Self {
        Recorder {
            kinds: Default::default(),
            series: Vec::new(),
            open: SeriesPoint::default(),
            open_ends: origin.saturating_add(SLICE),
            lag: paced.then(LatencyHistogram::new),
            alike: NONE_YET,
            count: 0,
        }
    }

    /// Forgets everything; the first slice begins at `origin`.
    pub(crate) fn restart(&mut self, origin: u64) {
        *self = Recorder::new(origin, self.lag.is_some());
    }

    /// Books an operation that ended at `now`; calls must come in the order of `now`. Operations
    /// of one batch are alike and are counted first, then booked together.
    #[inline]
    pub(crate) fn record(&mut self, kind: OpKind, now: u64, latency: u64, bytes: u64) {
        let alike = Alike {
            kind,
            now,
            latency,
            bytes,
        };
        if self.alike == alike {
            self.count += 1;
        } else {
            self.book();
            self.alike = alike;
            self.count = 1;
        }
    }

    /// Books what was only counted.
    #[inline]
    fn book(&mut self) {
        let Alike {
            kind,
            now,
            latency,
            bytes,
        } = self.alike;
        let count = std::mem::take(&mut self.count);
        if count == 0 {
            return;
        }
        if now >= self.open_ends {
            self.close_slices(now);
        }
        let totals = &mut self.kinds[kind as usize];
        totals.operations += count;
        totals.bytes += bytes * count;
        totals.latency.record_n(latency, count);
        self.open.operations += count;
        self.open.bytes.0 += bytes * count;
        let sum = latency.saturating_mul(count);
        self.open.latency_sum_ns = self.open.latency_sum_ns.saturating_add(sum);
        self.open.latency_max = Nanos(self.open.latency_max.0.max(latency));
    }

    /// Books how late an operation started.
    #[inline]
    pub(crate) fn record_lag(&mut self, lag: u64) {
        if let Some(histogram) = &mut self.lag {
            histogram.record(lag);
        }
    }

    /// A copy that leaves alone the histograms that hold nothing.
    pub(crate) fn snapshot(&self) -> Recorder {
        let copy = |kind: &KindTotals| {
            if kind.operations > 0 {
                kind.clone()
            } else {
                KindTotals::default()
            }
        };
        Recorder {
            kinds: self.kinds.each_ref().map(copy),
            series: self.series.clone(),
            open: self.open,
            open_ends: self.open_ends,
            lag: self.lag.clone(),
            alike: self.alike,
            count: self.count,
        }
    }

    #[cold]
    fn close_slices(&mut self, now: u64) {
        while now >= self.open_ends {
            if self.series.len() >= MAX_POINTS {
                self.open_ends = u64::MAX;
                return;
            }
            self.series.push(std::mem::take(&mut self.open));
            self.open_ends = self.open_ends.saturating_add(SLICE);
        }
    }

    /// The figures up to now.
    pub(crate) fn finish(mut self) -> RecordedFigures {
        self.book();
        if self.open.operations > 0 {
            self.series.push(self.open);
        }
        let [reads, writes, trims] = self.kinds.map(|kind| OpTotals {
            operations: kind.operations,
            bytes: Bytes(kind.bytes),
            latency: kind.latency,
        });
        RecordedFigures {
            reads,
            writes,
            trims,
            series: self.series,
            lag: self.lag,
        }
    }
}

impl RecordedFigures {
    /// Operations of every kind.
    pub(crate) fn operations(&self) -> u64 {
        self.reads.operations + self.writes.operations + self.trims.operations
    }

    /// Bytes of every kind.
    pub(crate) fn bytes(&self) -> u64 {
        self.reads.bytes.0 + self.writes.bytes.0 + self.trims.bytes.0
    }

    /// The same in a series that begins `nanos` earlier, to the nearest slice.
    pub(crate) fn later(mut self, nanos: u64) -> Self {
        if !self.series.is_empty() {
            let slices = (nanos + SLICE / 2) / SLICE;
            let empty = std::iter::repeat_n(SeriesPoint::default(), slices as usize);
            self.series.splice(0..0, empty);
        }
        self
    }

    /// Adds another job's figures, slice by slice.
    pub(crate) fn merge(&mut self, other: &RecordedFigures) {
        add(&mut self.reads, &other.reads);
        add(&mut self.writes, &other.writes);
        add(&mut self.trims, &other.trims);
        let points = self.series.len().max(other.series.len());
        self.series.resize(points, SeriesPoint::default());
        for (mine, theirs) in self.series.iter_mut().zip(&other.series) {
            mine.operations += theirs.operations;
            mine.bytes.0 += theirs.bytes.0;
            mine.latency_sum_ns = mine.latency_sum_ns.saturating_add(theirs.latency_sum_ns);
            mine.latency_max = mine.latency_max.max(theirs.latency_max);
        }
        match (&mut self.lag, &other.lag) {
            (Some(mine), Some(theirs)) => mine.merge(theirs),
            (mine @ None, Some(theirs)) => *mine = Some(theirs.clone()),
            _ => {}
        }
    }
}

fn add(mine: &mut OpTotals, theirs: &OpTotals) {
    mine.operations += theirs.operations;
    mine.bytes.0 += theirs.bytes.0;
    if theirs.operations > 0 {
        mine.latency.merge(&theirs.latency);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn figures(steps: &[(u64, u64)]) -> RecordedFigures {
        let mut recorder = Recorder::new(0, false);
        let mut now = 0;
        for &(gap, bytes) in steps {
            now += gap;
            recorder.record(
                if bytes % 2 == 0 {
                    OpKind::Read
                } else {
                    OpKind::Write
                },
                now,
                gap,
                bytes,
            );
        }
        recorder.finish()
    }

    proptest! {
        #[test]
        fn the_series_sums_to_the_totals_however_jobs_are_merged(
            one in prop::collection::vec((0u64..300_000_000, 0u64..10_000), 0..80),
            two in prop::collection::vec((0u64..300_000_000, 0u64..10_000), 0..80),
        ) {
            let mut merged = figures(&one);
            merged.merge(&figures(&two));
            let all: Vec<_> = one.iter().chain(&two).collect();
            let operations: u64 = merged.series.iter().map(|p| p.operations).sum();
            let bytes: u64 = merged.series.iter().map(|p| p.bytes.0).sum();
            let sum: u64 = merged.series.iter().map(|p| p.latency_sum_ns).sum();
            prop_assert_eq!(operations, all.len() as u64);
            prop_assert_eq!(operations, merged.operations());
            prop_assert_eq!(bytes, merged.bytes());
            prop_assert_eq!(bytes, all.iter().map(|s| s.1).sum::<u64>());
            prop_assert_eq!(sum, all.iter().map(|s| s.0).sum::<u64>());
            prop_assert_eq!(merged.reads.latency.count(), merged.reads.operations);
        }
    }

    #[test]
    fn a_batch_of_equal_operations_counts_each_of_them_also_in_a_snapshot() {
        let mut recorder = Recorder::new(0, false);
        for now in [5, 5, 5, 9] {
            recorder.record(OpKind::Write, now, 3, 100);
        }
        for figures in [recorder.snapshot().finish(), recorder.finish()] {
            assert_eq!((figures.writes.operations, figures.bytes()), (4, 400));
            assert_eq!(figures.writes.latency.count(), 4);
            assert_eq!(figures.series[0].latency_sum_ns, 12);
        }
    }

    #[test]
    fn an_operation_is_booked_in_the_slice_in_which_it_ends() {
        let mut recorder = Recorder::new(1_000, false);
        recorder.record(OpKind::Read, 1_000 + SLICE - 1, 5, 10);
        recorder.record(OpKind::Read, 1_000 + SLICE, 7, 20);
        recorder.record(OpKind::Read, 1_000 + 3 * SLICE, 9, 40);
        let series = recorder.finish().series;
        let bytes: Vec<u64> = series.iter().map(|p| p.bytes.0).collect();
        assert_eq!(bytes, [10, 20, 0, 40]);
        assert_eq!(series[1].latency_max, Nanos(7));
    }
}
