//! Repetition at several levels: which level makes the noise, and how to spend the time.
//!
//! Kalibera and Jones, Rigorous Benchmarking in Reasonable Time, ISMM 2013, with levels 1 (lowest:
//! windows) to n (highest: preparations). `S_i^2` is the variance of the means of level-`i` units
//! within their parents. `T_i^2`, what level `i` itself contributes, is
//! `T_1^2 = S_1^2` and `T_i^2 = S_i^2 - S_(i-1)^2 / r_(i-1)`; the paper's first printing
//! subtracted `T_(i-1)^2 / r_(i-1)`, which its authors corrected. The repetitions that buy most
//! precision for their cost are `r_i = ceil(sqrt(c_(i+1) / c_i * T_i^2 / T_(i+1)^2))` for `i < n`.
//! The interval is a t interval over the means of the highest level.
//!
//! Not called yet. The need: plans that are split plots repeat what is expensive to change less often than what
//! is cheap, and have to say which of both makes the noise.

use crate::sample::mean;
use crate::{Estimate, Level, Sample, SampleError};

/// Values repeated at two or more levels, equally often everywhere.
#[derive(Debug, Clone, PartialEq)]
pub struct NestedSample {
    values: Sample,
    repetitions: Vec<usize>,
}

/// Why values do not make a nested sample.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum NestedError {
    /// A level with fewer than two repetitions has no variance.
    #[error("level {level} has {repetitions} repetition(s): every level needs at least 2")]
    TooFewRepetitions {
        /// The level, 1 being the lowest.
        level: usize,
        /// Its repetitions.
        repetitions: usize,
    },
    /// No level was given.
    #[error("no levels given: name at least the repetitions of one level")]
    NoLevels,
    /// The number of values is not the product of the repetitions.
    #[error("{values} values where the repetitions multiply to {expected}")]
    CountsDiffer {
        /// Values given.
        values: usize,
        /// Product of the repetitions.
        expected: usize,
    },
    /// The values themselves are not a sample.
    #[error(transparent)]
    Sample(#[from] SampleError),
}

/// Why costs cannot be used.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
pub enum CostError {
    /// There is not one cost per level.
    #[error("{costs} costs for {levels} levels: give one per level, the lowest first")]
    CountsDiffer {
        /// Costs given.
        costs: usize,
        /// Levels of the sample.
        levels: usize,
    },
    /// A cost is not above zero.
    #[error("cost {cost}: give the time of one more repetition, above zero")]
    NotPositive {
        /// The cost given.
        cost: f64,
    },
}

/// How often to repeat a level.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Repetitions {
    /// So often.
    Times(usize),
    /// As often as the budget allows: the level above adds no noise of its own.
    AllEffortHere,
}

impl NestedSample {
    /// `values` in the order measured, the lowest level varying fastest; `repetitions` per level,
    /// the lowest first: `[windows per run, runs per preparation, preparations]`.
    ///
    /// # Errors
    /// When a level has fewer than 2 repetitions, the counts do not multiply to the number of
    /// values, or a value is no number.
    pub fn new(values: Vec<f64>, repetitions: &[usize]) -> Result<NestedSample, NestedError> {
        if repetitions.is_empty() {
            return Err(NestedError::NoLevels);
        }
        for (i, &repetitions) in repetitions.iter().enumerate() {
            if repetitions < 2 {
                let level = i + 1;
                return Err(NestedError::TooFewRepetitions { level, repetitions });
            }
        }
        let expected = repetitions
            .iter()
            .fold(1_usize, |product, &r| product.saturating_mul(r));
        if expected != values.len() {
            return Err(NestedError::CountsDiffer {
                values: values.len(),
                expected,
            });
        }
        Ok(NestedSample {
            values: Sample::new(values)?,
            repetitions: repetitions.to_vec(),
        })
    }

    /// Mean over everything, with the t interval over the means of the highest level.
    pub fn mean_interval(&self, level: Level) -> Estimate {
        let per_unit = self.values.n() / self.repetitions[self.repetitions.len() - 1];
        let means = self.values.values().chunks_exact(per_unit).map(mean);
        Sample::from_checked(means.collect()).mean_interval(level)
    }

    /// `S_i^2` per level, the lowest first: the mean variance of units within their parent.
    pub fn biased_variances(&self) -> Vec<f64> {
        let mut means = self.values.values().to_vec();
        let mut variances = Vec::with_capacity(self.repetitions.len());
        for &repetitions in &self.repetitions {
            let families = means.chunks_exact(repetitions);
            let squares: f64 = families.clone().map(squares_within).sum();
            let freedom = (means.len() / repetitions) * (repetitions - 1);
            variances.push(squares / freedom as f64);
            means = families.map(mean).collect();
        }
        variances
    }

