//! Intervals from the windows of a single run, or a refusal.
//!
//! Batch means: the series is cut into `k` batches of equal length (what is left over is dropped
//! at the start), whose means are nearly independent, and a t interval with `k - 1` degrees of
//! freedom is taken over them (Law and Kelton, Simulation Modeling and Analysis). `k` is an eighth
//! of the effective sample size, between 5 and 30. Below 50 effective values every estimator of
//! this kind covers less than it claims, so none is issued. The interval speaks of this run only;
//! it is no statement about the next run.

use crate::sample::mean;
use crate::{Estimate, Level, Sample, Statistic};

/// Fewest effective values for which a within-run interval is issued.
pub const MIN_EFFECTIVE_N: f64 = 50.0;

const FEWEST_BATCHES: f64 = 5.0;
const MOST_BATCHES: f64 = 30.0;
const EFFECTIVE_VALUES_PER_BATCH: f64 = 8.0;

/// The mean of one run's windows and how it was obtained.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WithinRun {
    /// Mean over all windows; its interval is `None` when refused, its `n` the number of batches,
    /// or of windows when refused.
    pub estimate: Estimate,
    /// Estimated effective sample size; below [`MIN_EFFECTIVE_N`] the interval is refused.
    pub effective_n: f64,
}

impl Sample {
    /// Mean of this run's windows with a batch-means interval, refused below
    /// [`MIN_EFFECTIVE_N`] effective values.
    pub fn within_run(&self, level: Level) -> WithinRun {
        let effective_n = self.effective_n();
        let refused = WithinRun {
            estimate: Estimate {
                statistic: Statistic::Mean,
                value: mean(self.values()),
                interval: None,
                level,
                n: self.n(),
            },
            effective_n,
        };
        if effective_n < MIN_EFFECTIVE_N {
            return refused;
        }
        let batches = (effective_n / EFFECTIVE_VALUES_PER_BATCH)
            .floor()
            .clamp(FEWEST_BATCHES, MOST_BATCHES) as usize;
        WithinRun {
            estimate: self.batch_means(batches).mean_interval(level),
            effective_n,
        }
    }

    /// The means of `count` batches of equal length, in order; the oldest values that do not fill
    /// a batch are left out. `count` is at least 1 and at most `n`, or taken as the nearest.
    pub fn batch_means(&self, count: usize) -> Sample {
        let count = count.clamp(1, self.n());
        let length = self.n() / count;
        let oldest = self.n() - count * length;
        let means = self.values()[oldest..].chunks_exact(length).map(mean);
        Sample::from_checked(means.collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_values_are_dropped() {
        let sample = Sample::new(vec![100.0, 1.0, 3.0, 5.0, 7.0]).unwrap();
        assert_eq!(sample.batch_means(2).values(), [2.0, 6.0]);
        assert_eq!(sample.batch_means(0).n(), 1);
        assert_eq!(sample.batch_means(99).n(), 5);
    }

    #[test]
    fn a_drifting_run_is_refused() {
        let climb = Sample::new((0..600).map(f64::from).collect()).unwrap();
        let within = climb.within_run(Level::P95);
        assert!(within.effective_n < MIN_EFFECTIVE_N);
        assert_eq!(within.estimate.interval, None);
    }
}
