//! The speeds between which a run switches, and for how long it held each.
//!
//! The series is cut into pieces of constant mean so that the squared deviations plus a penalty of
//! `2 * s^2 * tau * ln(n)` per cut are smallest: optimal partitioning (Jackson et al., IEEE Signal
//! Processing Letters 12, 2005), the exact search that PELT (Killick, Fearnhead and Eckley, JASA
//! 107, 2012) prunes. Noise comes from residuals as in the shift test, starting from differences of neighbouring batches, which a few shifts hardly touch. Cuts
//! that the final noise no longer supports, by that penalty and by the CUSUM test of the two
//! pieces they part, are taken back, and pieces of the same level are joined
//! into regimes. Long series are first averaged into at most 1 000 bins and the cuts then placed
//! exactly, so that time and memory stay linear. A stretch under a fiftieth of the run is a stall,
//! not a regime.

use std::fmt;

use crate::dependence::long_run_variance;
use crate::distributions::t_critical;
use crate::median::median_of_sorted;
use crate::sample::mean;
use crate::shift::residuals_of;
use crate::{Estimate, Level, SHIFT_CRITICAL, SHIFT_MIN_EFFECTIVE_N, Sample};

const MOST_BINS: usize = 1000;
const FEWEST_VALUES: usize = 20;
const SHORTEST_PIECE: usize = 5;
/// Shortest piece as a fraction of the series.
const SHORTEST_FRACTION: usize = 50;
/// Switches from which one mean over the regimes describes the run: the switching is its nature.
const STATIONARY_SWITCHES: usize = 10;
/// Median of the chi-squared distribution with one degree of freedom.
const CHI2_MEDIAN: f64 = 0.454_936_423_119_572_5;

/// One speed and the share of the run for which it held.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Regime {
    /// The level with an interval from the noise within regimes; `n` counts values.
    pub level: Estimate,
    /// Share of the values, between 0 and 1.
    pub share: f64,
}

/// The regimes of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct Regimes {
    /// From the longest held to the shortest.
    pub regimes: Vec<Regime>,
    /// Indices at which a new piece begins; empty for a single piece.
    pub switches: Vec<usize>,
}

impl Regimes {
    /// Whether one mean describes the run: a single regime, or so many switches that the
    /// switching itself is steady.
    pub fn may_be_averaged(&self) -> bool {
        self.regimes.len() == 1 || self.switches.len() >= STATIONARY_SWITCHES
    }
}

impl fmt::Display for Regimes {
    /// `2 regimes: 412 for 61 %, 268 for 39 %`; a precision applies to the levels.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = f.precision().unwrap_or(0);
        let count = self.regimes.len();
        write!(f, "{count} regime{}:", if count == 1 { "" } else { "s" })?;
        for (i, regime) in self.regimes.iter().enumerate() {
            let comma = if i == 0 { "" } else { "," };
            let share = regime.share * 100.0;
            write!(
                f,
                "{comma} {:.digits$} for {share:.0} %",
                regime.level.value
            )?;
        }
        Ok(())
    }
}

impl Sample {
    /// The regimes of this run; `None` below 20 values or when the values within regimes are
    /// worth fewer than 30 independent ones, where chance makes regimes.
    pub fn regimes(&self, level: Level) -> Option<Regimes> {
        let values = self.values();
        if values.len() < FEWEST_VALUES {
            return None;
        }
        let width = values.len().div_ceil(MOST_BINS);
        let bins: Vec<f64> = values.chunks_exact(width).map(mean).collect();
        let pieces = Pieces::find(&bins);
        let noise = pieces.noise(&bins);
        let variance = noise.variance;
        if noise.effective_n < SHIFT_MIN_EFFECTIVE_N {
            return None;
        }
        let switches = place_exactly(values, &pieces.starts, width);
        let regimes = join(values, &switches, variance * width as f64, level);
        Some(Regimes { regimes, switches })
    }
}

