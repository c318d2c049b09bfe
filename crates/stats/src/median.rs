//! Median with its exact interval from order statistics.
//!
//! Of `n` independent values the number below the true median is binomial with one half, so
//! `[x_(j), x_(n+1-j)]` with the largest `j` for which `P(Bin(n, 1/2) <= j - 1) <= a/2` covers it
//! with at least the level, whatever the distribution; ties only raise the coverage. At 95 % the
//! interval exists from 6 values on. (Conover, Practical Nonparametric Statistics; Maricq et al.,
//! OSDI 2018, use the normal approximation of the same ranks.)

use crate::distributions::BinomialCdf;
use crate::{Estimate, Interval, Level, RankPair, Sample, Statistic};

/// The ranks, counted from 1, of the order statistics that bound the median of `n` values, and
/// the coverage they really have; `None` when `n` is too small for `level`.
pub fn median_ranks(n: usize, level: Level) -> Option<RankPair> {
    let below = BinomialCdf::new(n, 0.5);
    let lower = below.count_at_most(level.alpha() / 2.0)?;
    Some(RankPair {
        lower,
        upper: n + 1 - lower,
        coverage: 1.0 - 2.0 * below.at(lower - 1),
    })
}

impl Sample {
    /// The median with its exact order-statistic interval; none when there are too few values
    /// (at 95 %: five or fewer).
    pub fn median_interval(&self, level: Level) -> Estimate {
        let sorted = self.sorted();
        let interval = median_ranks(self.n(), level).map(|ranks| Interval {
            low: sorted[ranks.lower - 1],
            high: sorted[ranks.upper - 1],
            level,
        });
        Estimate {
            statistic: Statistic::Median,
            value: median_of_sorted(sorted),
            interval,
            level,
            n: self.n(),
        }
    }
}

/// Middle value, or the mean of the middle two.
pub(crate) fn median_of_sorted(sorted: &[f64]) -> f64 {
    let n = sorted.len();
    let upper = sorted[n / 2];
    if n % 2 == 1 {
        upper
    } else {
        let lower = sorted[n / 2 - 1];
        lower + (upper - lower) / 2.0
    }
}

/// The same of values in any order, which are moved about: selection is quicker than sorting.
pub(crate) fn median_by_selection(values: &mut [f64]) -> f64 {
    let n = values.len();
    let (below, &mut upper, _) = values.select_nth_unstable_by(n / 2, f64::total_cmp);
    if n % 2 == 1 {
        return upper;
    }
    let lower = below.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    lower + (upper - lower) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// (n, lower rank, upper rank, coverage), worked out from binomial sums.
    const RANKS_95: [(usize, usize, usize, f64); 20] = [
        (6, 1, 6, 0.969),
        (7, 1, 7, 0.984),
        (8, 1, 8, 0.992),
        (9, 2, 8, 0.961),
        (10, 2, 9, 0.979),
        (11, 2, 10, 0.988),
        (12, 3, 10, 0.961),
        (13, 3, 11, 0.978),
        (14, 3, 12, 0.987),
        (15, 4, 12, 0.965),
        (16, 4, 13, 0.979),
        (17, 5, 13, 0.951),
        (18, 5, 14, 0.969),
        (20, 6, 15, 0.959),
        (25, 8, 18, 0.957),
        (30, 10, 21, 0.957),
        (40, 14, 27, 0.962),
        (50, 18, 33, 0.967),
        (99, 40, 60, 0.956),
        (100, 40, 61, 0.965),
    ];

    #[test]
    fn the_table_of_ranks() {
        for (n, lower, upper, coverage) in RANKS_95 {
            let ranks = median_ranks(n, Level::P95).unwrap();
            assert_eq!((ranks.lower, ranks.upper), (lower, upper), "n={n}");
            assert!(
                (ranks.coverage - coverage).abs() < 5.1e-4,
                "n={n} {ranks:?}"
            );
        }
    }

    #[test]
    fn selecting_agrees_with_sorting() {
        for n in 1..40 {
            let mut values: Vec<f64> = (0..n).map(|i| f64::from((i * 17) % 13)).collect();
            let mut sorted = values.clone();
            sorted.sort_unstable_by(f64::total_cmp);
            assert_eq!(median_by_selection(&mut values), median_of_sorted(&sorted));
        }
    }

    #[test]
    fn five_values_carry_no_interval() {
        for n in 1..=5 {
            assert_eq!(median_ranks(n, Level::P95), None);
        }
        let five = Sample::new(vec![1.0, 2.0, 3.0, 4.0, 5.0]).unwrap();
        let estimate = five.median_interval(Level::P95);
        assert_eq!((estimate.value, estimate.interval), (3.0, None));
    }
}
