//! How many runs a wanted precision or a wanted difference needs.
//!
//! Precision: the smallest `n` with `t(1 - a/2, n - 1) * cv / sqrt(n) <= half width` (Jain, The
//! Art of Computer Systems Performance Analysis, 1991, with t in place of z). Difference: the
//! smallest `n` per arm at which the two-sided t test reaches the wanted power under the
//! noncentral t distribution (Cohen, Statistical Power Analysis, 1988). Both are forecasts from a
//! pilot's coefficient of variation; the number of runs itself is decided while running.

use crate::distributions::{t_critical, t_test_power};
use crate::{Level, MIN_RUNS_LAB};

/// The power that plans promise: 80 %.
pub const PLANNED_POWER: f64 = 0.8;

/// A plan that needs more runs than this is refused.
const MOST_RUNS: usize = 10_000_000;

/// Why no run count can be given.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
pub enum PlanningError {
    /// The coefficient of variation is negative or not finite.
    #[error("coefficient of variation {cv}: give a finite share of zero or more, 0.05 for 5 %")]
    BadCv {
        /// The value given.
        cv: f64,
    },
    /// The wanted half width or difference is not above zero.
    #[error("target {target}: give a share above zero, 0.025 for 2.5 %")]
    BadTarget {
        /// The value given.
        target: f64,
    },
    /// The power is not between 0 and 1.
    #[error("power {power}: give a fraction between 0 and 1, 0.8 for 80 %")]
    BadPower {
        /// The value given.
        power: f64,
    },
    /// More than ten million runs would be needed.
    #[error("a spread of {cv} would need more than ten million runs to reach {target}: aim lower")]
    Hopeless {
        /// The coefficient of variation given.
        cv: f64,
        /// The target given.
        target: f64,
    },
}

/// Runs after which the interval of the mean has the relative half width `half_width`, for
/// run-to-run variation `cv` (both shares, 0.05 is 5 %); never fewer than [`MIN_RUNS_LAB`].
///
/// ```
/// use etalon_stats::{Level, runs_needed};
///
/// // Runs that vary by 4 %, and an interval of ±2.5 %.
/// assert_eq!(runs_needed(0.04, 0.025, Level::P95)?, 13);
/// # Ok::<(), etalon_stats::PlanningError>(())
/// ```
///
/// # Errors
/// When `cv` or `half_width` is out of range, or more than ten million runs would be needed.
pub fn runs_needed(cv: f64, half_width: f64, level: Level) -> Result<usize, PlanningError> {
    check(cv, half_width)?;
    let narrow =
        |n: usize| t_critical(level, (n - 1) as f64) * cv / (n as f64).sqrt() <= half_width;
    smallest(MIN_RUNS_LAB, narrow).ok_or(PlanningError::Hopeless {
        cv,
        target: half_width,
    })
}

/// The same for the interval of the median, which speaks for runs: that of normal runs is as wide as if
/// they varied 1.25 times as much. It is narrower on runs of which a few lie far off.
///
/// # Errors
/// When `cv` or `half_width` is out of range, or more than ten million runs would be needed.
pub fn median_runs_needed(cv: f64, half_width: f64, level: Level) -> Result<usize, PlanningError> {
    check(cv, half_width)?;
    runs_needed(cv * MEDIAN_TO_MEAN, half_width, level)
}

/// The standard deviation of the median of many normal values over that of their mean: the root of pi/2.
const MEDIAN_TO_MEAN: f64 = 1.253_314_137_315_500_3;

/// Runs per arm with which a two-sample t test at `level` finds a relative difference of
/// `difference` with probability `power`; at least 2.
///
/// # Errors
/// When an argument is out of range, or more than ten million runs would be needed.
pub fn runs_to_detect(
    cv: f64,
    difference: f64,
    level: Level,
    power: f64,
) -> Result<usize, PlanningError> {
    detecting(cv, difference, power, |n| {
        let df = 2.0 * (n - 1) as f64;
        let shift = difference / cv * (n as f64 / 2.0).sqrt();
        t_test_power(t_critical(level, df), df, shift)
    })
}