/// Cuts of a series into pieces of constant mean.
struct Pieces {
    /// First index of each piece but the first.
    starts: Vec<usize>,
}

/// Noise within pieces.
struct Noise {
    /// `s^2 * tau` per value.
    variance: f64,
    effective_n: f64,
}

impl Pieces {
    fn find(bins: &[f64]) -> Pieces {
        let mut pieces = Pieces::cut(bins, variance_of_differences(bins));
        let refined = Pieces::cut(bins, pieces.noise(bins).variance);
        if refined.starts.len() > pieces.starts.len() {
            pieces = refined;
        }
        pieces.take_back(bins);
        pieces
    }

    /// The best cuts for a noise of `variance`, by dynamic programming over the start of the
    /// last piece.
    fn cut(bins: &[f64], variance: f64) -> Pieces {
        let n = bins.len();
        let penalty = penalty(variance, n);
        let sums = prefix_sums(bins);
        let shortest = SHORTEST_PIECE.max(n / SHORTEST_FRACTION);
        let cost = |i: usize, j: usize| -(sums[j] - sums[i]).powi(2) / (j - i) as f64;
        let mut best = vec![f64::INFINITY; n + 1];
        best[0] = -penalty;
        let mut last_cut = vec![0; n + 1];
        for end in shortest..=n {
            for start in 0..=end - shortest {
                let total = best[start] + cost(start, end) + penalty;
                if total < best[end] {
                    best[end] = total;
                    last_cut[end] = start;
                }
            }
        }
        let mut starts = Vec::new();
        let mut end = n;
        while last_cut[end] > 0 {
            end = last_cut[end];
            starts.push(end);
        }
        starts.reverse();
        Pieces { starts }
    }

    fn noise(&self, bins: &[f64]) -> Noise {
        let residuals = residuals_of(&self.slices(bins));
        let variance = long_run_variance(&residuals);
        let own: f64 = residuals.iter().map(|r| r * r).sum::<f64>() / bins.len() as f64;
        let tau = if own > 0.0 { variance / own } else { 1.0 };
        Noise {
            variance,
            effective_n: bins.len() as f64 / tau,
        }
    }

    fn slices<'a>(&self, values: &'a [f64]) -> Vec<&'a [f64]> {
        slices_at(values, &self.starts)
    }

    /// Removes the weakest cut that the noise does not support, again and again.
    fn take_back(&mut self, bins: &[f64]) {
        while !self.starts.is_empty() {
            let variance = self.noise(bins).variance;
            let slices = self.slices(bins);
            let unsupported = slices
                .windows(2)
                .map(|pair| gain(pair[0], pair[1]))
                .enumerate()
                .filter(|&(i, gain)| {
                    let balance = balance(slices[i].len(), slices[i + 1].len());
                    gain <= penalty(variance, bins.len())
                        || gain * balance <= SHIFT_CRITICAL.powi(2) * variance
                })
                .min_by(|a, b| a.1.total_cmp(&b.1));
            match unsupported {
                Some((index, _)) => self.starts.remove(index),
                None => return,
            };
        }
    }
}

/// Squared CUSUM statistic of a cut per unit of gain over noise: largest for a cut in the middle.
fn balance(n: usize, m: usize) -> f64 {
    let total = (n + m) as f64;
    n as f64 / total * (m as f64 / total)
}

fn penalty(variance: f64, n: usize) -> f64 {
    2.0 * variance * (n as f64).ln()
}

/// How much the squared deviations fall when the two slices get a mean each.
fn gain(a: &[f64], b: &[f64]) -> f64 {
    let (n, m) = (a.len() as f64, b.len() as f64);
    (mean(a) - mean(b)).powi(2) * n * m / (n + m)
}

