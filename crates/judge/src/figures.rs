//! What the runs of one group say together: the one source of the figures and intervals that a page, a
//! document and a comparison give of the same runs.

use etalon_model::{Estimate, Headline, Interval};
use etalon_stats::{Level, MIN_RUNS_LAB, Sample, Statistic};

/// Mean and median of a group of runs, and which of them speaks for it.
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
        Figures::with_headline(sample, &headline, record(&headline))
    }

    /// The figures of `sample` whose headline is found by a rule of another's own; its interval is kept
    /// however few the runs are.
    pub(crate) fn by_rule(sample: &Sample, headline: &etalon_stats::Estimate) -> Figures {
        Figures::with_headline(sample, headline, whole_record(headline))
    }

    fn with_headline(
        sample: &Sample,
        headline: &etalon_stats::Estimate,
        headline_record: Estimate,
    ) -> Figures {
        match headline.statistic {
            Statistic::Median => Figures {
                mean: record(&sample.mean_interval(Level::REPORTED)),
                median: headline_record,
                headline: Headline::Median,
            },
            _ => Figures {
                mean: headline_record,
                median: record(&sample.median_interval(Level::REPORTED)),
                headline: Headline::Mean,
            },
        }
    }
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