    /// `T_i^2` per level, the lowest first: what each level adds to the variance on its own. An
    /// estimate at or below zero means that nothing is seen of the level.
    pub fn own_variances(&self) -> Vec<f64> {
        let biased = self.biased_variances();
        (0..biased.len())
            .map(|i| match i.checked_sub(1) {
                None => biased[0],
                Some(below) => biased[i] - biased[below] / self.repetitions[below] as f64,
            })
            .collect()
    }

    /// The repetitions of each level but the highest that give most precision for their cost;
    /// `costs` holds the time of one more repetition per level, the lowest first.
    ///
    /// # Errors
    /// When there is not one cost above zero per level.
    pub fn optimal_repetitions(&self, costs: &[f64]) -> Result<Vec<Repetitions>, CostError> {
        if costs.len() != self.repetitions.len() {
            return Err(CostError::CountsDiffer {
                costs: costs.len(),
                levels: self.repetitions.len(),
            });
        }
        if let Some(&cost) = costs.iter().find(|c| !(c.is_finite() && **c > 0.0)) {
            return Err(CostError::NotPositive { cost });
        }
        let own = self.own_variances();
        let pairs = own.windows(2).zip(costs.windows(2));
        Ok(pairs
            .map(|(variance, cost)| {
                optimal_repetitions(variance[0], variance[1], cost[1] / cost[0])
            })
            .collect())
    }
}

fn squares_within(family: &[f64]) -> f64 {
    let centre = mean(family);
    family.iter().map(|v| (v - centre).powi(2)).sum()
}

/// Repetitions of a level that adds the variance `own`, below one that adds `above` and whose
/// repetition costs `cost_ratio` times as much.
pub fn optimal_repetitions(own: f64, above: f64, cost_ratio: f64) -> Repetitions {
    if above <= 0.0 {
        return Repetitions::AllEffortHere;
    }
    // The slack keeps an exact 6 from becoming 7 by rounding.
    let best = ((cost_ratio * own.max(0.0) / above).sqrt() - 1e-9).ceil();
    Repetitions::Times(best.max(1.0) as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two preparations of two runs of two windows, small enough to work out by hand.
    fn small() -> NestedSample {
        let values = vec![1.0, 3.0, 5.0, 7.0, 11.0, 13.0, 19.0, 21.0];
        NestedSample::new(values, &[2, 2, 2]).unwrap()
    }

    #[test]
    fn variances_by_hand() {
        // Window pairs differ by 2 (variance 2); run means 2, 6 and 12, 20; preparation means 4, 16.
        assert_eq!(small().biased_variances(), [2.0, 20.0, 72.0]);
        // 20 - 2/2 and 72 - 20/2; the uncorrected formula would give 72 - 19/2 = 62.5.
        assert_eq!(small().own_variances(), [2.0, 19.0, 62.0]);
    }

    #[test]
    fn cheap_noise_is_repeated_more() {
        assert_eq!(optimal_repetitions(1.0, 0.25, 9.0), Repetitions::Times(6));
        assert_eq!(
            optimal_repetitions(1.0, 0.0, 9.0),
            Repetitions::AllEffortHere
        );
        assert_eq!(optimal_repetitions(0.0, 1.0, 9.0), Repetitions::Times(1));
        let found = small().optimal_repetitions(&[1.0, 10.0, 100.0]).unwrap();
        assert_eq!(found, [Repetitions::Times(2), Repetitions::Times(2)]);
    }

    #[test]
    fn the_interval_is_over_the_highest_level() {
        let estimate = small().mean_interval(Level::P95);
        assert_eq!((estimate.value, estimate.n), (10.0, 2));
    }

    #[test]
    fn bad_shapes_are_named() {
        let one = NestedSample::new(vec![1.0, 2.0], &[2, 1]).unwrap_err();
        assert!(one.to_string().contains("level 2 has 1 repetition"));
        assert_eq!(
            NestedSample::new(vec![1.0], &[]),
            Err(NestedError::NoLevels)
        );
        let odd = NestedSample::new(vec![1.0; 5], &[2, 2]);
        assert_eq!(
            odd,
            Err(NestedError::CountsDiffer {
                values: 5,
                expected: 4
            })
        );
        assert!(small().optimal_repetitions(&[1.0]).is_err());
        assert!(small().optimal_repetitions(&[1.0, -1.0, 1.0]).is_err());
    }
}
