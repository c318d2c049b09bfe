//! The highest load at which a percentile of the latency stays below a limit.
//!
//! Single runs climb a ladder of queue depths or rates and find where the limit is crossed; they choose and
//! are not kept. The step that held and the one above it are then measured like any other cells, and the
//! answer is what those runs say.

mod answer;
mod climb;
mod ladder;

use std::fmt;
use std::str::FromStr;

use etalon_model::Run;
use etalon_units::Nanos;

pub use answer::{LatencyAnswer, LatencyStep, StepPercentile};
pub(crate) use climb::climb;

/// The percentile where none is named.
const USUAL: f64 = 0.99;
/// So many operations lie beyond a percentile that is shown, as in every table.
const BEYOND: f64 = 10.0;

/// A latency, and the share of the operations that must stay below it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LatencyTarget {
    /// The most that they may take.
    pub limit: Nanos,
    /// The share of the operations, between 0 and 1.
    pub quantile: f64,
}

/// Why a latency target cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "'{input}' is no latency target; write a time and, if it is not p99, a percentile, for example 5ms or 2ms@p99.9"
)]
pub struct BadLatencyTarget {
    input: String,
}

impl LatencyTarget {
    /// `99` or `99.9`: which percentile of the operations it is.
    pub fn percentile(&self) -> f64 {
        percentile(self.quantile)
    }

    /// How many operations show the percentile.
    pub fn operations(&self) -> u64 {
        // Without what binary fractions add; a cast of what is too large saturates.
        (BEYOND / (1.0 - self.quantile) - 1e-6).ceil() as u64
    }

    /// The percentile of one run; `None` where nothing ended.
    pub(crate) fn of(&self, run: &Run) -> Option<Nanos> {
        run.measurement.latency().quantile(self.quantile)
    }
}

impl fmt::Display for LatencyTarget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}@p{}", self.limit, self.percentile())
    }
}

impl FromStr for LatencyTarget {
    type Err = BadLatencyTarget;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let bad = || BadLatencyTarget {
            input: text.to_owned(),
        };
        let (limit, quantile) = match text.split_once('@') {
            None => (text, USUAL),
            Some((limit, name)) => {
                let number = name.trim().trim_start_matches(['p', 'P']);
                let percent: f64 = number.parse().map_err(|_| bad())?;
                (limit, percent / 100.0)
            }
        };
        let limit: Nanos = limit.trim().parse().map_err(|_| bad())?;
        let is_share = quantile > 0.0 && quantile < 1.0;
        match is_share && limit > Nanos::ZERO {
            true => Ok(LatencyTarget { limit, quantile }),
            false => Err(bad()),
        }
    }
}

/// `99` or `99.9`, without what binary fractions add.
fn percentile(quantile: f64) -> f64 {
    (quantile * 1e7).round() / 1e5
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_target_is_a_time_and_a_percentile() {
        let read = |text: &str| text.parse::<LatencyTarget>().map(|t| (t.limit, t.quantile));
        assert_eq!(read("5ms"), Ok((Nanos::millis(5), 0.99)));
        let (limit, quantile) = read("250us@p99.9").unwrap();
        assert_eq!(limit, Nanos(250_000));
        assert!((quantile - 0.999).abs() < 1e-12);
        assert_eq!(read("1s@50"), Ok((Nanos::secs(1), 0.5)));
        let operations = |text: &str| text.parse::<LatencyTarget>().unwrap().operations();
        let wanted = ["1s@p50", "1s@p90", "1s", "1s@p99.9", "1s@p99.99"].map(operations);
        assert_eq!(wanted, [20, 100, 1000, 10_000, 100_000]);
        for wrong in [
            "", "5", "0ms", "5ms@", "5ms@p100", "5ms@p0", "fast@p99", "5ms@pNaN",
        ] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
