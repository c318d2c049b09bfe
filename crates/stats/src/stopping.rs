//! When to stop repeating: at fixed looks, once the interval is narrow, never on significance.
//!
//! The runs are looked at after 6, 8, 10, 13, 16, 20, 25 and 30. At each look the interval is
//! computed at 97 % and, once its half width is within the target, reported as a 95 % interval:
//! stopping when narrow costs coverage in small samples, and this gives it back (Chow and Robbins,
//! Annals of Mathematical Statistics 36, 1965; Nordin and Schultzberg, arXiv 2405.03487; the small
//! sample figures are simulated in `tests/proofs/stopping.rs`). The rule sees one arm only; it
//! cannot be asked whether a difference is significant, because stopping on that is what turns
//! noise into winners.

use crate::run_counts::{MIN_RUNS_LAB, MIN_RUNS_OF_MANY};
use crate::{CommonSpread, Estimate, Level, Sample, median_runs_needed};

/// The looks of a session of at most [`MAX_RUNS`](crate::MAX_RUNS) runs.
pub const DEFAULT_LOOKS: [usize; 8] = [6, 8, 10, 13, 16, 20, 25, 30];
/// The looks before those, where figures learn from one another.
const EARLY_LOOKS: [usize; 4] = [MIN_RUNS_OF_MANY, 3, 4, 5];

/// When to stop repeating one cell.
#[derive(Debug, Clone, PartialEq)]
pub struct StoppingRule {
    target: f64,
    looks: Vec<usize>,
}

/// What to do after some runs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum StopDecision {
    /// Precise enough: report this estimate.
    Stop(Estimate),
    /// Not yet: run until `next_look` runs are there.
    Continue {
        /// The number of runs at which to ask again.
        next_look: usize,
        /// What is known so far.
        so_far: Estimate,
    },
    /// The last look has passed without reaching the target.
    Undecided {
        /// What is known.
        so_far: Estimate,
        /// Forecast of the runs that would reach the target; `None` when no number would do.
        runs_needed: Option<usize>,
    },
}

/// Why a stopping rule cannot be made.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
pub enum StoppingRuleError {
    /// The target is not a share above zero.
    #[error("precision target {target}: give a share above zero, 0.025 for ±2.5 %")]
    BadTarget {
        /// The value given.
        target: f64,
    },
    /// Fewer runs than any interval of the median has.
    #[error(
        "at least {min} runs asked for: {MIN_RUNS_LAB} is the fewest with a 95 % interval of the median"
    )]
    MinTooSmall {
        /// The value given.
        min: usize,
    },
    /// The maximum is below the minimum.
    #[error("at most {max} runs but at least {min}: raise the maximum")]
    MaxBelowMin {
        /// The minimum given.
        min: usize,
        /// The maximum given.
        max: usize,
    },
}

impl StoppingRule {
    /// Stops at the relative half width `target` (0.025 is ±2.5 %), after at least `min_runs` and
    /// at most `max_runs`.
    ///
    /// # Errors
    /// When `target` is not above zero, `min_runs` is below [`MIN_RUNS_LAB`], or `max_runs` below
    /// `min_runs`.
    pub fn new(
        target: f64,
        min_runs: usize,
        max_runs: usize,
    ) -> Result<StoppingRule, StoppingRuleError> {
        if !(target > 0.0 && target.is_finite()) {
            return Err(StoppingRuleError::BadTarget { target });
        }
        if min_runs < MIN_RUNS_LAB {
            return Err(StoppingRuleError::MinTooSmall { min: min_runs });
        }
        if max_runs < min_runs {
            return Err(StoppingRuleError::MaxBelowMin {
                min: min_runs,
                max: max_runs,
            });
        }
        Ok(StoppingRule {
            target,
            looks: look_schedule(min_runs, max_runs),
        })
    }

