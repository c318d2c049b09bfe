//! Percentiles with intervals from order statistics, and how many values they need.
//!
//! The number of values below the true quantile of fraction `p` is `Bin(n, p)`; the interval is
//! `[x_(l), x_(u)]` with `l` the largest rank for which `P(Bin <= l - 1) <= a/2` and `u` the
//! smallest for which `P(Bin >= u) <= a/2`. Its upper end exists once `p^n <= a/2`. Nothing is
//! assumed about the distribution, but the values must be independent: inside a run, `n` is to be
//! divided by the autocorrelation time of the series "above q or not"
//! ([`Sample::percentile_within_run`]). Source: Conover, Practical
//! Nonparametric Statistics, section on tolerance limits and quantiles.
//!
//! Not called yet. The need: percentiles of the latencies of databases, whose counts are too small for a histogram's
//! to stand without an interval.

use crate::distributions::BinomialCdf;
use crate::{Estimate, Interval, Level, Sample, Statistic};

/// Ranks, counted from 1, of the two order statistics that bound a quantile.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RankPair {
    /// Rank of the lower end.
    pub lower: usize,
    /// Rank of the upper end.
    pub upper: usize,
    /// Exact coverage for a continuous distribution, at least the level asked for.
    pub coverage: f64,
}

/// A quantile's fraction strictly between 0 and 1; p99 is `0.99`.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct PercentileRank(f64);

/// Why a number is not the fraction of a quantile.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[error("{value} is not a percentile's fraction: give a number between 0 and 1, 0.99 for p99")]
pub struct PercentileError {
    value: f64,
}

impl PercentileRank {
    /// p50.
    pub const P50: PercentileRank = PercentileRank(0.5);
    /// p90.
    pub const P90: PercentileRank = PercentileRank(0.9);
    /// p95.
    pub const P95: PercentileRank = PercentileRank(0.95);
    /// p99.
    pub const P99: PercentileRank = PercentileRank(0.99);

    /// A percentile from its fraction.
    ///
    /// # Errors
    /// When `value` is not strictly between 0 and 1.
    pub fn new(value: f64) -> Result<PercentileRank, PercentileError> {
        if value > 0.0 && value < 1.0 {
            Ok(PercentileRank(value))
        } else {
            Err(PercentileError { value })
        }
    }

    /// The fraction.
    pub const fn get(self) -> f64 {
        self.0
    }
}

/// Smallest number of independent values with which a two-sided interval of quantile `p` exists
/// at both ends: 368 for p99 at 95 %.
pub fn min_n_two_sided(p: PercentileRank, level: Level) -> usize {
    smallest_power(p.0.max(1.0 - p.0), level.alpha() / 2.0)
}

/// Smallest `n` with `base^n <= limit`.
fn smallest_power(base: f64, limit: f64) -> usize {
    // ln_1p keeps the digits of 1 - p for p near 1; the slack absorbs the rounding of alpha.
    let exact = limit.ln() / (base - 1.0).ln_1p();
    (exact - 1e-9).ceil().max(1.0) as usize
}

/// Ranks of the order statistics that bound quantile `p` of `n` independent values; `None` when
/// one end does not exist.
pub fn percentile_ranks(n: usize, p: PercentileRank, level: Level) -> Option<RankPair> {
    let below = BinomialCdf::new(n, p.0);
    let tail = level.alpha() / 2.0;
    let lower = below.count_at_most(tail)?;
    let upper = below.first_reaching(tail)? + 1;
    (upper <= n).then(|| RankPair {
        lower,
        upper,
        coverage: below.at(upper - 1) - below.at(lower - 1),
    })
}

impl Sample {
    /// Quantile `p` (the smallest value with at least a share `p` at or below it) with its
    /// order-statistic interval over independent values.
    pub fn percentile_interval(&self, p: PercentileRank, level: Level) -> Estimate {
        let sorted = self.sorted();
        let interval = percentile_ranks(self.n(), p, level).map(|ranks| Interval {
            low: sorted[ranks.lower - 1],
            high: sorted[ranks.upper - 1],
            level,
        });
        Estimate {
            statistic: Statistic::Percentile(p.0),
            value: sorted[quantile_rank(self.n(), p.0) - 1],
            interval,
            level,
            n: self.n(),
        }
    }
}

/// Rank, from 1, of the smallest order statistic with a share of at least `p` at or below it.
pub(crate) fn quantile_rank(n: usize, p: f64) -> usize {
    ((n as f64 * p - 1e-9).ceil().max(1.0) as usize).min(n)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn smallest_counts() {
        let cases = [
            (0.9, 36),
            (0.95, 72),
            (0.99, 368),
            (0.999, 3688),
            (0.9999, 36887),
            (0.99999, 368_887),
        ];
        for (p, two_sided) in cases {
            let p = PercentileRank::new(p).unwrap();
            assert_eq!(min_n_two_sided(p, Level::P95), two_sided);
            assert_eq!(percentile_ranks(two_sided - 1, p, Level::P95), None);
            let ranks = percentile_ranks(two_sided, p, Level::P95).unwrap();
            assert_eq!(ranks.upper, two_sided);
            assert!(ranks.coverage >= 0.95);
        }
    }

    #[test]
    fn the_median_is_a_percentile() {
        for n in 6..200 {
            let ranks = percentile_ranks(n, PercentileRank::P50, Level::P95);
            assert_eq!(
                ranks.map(|r| (r.lower, r.upper)),
                crate::median_ranks(n, Level::P95).map(|r| (r.lower, r.upper))
            );
        }
    }

    #[test]
    fn ranks_of_plain_quantiles() {
        assert_eq!(quantile_rank(100, 0.99), 99);
        assert_eq!(quantile_rank(101, 0.99), 100);
        assert_eq!(quantile_rank(3, 0.5), 2);
        assert_eq!(quantile_rank(1, 0.001), 1);
        assert_eq!(quantile_rank(10, 0.7), 7);
    }
}