/// Blocks with which a paired t test at `level` finds a relative difference of `difference` with
/// probability `power`, when each arm varies by `cv` within blocks; at least 2.
///
/// # Errors
/// When an argument is out of range, or more than ten million blocks would be needed.
pub fn paired_runs_to_detect(
    cv: f64,
    difference: f64,
    level: Level,
    power: f64,
) -> Result<usize, PlanningError> {
    detecting(cv, difference, power, |n| {
        let df = (n - 1) as f64;
        let shift = difference / (cv * std::f64::consts::SQRT_2) * (n as f64).sqrt();
        t_test_power(t_critical(level, df), df, shift)
    })
}

/// The smallest relative difference that `blocks` paired blocks find with probability `power`:
/// what a session of a given length will be able to say. `None` for fewer than two blocks or a
/// `cv` or `power` out of range.
pub fn smallest_detectable(cv: f64, blocks: usize, level: Level, power: f64) -> Option<f64> {
    if blocks < 2 || check(cv, 1.0).is_err() || !(power > 0.0 && power < 1.0) {
        return None;
    }
    let df = (blocks - 1) as f64;
    let critical = t_critical(level, df);
    let reaches = |shift: f64| t_test_power(critical, df, shift) >= power;
    let (mut low, mut high) = (0.0, critical + 1.0);
    while !reaches(high) {
        high *= 2.0;
    }
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        if reaches(middle) {
            high = middle;
        } else {
            low = middle;
        }
    }
    Some(high * cv * (2.0 / blocks as f64).sqrt())
}

fn detecting(
    cv: f64,
    difference: f64,
    power: f64,
    power_at: impl Fn(usize) -> f64,
) -> Result<usize, PlanningError> {
    check(cv, difference)?;
    if !(power > 0.0 && power < 1.0) {
        return Err(PlanningError::BadPower { power });
    }
    if cv == 0.0 {
        return Ok(2);
    }
    smallest(2, |n| power_at(n) >= power).ok_or(PlanningError::Hopeless {
        cv,
        target: difference,
    })
}

fn check(cv: f64, target: f64) -> Result<(), PlanningError> {
    if !(cv >= 0.0 && cv.is_finite()) {
        return Err(PlanningError::BadCv { cv });
    }
    if !(target > 0.0 && target.is_finite()) {
        return Err(PlanningError::BadTarget { target });
    }
    Ok(())
}

/// Smallest `n >= from` for which the monotone `enough` holds.
fn smallest(from: usize, enough: impl Fn(usize) -> bool) -> Option<usize> {
    if enough(from) {
        return Some(from);
    }
    let (mut low, mut high) = (from, from * 2);
    while !enough(high) {
        low = high;
        high *= 2;
        if high > MOST_RUNS {
            return None;
        }
    }
    while high - low > 1 {
        let middle = low.midpoint(high);
        if enough(middle) {
            high = middle;
        } else {
            low = middle;
        }
    }
    Some(high)
}

#[cfg(test)]
mod tests {
    use super::*;

    const P95: Level = Level::P95;

    #[test]
    fn a_paired_plan_costs_one_block_more() {
        assert_eq!(runs_to_detect(0.02, 0.02, P95, 0.8), Ok(17));
        assert_eq!(paired_runs_to_detect(0.02, 0.02, P95, 0.8), Ok(18));
    }

    #[test]
    fn the_smallest_difference_inverts_the_plan() {
        let blocks = paired_runs_to_detect(0.03, 0.02, P95, 0.8).unwrap();
        let found = smallest_detectable(0.03, blocks, P95, 0.8).unwrap();
        let fewer = smallest_detectable(0.03, blocks - 1, P95, 0.8).unwrap();
        assert!(found <= 0.02 && fewer > 0.02, "{found} {fewer}");
    }

    #[test]
    fn nonsense_is_refused_by_name() {
        assert_eq!(
            runs_needed(-0.1, 0.02, P95),
            Err(PlanningError::BadCv { cv: -0.1 })
        );
        assert_eq!(
            runs_needed(0.1, 0.0, P95),
            Err(PlanningError::BadTarget { target: 0.0 })
        );
        assert!(matches!(
            runs_to_detect(1.0, 1e-9, P95, 0.8),
            Err(PlanningError::Hopeless { .. })
        ));
        assert_eq!(runs_to_detect(0.0, 0.01, P95, 0.8), Ok(2));
    }
}