    /// A rule for figures that learn from one another ([`CommonSpread`]): it looks after 2, 3, 4 and
    /// 5 runs too.
    ///
    /// # Errors
    /// When `target` is not above zero, or `max_runs` below [`MIN_RUNS_LAB`].
    pub fn of_many(target: f64, max_runs: usize) -> Result<StoppingRule, StoppingRuleError> {
        let alone = StoppingRule::new(target, MIN_RUNS_LAB, max_runs)?;
        let looks = EARLY_LOOKS.into_iter().chain(alone.looks).collect();
        Ok(StoppingRule { looks, ..alone })
    }

    /// The relative half width aimed at.
    pub fn target(&self) -> f64 {
        self.target
    }

    /// The run counts at which the rule looks.
    pub fn looks(&self) -> &[usize] {
        &self.looks
    }

    /// What to do after the runs in `sample`. Between two looks the answer is to go on to the
    /// next one.
    ///
    /// ```
    /// use etalon_stats::{Sample, StopDecision, StoppingRule};
    ///
    /// let rule = StoppingRule::new(0.05, 6, 30)?;
    /// let runs = Sample::new(vec![100.0, 101.0, 99.0, 100.0, 102.0, 98.0])?;
    /// assert!(matches!(rule.decide(&runs), StopDecision::Stop(_)));
    /// let few = Sample::new(vec![100.0, 101.0])?;
    /// assert!(matches!(rule.decide(&few), StopDecision::Continue { next_look: 6, .. }));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn decide(&self, sample: &Sample) -> StopDecision {
        self.decision(sample, self.estimate(sample))
    }

    /// [`StoppingRule::decide`] for a figure whose interval borrows what many have in common.
    pub fn decide_with(&self, sample: &Sample, common: &CommonSpread) -> StopDecision {
        self.decision(sample, self.estimate_with(sample, common))
    }

    fn decision(&self, sample: &Sample, so_far: Estimate) -> StopDecision {
        let n = sample.n();
        let narrow = so_far
            .relative_half_width()
            .is_some_and(|reach| reach <= self.target);
        let next_look = self.looks.iter().copied().find(|&look| look > n);
        let looking = self.looks.contains(&n) || next_look.is_none();
        match (looking && narrow, next_look) {
            (true, _) => StopDecision::Stop(so_far),
            (false, Some(next_look)) => StopDecision::Continue { next_look, so_far },
            (false, None) => StopDecision::Undecided {
                so_far,
                runs_needed: self.forecast(sample),
            },
        }
    }

    /// What would be reported if the runs ended here: [`Estimate::of_runs`].
    pub fn estimate(&self, sample: &Sample) -> Estimate {
        Estimate::of_runs(sample)
    }

    /// [`StoppingRule::estimate`] for a figure whose interval borrows what many have in common.
    pub fn estimate_with(&self, sample: &Sample, common: &CommonSpread) -> Estimate {
        let estimate = sample.median_interval_with(common, Level::INTERNAL);
        estimate.claimed_at(Level::REPORTED)
    }

    /// Runs that would reach the target if the spread stays as it is; at least one more than
    /// there are, unless the target is reached already.
    fn forecast(&self, sample: &Sample) -> Option<usize> {
        let needed = median_runs_needed(sample.cv()?, self.target, Level::INTERNAL).ok()?;
        Some(needed.max(sample.n() + 1))
    }
}

impl Estimate {
    /// What is reported of repeated runs, wherever they are shown: their median with its interpolated
    /// interval, computed at the internal level and labelled with the reported one, since they may have
    /// ended once the interval was narrow.
    pub fn of_runs(sample: &Sample) -> Estimate {
        sample.headline(Level::INTERNAL).claimed_at(Level::REPORTED)
    }
}

