//! Has a run settled: the SNIA rule and a drift test, both to be passed.
//!
//! The SNIA rule (Solid State Storage Performance Test Specification 2.0.1, steady state): over
//! five sub-windows the range is at most 20 % of the mean, and the least-squares line rises by at
//! most 10 % of it. It is blind to slow drift, so a second test must hold: over 20 sub-windows the
//! 90 % interval of the total drift (two one-sided tests, Schuirmann 1987) lies within 5 % of the
//! mean. A drift that is neither excluded nor proved leaves the answer undecided.

use crate::dependence::{autocorrelation_time, lag_one_correlation};
use crate::distributions::t_one_sided;
use crate::sample::mean;
use crate::{Sample, line};

/// Largest range of five sub-windows, as a share of their mean.
pub const SNIA_RANGE: f64 = 0.20;
/// Largest rise of the fitted line over five sub-windows, as a share of their mean.
pub const SNIA_RISE: f64 = 0.10;
/// Largest total drift over the window, as a share of the mean.
pub const DRIFT_MARGIN: f64 = 0.05;
/// Sub-windows of the SNIA rule.
pub const SNIA_ROUNDS: usize = 5;
/// Sub-windows of the drift test; a window needs at least as many values.
pub const DRIFT_PARTS: usize = 20;

/// Residual correlation between neighbouring sub-windows from which the error of the slope is
/// widened.
const CORRELATED: f64 = 0.2;
/// One-sided error probability of each of the two tests of drift.
const DRIFT_ALPHA: f64 = 0.05;

/// What the SNIA rule found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SniaCheck {
    /// `(max - min) / mean` of the five values.
    pub range: f64,
    /// `|slope| * 4 / mean` of the line through them.
    pub rise: f64,
}

impl SniaCheck {
    /// Whether range and rise are both within the rule.
    pub fn passes(&self) -> bool {
        self.range <= SNIA_RANGE && self.rise <= SNIA_RISE
    }
}

/// The total drift over a window.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DriftCheck {
    /// Rise of the fitted line over the window as a share of the mean; negative when falling.
    pub drift: f64,
    /// Half width of its 90 % interval, also a share of the mean.
    pub half_width: f64,
}

impl DriftCheck {
    /// Whether a drift of more than 5 % is excluded.
    pub fn passes(&self) -> bool {
        self.drift.abs() + self.half_width <= DRIFT_MARGIN
    }

    /// Whether a drift of more than 5 % is proved.
    pub fn is_drifting(&self) -> bool {
        self.drift.abs() - self.half_width > DRIFT_MARGIN
    }
}

/// The answer to "has it settled".
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Steadiness {
    /// Both tests passed.
    Steady,
    /// The SNIA rule failed, or a drift of more than 5 % is proved.
    NotSteady,
    /// A drift of more than 5 % is not excluded: a longer window would tell.
    Undecided,
}

/// Both tests on one window.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SteadyState {
    /// The SNIA rule.
    pub snia: SniaCheck,
    /// The drift test.
    pub drift: DriftCheck,
}

impl SteadyState {
    /// Steady when both hold.
    pub fn verdict(&self) -> Steadiness {
        if !self.snia.passes() || self.drift.is_drifting() {
            Steadiness::NotSteady
        } else if self.drift.passes() {
            Steadiness::Steady
        } else {
            Steadiness::Undecided
        }
    }
}

/// The SNIA rule on five round values. Rounds whose mean is zero or negative never pass.
pub fn snia_check(rounds: &[f64; SNIA_ROUNDS]) -> SniaCheck {
    let centre = mean(rounds);
    let low = rounds.iter().copied().fold(f64::INFINITY, f64::min);
    let high = rounds.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let slope = line::fit_even(rounds).map_or(0.0, |line| line.slope);
    SniaCheck {
        range: share(high - low, centre),
        rise: share(slope.abs() * (SNIA_ROUNDS - 1) as f64, centre),
    }
}

