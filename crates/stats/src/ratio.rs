//! Ratios of two arms with intervals, computed on logarithms.
//!
//! Independent arms: `d = mean(ln a) - mean(ln b)` with Welch's t (Biometrika 34, 1947), then
//! `exp(d -+ t * sqrt(v_a + v_b))`. Paired by block: a t interval on `ln(a_i / b_i)`. Both estimate
//! the ratio of geometric means and keep their coverage down to five runs, where percentile
//! bootstraps do not. A ratio always carries both absolutes, because 2x of nothing is nothing.

use crate::distributions::{t_critical, t_two_sided_p};
use crate::sample::{mean, sd};
use crate::{Estimate, Interval, Level, Sample, Statistic};

/// How arms were measured.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Design {
    /// Runs of one arm have nothing to do with runs of another: Welch's t on logarithms.
    Independent,
    /// The same, each arm in a session of its own, from which to which figures of one thing vary.
    Sessions {
        /// Standard deviation of the logarithm of a figure between sessions, 0 or more; `0.1` is about 10 %.
        spread: f64,
    },
    /// Value `i` of every arm was measured in block `i`: paired t on logarithms.
    Blocks,
}

/// Degrees of freedom from which t is the normal distribution.
const KNOWN: f64 = 1e6;

/// The ratio of arm `a` to arm `b`, the base.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ratio {
    /// `a / b` with its interval; `1.25` is 25 % more than the base.
    pub estimate: Estimate,
    /// Two-sided p of "the ratio is one".
    pub p: f64,
    /// Mean of arm `a` in its own unit.
    pub a: Estimate,
    /// Mean of arm `b`, the base, in its own unit.
    pub b: Estimate,
    pub(crate) log: LogDifference,
}

/// Why two arms have no ratio.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
pub enum RatioError {
    /// A value is zero or negative.
    #[error("value {value} at index {index} is not positive: ratios need rates or times")]
    NotPositive {
        /// Position in its sample, from 0.
        index: usize,
        /// The value.
        value: f64,
    },
    /// An arm has a single value.
    #[error("an arm has {n} value(s): a ratio with an interval needs at least 2")]
    TooFew {
        /// The smaller count.
        n: usize,
    },
    /// Paired arms have different lengths.
    #[error("{a} values against {b}: pairs need one value of each arm per block")]
    LengthsDiffer {
        /// Values of the first arm.
        a: usize,
        /// Values of the second arm.
        b: usize,
    },
}

/// A difference of logarithms, its standard error and its degrees of freedom.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct LogDifference {
    pub(crate) difference: f64,
    pub(crate) error: f64,
    pub(crate) df: f64,
    pub(crate) n: usize,
}

impl LogDifference {
    /// Welch's difference of two arms given as mean, squared error of the mean, and count.
    pub(crate) fn welch(a: &LogArm, b: &LogArm) -> LogDifference {
        let variance = a.error2 + b.error2;
        let (da, db) = ((a.n - 1) as f64, (b.n - 1) as f64);
        let df = if variance > 0.0 {
            // As shares of the sum, so that no square underflows.
            let (wa, wb) = (a.error2 / variance, b.error2 / variance);
            1.0 / (wa * wa / da + wb * wb / db)
        } else {
            da + db
        };
        LogDifference {
            difference: a.mean - b.mean,
            error: variance.sqrt(),
            df,
            n: a.n.min(b.n),
        }
    }

    /// Mean of paired differences of logarithms.
    pub(crate) fn paired(logs_a: &[f64], logs_b: &[f64]) -> LogDifference {
        let n = logs_a.len().min(logs_b.len());
        let differences = || logs_a.iter().zip(logs_b).map(|(a, b)| a - b);
        let first = differences().next().unwrap_or(0.0);
        // Counted from the first, so that equal differences have a spread of exactly zero.
        let difference = first + differences().map(|d| d - first).sum::<f64>() / n as f64;
        let squares: f64 = differences().map(|d| (d - difference).powi(2)).sum();
        LogDifference {
            difference,
            error: (squares / (n - 1) as f64 / n as f64).sqrt(),
            df: (n - 1) as f64,
            n,
        }
    }

    /// The same where each arm is of a session of its own, and figures of one thing vary by `spread` (standard deviation of
    /// the logarithm) from session to session. As that is known and not estimated here, Satterthwaite's degrees of
    /// freedom (Biometrics Bulletin 2, 1946) rise with its share of the variance.
    pub(crate) fn of_sessions(self, spread: f64) -> LogDifference {
        let own = self.error * self.error;
        let variance = own + 2.0 * spread * spread;
        let df = match own > 0.0 {
            true => (self.df * (variance / own).powi(2)).min(KNOWN),
            false => KNOWN,
        };
        LogDifference {
            error: variance.sqrt(),
            df,
            ..self
        }
    }

    /// The difference of two arms, whose logarithms these are and which were measured so.
    pub(crate) fn by(design: Design, a: &[f64], b: &[f64]) -> LogDifference {
        let independent = || LogDifference::welch(&LogArm::new(a), &LogArm::new(b));
        match design {
            Design::Independent => independent(),
            Design::Sessions { spread } => independent().of_sessions(spread),
            Design::Blocks => LogDifference::paired(a, b),
        }
    }