/// The looks between `min` and `max` runs: the default ones, `min` and `max` themselves, and a
/// quarter more each time beyond 30.
pub fn look_schedule(min: usize, max: usize) -> Vec<usize> {
    let mut looks = vec![min];
    let mut next = DEFAULT_LOOKS.iter().copied();
    while let Some(&last) = looks.last()
        && last < max
    {
        let after = next
            .find(|&look| look > last)
            .unwrap_or_else(|| last + last.div_ceil(4));
        looks.push(after.min(max));
    }
    looks
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Statistic;

    fn sample(n: usize, spread: f64) -> Sample {
        let values = (0..n).map(|i| 100.0 + spread * ((i * 7919) % 13) as f64);
        Sample::new(values.collect()).unwrap()
    }

    #[test]
    fn schedules() {
        assert_eq!(look_schedule(6, 30), DEFAULT_LOOKS);
        assert_eq!(look_schedule(10, 30), [10, 13, 16, 20, 25, 30]);
        assert_eq!(look_schedule(7, 9), [7, 8, 9]);
        assert_eq!(look_schedule(6, 6), [6]);
        assert_eq!(
            look_schedule(25, 60),
            [25, 30, 38, 48, 60],
            "a quarter more each time"
        );
    }

    #[test]
    fn a_narrow_interval_stops_at_the_first_look() {
        let rule = StoppingRule::new(0.05, 6, 30).unwrap();
        let decision = rule.decide(&sample(6, 0.1));
        let StopDecision::Stop(estimate) = decision else {
            panic!("{decision:?}");
        };
        assert_eq!(estimate.level, Level::REPORTED);
        let six = sample(6, 0.1);
        assert_eq!(
            estimate.interval.unwrap().low,
            six.min(),
            "computed at the internal level, for which six runs have no more than their range"
        );
    }

    #[test]
    fn six_runs_have_an_interval_also_where_the_mean_misleads() {
        let rule = StoppingRule::new(0.05, 6, 30).unwrap();
        let wild = Sample::new(vec![1.0, 2.0, 3.0, 2.0, 90.0, 1.0]).unwrap();
        let estimate = rule.estimate(&wild);
        let interval = estimate.interval.unwrap();
        assert_eq!(estimate.statistic, Statistic::Median);
        assert_eq!((interval.low, interval.high), (1.0, 90.0));
        assert_eq!(interval.level, Level::REPORTED);
    }

    #[test]
    fn between_looks_it_goes_on() {
        let rule = StoppingRule::new(0.05, 6, 30).unwrap();
        for (n, look) in [(1, 6), (5, 6), (7, 8), (11, 13)] {
            let decision = rule.decide(&sample(n, 0.1));
            assert!(
                matches!(decision, StopDecision::Continue { next_look, .. } if next_look == look),
                "{n} {decision:?}"
            );
        }
    }

    #[test]
    fn the_end_without_precision_is_undecided() {
        let rule = StoppingRule::new(0.001, 6, 10).unwrap();
        let decision = rule.decide(&sample(10, 1.0));
        let StopDecision::Undecided { runs_needed, .. } = decision else {
            panic!("{decision:?}");
        };
        assert!(runs_needed.unwrap() > 1000);
    }

    #[test]
    fn the_fewest_runs_are_those_whose_median_has_an_interval() {
        let of_median = |n| sample(n, 1.0).median_interval(Level::REPORTED).interval;
        assert!(of_median(MIN_RUNS_LAB).is_some() && of_median(MIN_RUNS_LAB - 1).is_none());
        // Two speeds, of which only the median speaks.
        let wild = |n: usize| Sample::new([1.0, 2.0, 3.0, 2.0, 90.0, 1.0][..n].to_vec()).unwrap();
        assert!(Estimate::of_runs(&wild(MIN_RUNS_LAB)).interval.is_some());
    }

    #[test]
    fn rules_that_cannot_be() {
        assert!(StoppingRule::new(0.0, 6, 30).is_err());
        assert!(StoppingRule::new(f64::NAN, 6, 30).is_err());
        let five = StoppingRule::new(0.05, 5, 30).unwrap_err();
        assert!(five.to_string().contains("6 is the fewest"));
        assert!(StoppingRule::new(0.05, 10, 9).is_err());
    }
}
