//! A level shift somewhere in a run: the max-CUSUM test with its noise taken from residuals.
//!
//! `D = max over k of |S_k - (k/n) S_n| / (s * sqrt(tau * n))` with partial sums `S_k`; under
//! "no shift" it follows the Kolmogorov distribution, 1.628 being its 1 % point (Page, Biometrika
//! 41, 1954; Csorgo and Horvath, Limit Theorems in Change-Point Analysis, 1997). `s` and `tau` are
//! computed after the best single split has been taken out, because a shift looks like
//! autocorrelation: on the raw series it would raise `tau` until nothing is ever found.
//!
//! The judge asks [`Sample::regimes`], which takes its residuals from here; this test of a single shift stays as the one
//! whose chance of a false alarm is known in closed form.

use crate::Sample;
use crate::dependence::autocorrelation_time;
use crate::sample::{mean, sd};

/// 1 % point of the Kolmogorov distribution.
pub const SHIFT_CRITICAL: f64 = 1.628;
/// Fewest effective values for which the test keeps its false-alarm rate.
pub const SHIFT_MIN_EFFECTIVE_N: f64 = 30.0;
/// Share at either end in which no split is looked for.
const TRIM: f64 = 0.05;
const FEWEST_VALUES: usize = 20;

/// The outcome of the test on one run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LevelShift {
    /// The statistic `D`; above [`SHIFT_CRITICAL`] the level shifted.
    pub statistic: f64,
    /// Index of the first value after the most likely shift.
    pub at: usize,
    /// Relative size, `after / before - 1`; `None` when the level before is zero.
    pub relative_size: Option<f64>,
    /// Effective sample size of the residuals.
    pub effective_n: f64,
}

impl LevelShift {
    /// Whether the level shifted, at 1 %.
    pub fn is_detected(&self) -> bool {
        self.statistic > SHIFT_CRITICAL
    }
}

impl Sample {
    /// Tests this run for a shift of its level; `None` below 20 values or
    /// [`SHIFT_MIN_EFFECTIVE_N`] effective ones, where the test would cry wolf.
    pub fn level_shift(&self) -> Option<LevelShift> {
        let values = self.values();
        let n = values.len();
        if n < FEWEST_VALUES {
            return None;
        }
        let excess = excess_sums(values);
        let at = best_split(&excess, n);
        let (before, after) = values.split_at(at);
        let residuals = residuals_of(&[before, after]);
        let spread = sd(&residuals)?;
        let tau = autocorrelation_time(&residuals);
        let effective_n = n as f64 / tau;
        if effective_n < SHIFT_MIN_EFFECTIVE_N {
            return None;
        }
        let largest = excess
            .iter()
            .fold(0.0_f64, |largest, e| largest.max(e.abs()));
        let (level_before, level_after) = (mean(before), mean(after));
        Some(LevelShift {
            statistic: cusum_statistic(largest, spread, tau * n as f64),
            at,
            relative_size: (level_before != 0.0).then(|| level_after / level_before - 1.0),
            effective_n,
        })
    }
}

/// A clean step without noise is a certain shift; a constant series is none.
fn cusum_statistic(largest: f64, spread: f64, tau_n: f64) -> f64 {
    if largest == 0.0 {
        0.0
    } else {
        largest / (spread * tau_n.sqrt())
    }
}

/// `S_k - (k/n) S_n` for `k = 1 .. n`, as sums of deviations from the mean.
fn excess_sums(values: &[f64]) -> Vec<f64> {
    let centre = mean(values);
    let mut sum = 0.0;
    values
        .iter()
        .map(|v| {
            sum += v - centre;
            sum
        })
        .collect()
}

/// The split that explains most of the variance, away from the ends; the first of equals.
fn best_split(excess: &[f64], n: usize) -> usize {
    let trim = ((n as f64 * TRIM).ceil() as usize).max(1);
    let mut best = (0.0, n / 2);
    for k in trim..=n - trim {
        let explained = excess[k - 1].powi(2) / (k as f64 * (n - k) as f64);
        if explained > best.0 {
            best = (explained, k);
        }
    }
    best.1
}

/// Deviations from the mean of each piece, joined in order.
pub(crate) fn residuals_of(pieces: &[&[f64]]) -> Vec<f64> {
    let mut residuals = Vec::with_capacity(pieces.iter().map(|piece| piece.len()).sum());
    for piece in pieces {
        let centre = mean(piece);
        residuals.extend(piece.iter().map(|v| v - centre));
    }
    residuals
}

#[cfg(test)]
mod tests {
    use super::*;

    fn noise(i: usize) -> f64 {
        ((i * 7919 + 13) % 104_729) as f64 / 104_729.0
    }

    #[test]
    fn a_step_is_found_where_it_is() {
        let values = (0..400).map(|i| noise(i) + if i < 150 { 10.0 } else { 8.0 });
        let shift = Sample::new(values.collect())
            .unwrap()
            .level_shift()
            .unwrap();
        assert!(shift.is_detected());
        assert_eq!(shift.at, 150);
        let size = shift.relative_size.unwrap();
        assert!((size + 0.19).abs() < 0.01, "{size}");
    }

    #[test]
    fn steps_without_noise_and_constant_series() {
        let step = Sample::new([vec![1.0; 50], vec![2.0; 50]].concat()).unwrap();
        assert!(step.level_shift().unwrap().is_detected());
        let flat = Sample::new(vec![5.0; 100]).unwrap();
        assert!(!flat.level_shift().unwrap().is_detected());
    }

    #[test]
    fn short_runs_are_not_judged() {
        assert_eq!(Sample::new(vec![1.0; 19]).unwrap().level_shift(), None);
    }
}