/// Long-run variance from differences between neighbouring batches; the median of their squares
/// does not see the few that straddle a shift. Long batches see all of the autocorrelation, short
/// ones survive quick switching; the smaller answer is taken and what it cuts too much taken back.
fn variance_of_differences(bins: &[f64]) -> f64 {
    let n = bins.len() as f64;
    let of_batches = |length: usize| {
        let means: Vec<f64> = bins.chunks_exact(length).map(mean).collect();
        let mut squares: Vec<f64> = means.windows(2).map(|w| (w[1] - w[0]).powi(2)).collect();
        squares.sort_unstable_by(f64::total_cmp);
        length as f64 * median_of_sorted(&squares) / (2.0 * CHI2_MEDIAN)
    };
    of_batches(n.sqrt() as usize).min(of_batches(n.cbrt() as usize))
}

/// Sums of the first `0, 1, .. n` deviations from the mean.
fn prefix_sums(values: &[f64]) -> Vec<f64> {
    let centre = mean(values);
    let mut sum = 0.0;
    std::iter::once(0.0)
        .chain(values.iter().map(|v| {
            sum += v - centre;
            sum
        }))
        .collect()
}

fn slices_at<'a>(values: &'a [f64], starts: &[usize]) -> Vec<&'a [f64]> {
    let mut slices = Vec::with_capacity(starts.len() + 1);
    let mut from = 0;
    for &start in starts.iter().chain(std::iter::once(&values.len())) {
        slices.push(&values[from..start]);
        from = start;
    }
    slices
}

/// Moves each cut, known to a bin, to the value where it fits best.
fn place_exactly(values: &[f64], starts: &[usize], width: usize) -> Vec<usize> {
    if width == 1 {
        return starts.to_vec();
    }
    starts
        .iter()
        .map(|&start| {
            let centre = start * width;
            let (low, high) = (centre - 2 * width, (centre + 2 * width).min(values.len()));
            let sums = prefix_sums(&values[low..high]);
            let n = high - low;
            let explained = |k: usize| sums[k].powi(2) / (k as f64 * (n - k) as f64);
            let best = (1..n).max_by(|&a, &b| explained(a).total_cmp(&explained(b)));
            low + best.unwrap_or(2 * width)
        })
        .collect()
}

/// Joins pieces whose levels the noise cannot tell apart, nearest levels first.
fn join(values: &[f64], switches: &[usize], variance: f64, level: Level) -> Vec<Regime> {
    let mut groups: Vec<(f64, f64)> = slices_at(values, switches)
        .iter()
        .map(|slice| (mean(slice), slice.len() as f64))
        .collect();
    groups.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
    let limit = penalty(variance, values.len());
    let apart = |a: (f64, f64), b: (f64, f64)| (a.0 - b.0).powi(2) * a.1 * b.1 / (a.1 + b.1);
    while groups.len() > 1 {
        let nearest = (1..groups.len())
            .map(|i| (i, apart(groups[i - 1], groups[i])))
            .min_by(|a, b| a.1.total_cmp(&b.1));
        let Some((i, distance)) = nearest else { break };
        if distance > limit {
            break;
        }
        let (upper, lower) = (groups.remove(i), groups[i - 1]);
        let n = upper.1 + lower.1;
        groups[i - 1] = ((upper.0 * upper.1 + lower.0 * lower.1) / n, n);
    }
    let total = values.len() as f64;
    let df = (total - groups.len() as f64).max(1.0);
    let critical = t_critical(level, df);
    let mut regimes: Vec<Regime> = groups
        .into_iter()
        .map(|(value, n)| regime(value, n, critical * (variance / n).sqrt(), level, n / total))
        .collect();
    regimes.sort_by(|a, b| b.share.total_cmp(&a.share));
    regimes
}

fn regime(value: f64, n: f64, half: f64, level: Level, share: f64) -> Regime {
    Regime {
        level: Estimate::of_mean(value, Some(half), level, n as usize),
        share,
    }
}

#[cfg(test)]
mod tests;
