//! Median with its interval from order statistics.
//!
//! Of `n` independent values the number below the true median is binomial with one half, so
//! `[x_(j), x_(n+1-j)]` with the largest `j` for which `P(Bin(n, 1/2) <= j - 1) <= a/2` covers it
//! with at least the level, whatever the distribution; ties only raise the coverage. At 95 % the
//! interval exists from 6 values on. (Conover, Practical Nonparametric Statistics; Maricq et al.,
//! OSDI 2018, use the normal approximation of the same ranks.)
//!
//! Whole ranks cover more than was asked for, with 8 values 99.2 % instead of 95 %. The interpolated
//! interval lies between two neighbouring pairs of ranks, at the point that covers the level
//! (Hettmansperger and Sheather, Statistics and Probability Letters 4, 1986).

use crate::distributions::BinomialCdf;
use crate::{Estimate, Interval, Level, Sample, Statistic};

/// Ranks, counted from 1, of the two order statistics that bound the median.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RankPair {
    /// Rank of the lower end.
    pub lower: usize,
    /// Rank of the upper end.
    pub upper: usize,
    /// Exact coverage for a continuous distribution, at least the level asked for.
    pub coverage: f64,
}

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

/// How far inwards from the ranks `ranks` of `n` values an interval ends that covers `level`: 0 at
/// these ranks, 1 at the next ones.
fn inwards(n: usize, ranks: &RankPair, level: Level) -> f64 {
    let (all, rank) = (n as f64, ranks.lower as f64);
    let next = 1.0 - 2.0 * BinomialCdf::new(n, 0.5).at(ranks.lower);
    let surplus = (ranks.coverage - level.get()) / (ranks.coverage - next);
    (all - rank) * surplus / (rank + (all - 2.0 * rank) * surplus)
}

impl Sample {
    /// Middle value, or the mean of the middle two, where no interval stands beside it.
    pub fn median(&self) -> f64 {
        median_of_sorted(self.sorted())
    }

    /// The median with its exact order-statistic interval; none when there are too few values
    /// (at 95 %: five or fewer).
    pub fn median_interval(&self, level: Level) -> Estimate {
        let sorted = self.sorted();
        let interval = median_ranks(self.n(), level).map(|ranks| Interval {
            low: sorted[ranks.lower - 1],
            high: sorted[ranks.upper - 1],
            level,
        });
        self.median_with(interval, level)
    }

    /// The median with its interpolated order-statistic interval, which exists where the exact one
    /// does, is never wider, and covers the level itself.
    pub fn interpolated_median_interval(&self, level: Level) -> Estimate {
        let sorted = self.sorted();
        let between = |outer: f64, inner: f64, share: f64| outer + (inner - outer) * share;
        let interval = median_ranks(self.n(), level).map(|ranks| {
            let (low, high) = (ranks.lower - 1, ranks.upper - 1);
            // The middle has no ranks further inwards.
            let step = usize::from(high > low + 1);
            let share = inwards(self.n(), &ranks, level).clamp(0.0, 1.0);
            Interval {
                low: between(sorted[low], sorted[low + step], share),
                high: between(sorted[high], sorted[high - step], share),
                level,
            }
        });
        self.median_with(interval, level)
    }

    /// What is said of repeated runs everywhere, whatever they look like: the median with its
    /// interpolated interval. Six values are too few for one at the internal level of the stopping rule
    /// (96.9 % is all that they cover); it is then their whole range.
    ///
    /// A headline that chooses between mean and median by what the runs look like fails where it
    /// matters: six runs without the rare stall look normal (`tests/proofs/headline.rs`).
    pub(crate) fn headline(&self, level: Level) -> Estimate {
        let estimate = self.interpolated_median_interval(level);
        match estimate.interval {
            None => self.median_range(level),
            Some(_) => estimate,
        }
    }

    /// The median with the widest interval that these values have, said to be of `level`: the
    /// smallest and the largest of at least [`MIN_RUNS_LAB`](crate::MIN_RUNS_LAB) values.
    pub(crate) fn median_range(&self, level: Level) -> Estimate {
        let interval = (self.n() >= crate::MIN_RUNS_LAB).then(|| Interval {
            low: self.min(),
            high: self.max(),
            level,
        });
        self.median_with(interval, level)
    }

    pub(crate) fn median_with(&self, interval: Option<Interval>, level: Level) -> Estimate {
        Estimate {
            statistic: Statistic::Median,
            value: self.median(),
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

    /// (n, lower and upper end of the values 1 to n), from exact binomial sums elsewhere.
    const INTERPOLATED_95: [(u32, f64, f64); 4] = [
        (6, 1.357_142_857_142_857, 5.642_857_142_857_143),
        (8, 1.935_643_564_356_436, 7.064_356_435_643_564),
        (13, 3.684_632_192_279_68, 10.315_367_807_720_32),
        (30, 10.228_711_498_709_888, 20.771_288_501_290_112),
    ];

    #[test]
    fn the_interval_lies_between_whole_ranks() {
        for (n, low, high) in INTERPOLATED_95 {
            let sample = Sample::new((1..=n).map(f64::from).collect()).unwrap();
            let estimate = sample.interpolated_median_interval(Level::P95);
            let interval = estimate.interval.unwrap();
            assert!((interval.low - low).abs() < 1e-9, "n={n} {interval:?}");
            assert!((interval.high - high).abs() < 1e-9, "n={n} {interval:?}");
        }
    }

    #[test]
    fn six_values_reach_no_further_than_their_range() {
        let six = Sample::new((1..=6).map(f64::from).collect()).unwrap();
        assert_eq!(six.median_interval(Level::INTERNAL).interval, None);
        let range = six.median_range(Level::INTERNAL).interval.unwrap();
        assert_eq!((range.low, range.high), (1.0, 6.0));
        let five = Sample::new((1..=5).map(f64::from).collect()).unwrap();
        assert_eq!(five.median_range(Level::INTERNAL).interval, None);
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
