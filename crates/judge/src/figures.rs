//! What the runs of one group say together: the one source of the figures and intervals that a page, a
//! document and a comparison give of the same runs.

use etalon_model::{Estimate, Headline, Interval};
use etalon_stats::{Level, MIN_RUNS_LAB, Sample};

/// Mean and median of a group of runs. The median speaks for it; in what older versions kept, the mean may.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Figures {
    pub(crate) mean: Estimate,
    pub(crate) median: Estimate,
    pub(crate) headline: Headline,
}

impl Figures {
    /// The figures of these runs alone.
    pub(crate) fn of(sample: &Sample) -> Figures {
        let headline = etalon_stats::Estimate::of_runs(sample);
        Figures::with_median(sample, record(&headline))
    }

    /// The figures of runs that are too few for an interval by their order; that of `median` is kept.
    pub(crate) fn of_few(sample: &Sample, median: &etalon_stats::Estimate) -> Figures {
        Figures::with_median(sample, whole_record(median))
    }

    fn with_median(sample: &Sample, median: Estimate) -> Figures {
        let mean = record(&sample.mean_interval(Level::REPORTED));
        Figures {
            mean: bounded(mean, sample),
            median: bounded(median, sample),
            headline: Headline::Median,
        }
    }
}

/// Rates and times are never negative, which Student's interval of a few runs that scatter widely does not know.
/// What it claims below zero is no place for the figure: without it the interval covers as often.
fn bounded(mut estimate: Estimate, sample: &Sample) -> Estimate {
    if let Some(interval) = &mut estimate.interval
        && sample.min() >= 0.0
    {
        interval.low = interval.low.max(0.0);
    }
    estimate
}

/// The record of an estimate, without an interval where the runs are too few for one of the median.
pub(crate) fn record(estimate: &etalon_stats::Estimate) -> Estimate {
    let mut record = whole_record(estimate);
    record.interval = record.interval.filter(|_| estimate.n >= MIN_RUNS_LAB);
    record
}

fn whole_record(estimate: &etalon_stats::Estimate) -> Estimate {
    Estimate {
        value: estimate.value,
        interval: estimate.interval.map(|interval| Interval {
            low: interval.low,
            high: interval.high,
            level: interval.level.get(),
        }),
        runs: u32::try_from(estimate.n).unwrap_or(u32::MAX),
    }
}