    /// Two-sided p of "no difference". Without any spread a difference is certain.
    pub(crate) fn p(&self) -> f64 {
        if self.difference == 0.0 {
            1.0
        } else {
            t_two_sided_p(self.difference / self.error, self.df)
        }
    }

    pub(crate) fn estimate(&self, level: Level) -> Estimate {
        let half = t_critical(level, self.df) * self.error;
        Estimate {
            statistic: Statistic::Ratio,
            value: self.difference.exp(),
            interval: Some(Interval {
                low: (self.difference - half).exp(),
                high: (self.difference + half).exp(),
                level,
            }),
            level,
            n: self.n,
        }
    }
}

/// Logarithms of one arm, summarised.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct LogArm {
    pub(crate) mean: f64,
    /// Squared standard error of the mean.
    pub(crate) error2: f64,
    pub(crate) n: usize,
}

impl LogArm {
    pub(crate) fn new(logs: &[f64]) -> LogArm {
        let spread = sd(logs).unwrap_or(0.0);
        LogArm {
            mean: mean(logs),
            error2: spread * spread / logs.len() as f64,
            n: logs.len(),
        }
    }
}

/// Logarithms of a sample with at least two values, all positive.
pub(crate) fn logs(sample: &Sample) -> Result<Vec<f64>, RatioError> {
    if sample.n() < 2 {
        return Err(RatioError::TooFew { n: sample.n() });
    }
    sample
        .values()
        .iter()
        .enumerate()
        .map(|(index, &value)| {
            if value > 0.0 {
                Ok(value.ln())
            } else {
                Err(RatioError::NotPositive { index, value })
            }
        })
        .collect()
}

/// Ratio of two independent arms, Welch's t on logarithms.
///
/// # Errors
/// When an arm has fewer than two values or one that is not positive.
pub fn ratio(a: &Sample, b: &Sample, level: Level) -> Result<Ratio, RatioError> {
    ratio_by(a, b, Design::Independent, level)
}

/// Ratio of two arms measured in the same blocks, value `i` of each in block `i`.
///
/// # Errors
/// When the arms differ in length, or have fewer than two values or one that is not positive.
pub fn paired_ratio(a: &Sample, b: &Sample, level: Level) -> Result<Ratio, RatioError> {
    ratio_by(a, b, Design::Blocks, level)
}

/// Ratio of two arms that were measured so.
///
/// # Errors
/// As [`ratio`], and where blocks are given as [`paired_ratio`].
pub fn ratio_by(a: &Sample, b: &Sample, design: Design, level: Level) -> Result<Ratio, RatioError> {
    if design == Design::Blocks && a.n() != b.n() {
        return Err(RatioError::LengthsDiffer { a: a.n(), b: b.n() });
    }
    let (logs_a, logs_b) = (logs(a)?, logs(b)?);
    let log = LogDifference::by(design, &logs_a, &logs_b);
    Ok(with_absolutes(log, a, b, level))
}

fn with_absolutes(log: LogDifference, a: &Sample, b: &Sample, level: Level) -> Ratio {
    Ratio {
        estimate: log.estimate(level),
        p: log.p(),
        a: a.mean_interval(level),
        b: b.mean_interval(level),
        log,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(values: &[f64]) -> Sample {
        Sample::new(values.to_vec()).unwrap()
    }

    #[test]
    fn pairing_removes_what_blocks_share() {
        let a = sample(&[100.0, 120.0, 90.0, 140.0]);
        let b = sample(&[50.0, 60.2, 45.1, 69.9]);
        let paired = paired_ratio(&a, &b, Level::P95).unwrap();
        let free = ratio(&a, &b, Level::P95).unwrap();
        assert!((paired.estimate.value - 2.0).abs() < 0.01);
        let width = |r: &Ratio| r.estimate.interval.unwrap().half_width();
        assert!(width(&paired) * 20.0 < width(&free));
    }

    #[test]
    fn arms_without_spread() {
        let (a, b) = (sample(&[3.0; 4]), sample(&[2.0; 4]));
        let differs = ratio(&a, &b, Level::P95).unwrap();
        assert_eq!(differs.p, 0.0);
        let same = ratio(&a, &a, Level::P95).unwrap();
        assert_eq!((same.p, same.estimate.value), (1.0, 1.0));
    }

    #[test]
    fn bad_arms_are_named() {
        let (two, zero) = (sample(&[1.0, 2.0]), sample(&[1.0, 0.0]));
        let zero = ratio(&two, &zero, Level::P95).unwrap_err();
        assert_eq!(
            zero,
            RatioError::NotPositive {
                index: 1,
                value: 0.0
            }
        );
        let one = ratio(&two, &sample(&[1.0]), Level::P95).unwrap_err();
        assert_eq!(one, RatioError::TooFew { n: 1 });
        let odd = paired_ratio(&two, &sample(&[1.0; 3]), Level::P95).unwrap_err();
        assert_eq!(odd, RatioError::LengthsDiffer { a: 2, b: 3 });
    }
}
