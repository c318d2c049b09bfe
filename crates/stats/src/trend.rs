//! Drift of results over a session.
//!
//! Results of one arm are regressed on the time at which each run began (ordinary least squares
//! on `ln(result)`, so the slope is a relative change per hour). What is told is the change along
//! that line over the time in which there were runs: the same rate over an hour, after runs of a
//! few seconds, would be that change to the power of hundreds, of which nothing was seen.

use crate::distributions::{t_critical, t_two_sided_p};
use crate::{Interval, Level, Sample, line};

/// How results changed over a session.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SessionTrend {
    /// Relative change along the line from the begin of the first run to that of the last; `0.02` is +2 %.
    pub change: f64,
    /// Interval of `change`.
    pub interval: Interval,
    /// Hours from the begin of the first run to that of the last.
    pub hours: f64,
    /// Two-sided p of "no drift".
    pub p: f64,
    /// How many runs stand behind it.
    pub n: usize,
}

/// Why a trend cannot be computed.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
pub enum TrendError {
    /// There is not one time per value.
    #[error("{times} start times for {values} values: give one per run")]
    LengthsDiffer {
        /// Number of times given.
        times: usize,
        /// Number of values given.
        values: usize,
    },
    /// Fewer than three values.
    #[error("a trend needs at least 3 runs, {n} given")]
    TooFew {
        /// Number of values given.
        n: usize,
    },
    /// A value is zero or negative, so that it has no logarithm.
    #[error(
        "value {value} at index {index} is not positive: a relative drift needs rates or times"
    )]
    NotPositive {
        /// Position in the sample, from 0.
        index: usize,
        /// The value.
        value: f64,
    },
    /// A time is not finite, or all times are equal.
    #[error("the start times must be finite and differ from each other")]
    BadTimes,
}

/// The drift of `results`, whose runs began at `start_hours` (hours from any origin).
///
/// # Errors
/// When lengths differ, there are fewer than three runs, a result is not positive, or the times
/// are not finite or all the same.
pub fn session_trend(
    start_hours: &[f64],
    results: &Sample,
    level: Level,
) -> Result<SessionTrend, TrendError> {
    let n = results.n();
    if start_hours.len() != n {
        return Err(TrendError::LengthsDiffer {
            times: start_hours.len(),
            values: n,
        });
    }
    if n < 3 {
        return Err(TrendError::TooFew { n });
    }
    if let Some((index, &value)) = results
        .values()
        .iter()
        .enumerate()
        .find(|(_, v)| **v <= 0.0)
    {
        return Err(TrendError::NotPositive { index, value });
    }
    if start_hours.iter().any(|t| !t.is_finite()) {
        return Err(TrendError::BadTimes);
    }
    let logs: Vec<f64> = results.values().iter().map(|v| v.ln()).collect();
    let line = line::fit(start_hours, &logs).ok_or(TrendError::BadTimes)?;
    let df = (n - 2) as f64;
    let half = t_critical(level, df) * line.slope_se;
    let hours = span(start_hours);
    let over_span = |slope: f64| (slope * hours).exp_m1();
    Ok(SessionTrend {
        change: over_span(line.slope),
        interval: Interval {
            low: over_span(line.slope - half),
            high: over_span(line.slope + half),
            level,
        },
        hours,
        p: slope_p(line.slope, line.slope_se, df),
        n,
    })
}

/// From the earliest time to the latest.
fn span(times: &[f64]) -> f64 {
    let latest = times.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    latest - times.iter().copied().fold(f64::INFINITY, f64::min)
}

/// Two-sided p of a slope; a perfect fit is certain unless it is flat.
fn slope_p(slope: f64, se: f64, df: f64) -> f64 {
    if slope == 0.0 {
        1.0
    } else {
        t_two_sided_p(slope / se, df)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trend(values: &[f64]) -> SessionTrend {
        trend_of(values, 0.1)
    }

    fn trend_of(values: &[f64], step_hours: f64) -> SessionTrend {
        let hours: Vec<f64> = (0..values.len()).map(|i| i as f64 * step_hours).collect();
        let sample = Sample::new(values.to_vec()).unwrap();
        session_trend(&hours, &sample, Level::P95).unwrap()
    }

    #[test]
    fn a_steady_climb_has_its_change_over_the_time_that_was_seen() {
        let values: Vec<f64> = (0..10)
            .map(|i| 100.0 * 1.1_f64.powf(f64::from(i) * 0.1))
            .collect();
        let seen = trend(&values);
        assert!((seen.change - (1.1_f64.powf(0.9) - 1.0)).abs() < 1e-12);
        assert!((seen.hours - 0.9).abs() < 1e-12);
        // The same in ten seconds is the same change, where an hour of that rate would be 10^13 times as much.
        let fast = trend_of(&values, 1.0 / 3600.0);
        assert!((fast.change - seen.change).abs() < 1e-9, "{fast:?}");
        let widths = [seen, fast].map(|trend| trend.interval.high - trend.interval.low);
        assert!((widths[0] - widths[1]).abs() < 1e-9, "{widths:?}");
    }

    #[test]
    fn constant_results_have_no_trend() {
        let trend = trend(&[5.0; 8]);
        assert_eq!((trend.change, trend.p), (0.0, 1.0));
    }

    #[test]
    fn bad_input_is_named() {
        let sample = Sample::new(vec![1.0, 0.0, 2.0]).unwrap();
        let no_log = session_trend(&[0.0, 1.0, 2.0], &sample, Level::P95).unwrap_err();
        assert_eq!(
            no_log,
            TrendError::NotPositive {
                index: 1,
                value: 0.0
            }
        );
        let good = Sample::new(vec![1.0, 3.0, 2.0]).unwrap();
        let same = session_trend(&[1.0, 1.0, 1.0], &good, Level::P95);
        assert_eq!(same, Err(TrendError::BadTimes));
        let short = session_trend(&[1.0], &good, Level::P95).unwrap_err();
        assert!(short.to_string().contains("1 start times for 3 values"));
    }
}
