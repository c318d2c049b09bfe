//! How far groups lie apart beside how far runs within one group do: variance components.
//!
//! Runs `y_ij` of group `i` of `k` are taken as `m + a_i + e_ij`, with independent effects `a` of
//! variance `s_a^2` and errors `e` of variance `s_e^2` (the one-way random model). By the analysis of
//! variance (Searle, Casella and McCulloch, Variance Components, 1992, section 3.6, for groups of
//! unequal size):
//!
//! ```text
//! MSW = sum_i (n_i - 1) s_i^2 / (N - k)            s_e^2 = MSW
//! MSB = sum_i n_i (mean_i - mean)^2 / (k - 1)      s_a^2 = max(0, (MSB - MSW) / n0)
//! n0  = (N - sum_i n_i^2 / N) / (k - 1)            ICC   = s_a^2 / (s_a^2 + s_e^2)
//! ```
//!
//! The interval of `s_e` is that of chi-square. Those of `s_a` (Williams, Biometrika 49, 1962, p. 278)
//! and of the ICC (ICC(1,1) of Shrout and Fleiss, Psychological Bulletin 86, 1979, p. 420) are exact or
//! wider for groups of one size; for unequal ones the unweighted means stand for the groups, with the
//! harmonic mean of their sizes (Thomas and Hultquist, Annals of Statistics 6, 1978, p. 582).
//! `tests/proofs/components.rs` has the coverage.

use statrs::distribution::{ChiSquared, ContinuousCDF as _, FisherSnedecor};

use crate::sample::mean;
use crate::{Interval, Level, Sample};

/// The spread between groups and within them.
#[derive(Debug, Clone, PartialEq)]
pub struct Components {
    /// Groups.
    pub groups: usize,
    /// Runs of all groups.
    pub runs: usize,
    /// The mean of the groups' means.
    pub mean: f64,
    /// Standard deviation of what a group adds, in the unit of the values; zero or more.
    pub between: f64,
    /// Its interval.
    pub between_interval: Interval,
    /// Standard deviation of runs within a group, in the unit of the values.
    pub within: f64,
    /// Its interval.
    pub within_interval: Interval,
    /// The share of all variance that lies between groups, 0 to 1 (intraclass correlation).
    pub icc: f64,
    /// Its interval.
    pub icc_interval: Interval,
}

/// Why groups have no components.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ComponentsError {
    /// One group says nothing of how groups differ.
    #[error("{groups} group has nothing to differ from: give at least two")]
    TooFewGroups {
        /// How many there are.
        groups: usize,
    },
    /// No group has two runs.
    #[error("no group has two runs, so that nothing is known of the spread within: repeat them")]
    NoRepetition,
    /// All runs of each group are equal.
    #[error("the runs within each group are all equal, so that there is no spread to compare with")]
    NoSpread,
}

/// The components of `groups` with intervals at `level`.
///
/// # Errors
/// [`ComponentsError`] where a component cannot be known.
pub fn components(groups: &[Sample], level: Level) -> Result<Components, ComponentsError> {
    let squares = Squares::of(groups)?;
    let tail = level.alpha() / 2.0;
    let icc = |ratio: f64| (ratio / (1.0 + ratio)).max(0.0);
    let between = ((squares.between - squares.within) / squares.size).max(0.0);
    let (low, high) = squares.variance_between(tail);
    let (ratio, within) = (squares.ratio(tail), squares.variance_within(tail));
    let interval = |low, high| Interval { low, high, level };
    Ok(Components {
        groups: groups.len(),
        runs: groups.iter().map(Sample::n).sum(),
        mean: squares.mean,
        between: between.sqrt(),
        between_interval: interval(low.sqrt(), high.sqrt()),
        within: squares.within.sqrt(),
        within_interval: interval(within.0.sqrt(), within.1.sqrt()),
        icc: between / (between + squares.within),
        icc_interval: interval(icc(ratio.0), icc(ratio.1)),
    })
}

/// Mean squares of the analysis of variance.
struct Squares {
    mean: f64,
    between: f64,
    within: f64,
    /// The size of a group as it counts between them, `n0`.
    size: f64,
    /// The harmonic mean of the sizes, and the variance of the groups' means.
    harmonic: f64,
    of_means: f64,
    /// Degrees of freedom between and within.
    degrees: (f64, f64),
}

impl Squares {
    fn of(groups: &[Sample]) -> Result<Squares, ComponentsError> {
        let count = groups.len();
        if count < 2 {
            return Err(ComponentsError::TooFewGroups { groups: count });
        }
        let sizes: Vec<f64> = groups.iter().map(|group| group.n() as f64).collect();
        let (k, all) = (count as f64, sizes.iter().sum::<f64>());
        let degrees = (k - 1.0, all - k);
        if degrees.1 < 1.0 {
            return Err(ComponentsError::NoRepetition);
        }
        let means: Vec<f64> = groups.iter().map(|group| mean(group.values())).collect();
        let weighted = means.iter().zip(&sizes).map(|(m, n)| m * n).sum::<f64>() / all;
        let own = groups.iter().zip(&means).map(|(group, mean)| {
            let squares = group.values().iter().map(|value| (value - mean).powi(2));
            squares.sum::<f64>()
        });
        let within = own.sum::<f64>() / degrees.1;
        if within <= 0.0 {
            return Err(ComponentsError::NoSpread);
        }
        let apart = means.iter().zip(&sizes);
        let apart = apart.map(|(m, n)| n * (m - weighted).powi(2)).sum::<f64>();
        let plain = mean(&means);
        let squared = sizes.iter().map(|n| n * n).sum::<f64>();
        Ok(Squares {
            mean: plain,
            between: apart / degrees.0,
            within,
            size: (all - squared / all) / degrees.0,
            harmonic: k / sizes.iter().map(|n| 1.0 / n).sum::<f64>(),
            of_means: means.iter().map(|m| (m - plain).powi(2)).sum::<f64>() / degrees.0,
            degrees,
        })
    }

    /// Quantile of F with so much above it.
    fn f(&self, above: f64) -> f64 {
        let f = FisherSnedecor::new(self.degrees.0, self.degrees.1);
        f.map_or(f64::NAN, |f| f.inverse_cdf(1.0 - above))
    }

    /// The ratio of variances between and within.
    fn ratio(&self, tail: f64) -> (f64, f64) {
        let seen = self.harmonic * self.of_means / self.within;
        let bound = |above| ((seen / self.f(above) - 1.0) / self.harmonic).max(0.0);
        (bound(tail), bound(1.0 - tail))
    }

    fn variance_between(&self, tail: f64) -> (f64, f64) {
        let apart = self.harmonic * self.of_means;
        let bound = |above: f64| {
            let left = apart - self.within * self.f(above);
            let degrees = self.degrees.0;
            (left * degrees / (self.harmonic * chi_square(degrees, above))).max(0.0)
        };
        (bound(tail), bound(1.0 - tail))
    }

    fn variance_within(&self, tail: f64) -> (f64, f64) {
        let degrees = self.degrees.1;
        let bound = |above| degrees * self.within / chi_square(degrees, above);
        (bound(tail), bound(1.0 - tail))
    }
}

/// Quantile of chi-square with so much above it.
fn chi_square(degrees: f64, above: f64) -> f64 {
    let chi = ChiSquared::new(degrees);
    chi.map_or(f64::NAN, |chi| chi.inverse_cdf(1.0 - above))
}