impl Sample {
    /// Judges this window, whose values were taken at even steps of time or of bytes written;
    /// `None` for fewer than [`DRIFT_PARTS`] values.
    pub fn steady_state(&self) -> Option<SteadyState> {
        if self.n() < DRIFT_PARTS {
            return None;
        }
        let mut rounds = [0.0; SNIA_ROUNDS];
        rounds.copy_from_slice(&part_means(self.values(), SNIA_ROUNDS));
        Some(SteadyState {
            snia: snia_check(&rounds),
            drift: drift_check(&part_means(self.values(), DRIFT_PARTS))?,
        })
    }
}

fn drift_check(parts: &[f64]) -> Option<DriftCheck> {
    let centre = mean(parts);
    let line = line::fit_even(parts)?;
    let mut error = line.slope_se;
    if lag_one_correlation(&line.residuals) > CORRELATED {
        error *= autocorrelation_time(&line.residuals).sqrt();
    }
    let steps = (parts.len() - 1) as f64;
    let critical = t_one_sided(DRIFT_ALPHA, (parts.len() - 2) as f64);
    Some(DriftCheck {
        drift: line.slope.signum() * share(line.slope.abs() * steps, centre),
        half_width: share(critical * error * steps, centre),
    })
}

/// Means of `parts` equal pieces.
fn part_means(values: &[f64], parts: usize) -> Vec<f64> {
    let bound = |i: usize| i * values.len() / parts;
    (0..parts)
        .map(|i| mean(&values[bound(i)..bound(i + 1)]))
        .collect()
}

/// `amount / centre`, infinite for a centre that is no rate.
fn share(amount: f64, centre: f64) -> f64 {
    if centre > 0.0 {
        amount / centre
    } else if amount == 0.0 {
        0.0
    } else {
        f64::INFINITY
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judge(values: Vec<f64>) -> SteadyState {
        Sample::new(values).unwrap().steady_state().unwrap()
    }

    #[test]
    fn the_edge_of_the_range_is_exact() {
        // The extremes sit where they hardly tilt the line.
        for (percent, passes) in [(19.9, true), (20.1, false)] {
            let half = percent / 200.0;
            let check = snia_check(&[1.0, 1.0 + half, 1.0, 1.0 - half, 1.0]);
            assert!((check.range - percent / 100.0).abs() < 1e-12);
            assert_eq!(check.passes(), passes, "{percent}");
        }
    }

    #[test]
    fn the_edge_of_the_rise_is_exact() {
        for (percent, passes) in [(9.9, true), (10.1, false)] {
            let line: [f64; 5] =
                std::array::from_fn(|i| 1.0 + percent / 100.0 * (i as f64 / 4.0 - 0.5));
            let check = snia_check(&line);
            assert!((check.rise - percent / 100.0).abs() < 1e-12);
            assert_eq!(check.passes(), passes, "{percent}");
        }
    }

    #[test]
    fn constant_is_steady_and_a_ramp_is_not() {
        assert_eq!(judge(vec![7.0; 20]).verdict(), Steadiness::Steady);
        let ramp = judge((0..100).map(|i| 100.0 + 0.08 * f64::from(i)).collect());
        assert!(ramp.snia.passes(), "the rule alone accepts a drift of 8 %");
        assert_eq!(ramp.verdict(), Steadiness::NotSteady);
    }

    #[test]
    fn noise_leaves_it_undecided() {
        let noisy: Vec<f64> = (0..20)
            .map(|i| 100.0 + 12.0 * f64::from((i * 7) % 5))
            .collect();
        assert_eq!(judge(noisy).verdict(), Steadiness::Undecided);
    }

    #[test]
    fn windows_that_are_no_rates() {
        assert_eq!(Sample::new(vec![1.0; 19]).unwrap().steady_state(), None);
        assert_eq!(judge(vec![0.0; 20]).verdict(), Steadiness::Steady);
        let negative = judge((0..20).map(|i| -f64::from(i)).collect());
        assert_eq!(negative.verdict(), Steadiness::NotSteady);
    }
}
