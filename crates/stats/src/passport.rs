//! The noise passport of a device: what repeating the same thing ten times shows.
//!
//! On first use the same cell is run ten times or more. The passport keeps how much the runs vary,
//! whether they drift over the session and whether they fall into two groups; a later passport is
//! compared with it by the F test of variances and Welch's t, both on logarithms.

use crate::distributions::f_two_sided_p;
use crate::ratio::{LogArm, LogDifference, logs};
use crate::trend::{SessionTrend, session_trend};
use crate::{Bimodality, Estimate, Level, RatioError, Sample, TrendError};

/// Fewest runs of a passport.
pub const PASSPORT_RUNS: usize = 10;

/// How a device behaves when nothing is changed.
#[derive(Debug, Clone, PartialEq)]
pub struct NoisePassport {
    /// Median of the runs with its interval.
    pub median: Estimate,
    /// Coefficient of variation from run to run, a share.
    pub cv: f64,
    /// `(max - min) / mean`.
    pub relative_range: f64,
    /// Drift over the session.
    pub trend: SessionTrend,
    /// The two groups of runs, if there are two.
    pub bimodality: Option<Bimodality>,
    logs: LogArm,
}

/// How a later passport differs from an earlier one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PassportChange {
    /// Ratio of the later level to the earlier, with its interval.
    pub level: Estimate,
    /// Two-sided p of "same level".
    pub level_p: f64,
    /// Ratio of the later relative spread to the earlier; infinite if there was none.
    pub spread_ratio: f64,
    /// Two-sided p of "same spread".
    pub spread_p: f64,
}

/// Why there is no passport.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
pub enum PassportError {
    /// Too few runs.
    #[error("{n} runs: a noise passport needs at least 10 of the same cell")]
    TooFew {
        /// Runs given.
        n: usize,
    },
    /// The runs have no logarithms.
    #[error(transparent)]
    Values(#[from] RatioError),
    /// The start times cannot be used.
    #[error(transparent)]
    Times(#[from] TrendError),
}

impl NoisePassport {
    /// From the `runs` of one unchanged cell, begun at `start_hours` (hours from any origin).
    ///
    /// # Errors
    /// With fewer than [`PASSPORT_RUNS`] runs, runs that are not positive, or unusable times.
    pub fn new(
        start_hours: &[f64],
        runs: &Sample,
        level: Level,
    ) -> Result<NoisePassport, PassportError> {
        if runs.n() < PASSPORT_RUNS {
            return Err(PassportError::TooFew { n: runs.n() });
        }
        let logs = LogArm::new(&logs(runs)?);
        Ok(NoisePassport {
            median: runs.headline(level),
            cv: runs.cv().unwrap_or(0.0),
            relative_range: runs.relative_range().unwrap_or(0.0),
            trend: session_trend(start_hours, runs, level)?,
            bimodality: runs.bimodality(),
            logs,
        })
    }

    /// What has changed since `earlier`. `session_spread` is the standard deviation of the logarithm by which figures of
    /// one thing vary from session to session, where they do: within it the level is as it was.
    pub fn change_since(
        &self,
        earlier: &NoisePassport,
        session_spread: Option<f64>,
    ) -> PassportChange {
        let own = LogDifference::welch(&self.logs, &earlier.logs);
        let log = session_spread.map_or(own, |spread| own.of_sessions(spread));
        let variance = |arm: &LogArm| arm.error2 * arm.n as f64;
        let (now, before) = (variance(&self.logs), variance(&earlier.logs));
        let f = if now == before { 1.0 } else { now / before };
        let (dn, db) = ((self.logs.n - 1) as f64, (earlier.logs.n - 1) as f64);
        PassportChange {
            level: log.estimate(self.median.level),
            level_p: log.p(),
            spread_ratio: f.sqrt(),
            spread_p: f_two_sided_p(f, dn, db),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn passport(centre: f64, spread: f64) -> NoisePassport {
        let hours: Vec<f64> = (0..10).map(|i| f64::from(i) / 60.0).collect();
        let values = (0..10).map(|i| centre * (1.0 + spread * f64::from((i * 7) % 10)));
        let sample = Sample::new(values.collect()).unwrap();
        NoisePassport::new(&hours, &sample, Level::P95).unwrap()
    }

    #[test]
    fn a_change_of_level_and_of_spread() {
        let first = passport(100.0, 0.002);
        let same = passport(100.1, 0.002).change_since(&first, None);
        assert!(same.level_p > 0.5 && same.spread_p > 0.9, "{same:?}");
        let slower = passport(90.0, 0.002).change_since(&first, None);
        assert!(slower.level_p < 1e-6 && slower.spread_p > 0.9);
        let noisier = passport(100.0, 0.02).change_since(&first, None);
        assert!(noisier.spread_p < 1e-6 && (noisier.spread_ratio - 9.3).abs() < 0.5);
    }

    #[test]
    fn what_sessions_vary_by_is_no_change_of_level() {
        let first = passport(100.0, 0.002);
        let since = |level, spread| passport(level, 0.002).change_since(&first, spread);
        let (alone, among) = (since(104.0, None), since(104.0, Some(0.1)));
        assert!(alone.level_p < 1e-6 && among.level_p > 0.5, "{among:?}");
        let width = |change: &PassportChange| change.level.interval.unwrap().half_width();
        assert!(width(&among) > 20.0 * width(&alone));
        assert_eq!(alone.spread_p, among.spread_p);
        assert!(since(250.0, Some(0.1)).level_p < 1e-6);
    }

    #[test]
    fn devices_without_noise() {
        let (flat, noisy) = (passport(100.0, 0.0), passport(100.0, 0.01));
        assert!(flat.change_since(&flat, None).spread_p > 0.999_999);
        assert_eq!(noisy.change_since(&flat, None).spread_p, 0.0);
    }

    #[test]
    fn nine_runs_are_too_few() {
        let nine = Sample::new(vec![1.0; 9]).unwrap();
        let error = NoisePassport::new(&[0.0; 9], &nine, Level::P95);
        assert_eq!(error, Err(PassportError::TooFew { n: 9 }));
    }
}
