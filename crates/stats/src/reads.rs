//! Steadiness of pure reads, which replace no data: the window is measured in time.
//!
//! A read test on a range that was written in full is judged over at least 60 seconds that are
//! worth at least 50 independent values; anything shorter proves nothing however flat it is. Writes
//! are judged by [`crate::WriteHistory`].

use crate::{MIN_EFFECTIVE_N, Sample, Steadiness, SteadyState};

/// Shortest window of reads, in seconds.
pub const READ_WINDOW_SECONDS: f64 = 60.0;

/// What is known about the steadiness of reads.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ReadSteadiness {
    /// The window is too short, in seconds or in independent values.
    TooShort {
        /// Length of the window in seconds; 60 are needed.
        seconds: f64,
        /// Its effective sample size; 50 are needed.
        effective_n: f64,
    },
    /// The window was judged.
    Judged(SteadyState),
}

impl ReadSteadiness {
    /// Steady, not steady, or undecided (also when the window is too short).
    pub fn verdict(&self) -> Steadiness {
        match self {
            ReadSteadiness::TooShort { .. } => Steadiness::Undecided,
            ReadSteadiness::Judged(state) => state.verdict(),
        }
    }
}

impl Sample {
    /// Judges a window of reads whose values were taken every `step_seconds`. The effective sample
    /// size is that of the deviations from the fitted line, so that a drift, which the test itself
    /// looks for, is not taken for a lack of values.
    pub fn steady_reads(&self, step_seconds: f64) -> ReadSteadiness {
        let seconds = self.n() as f64 * step_seconds;
        let effective_n = crate::line::fit_even(self.values()).map_or(1.0, |line| {
            self.n() as f64 / crate::dependence::autocorrelation_time(&line.residuals)
        });
        let is_long = seconds >= READ_WINDOW_SECONDS && effective_n >= MIN_EFFECTIVE_N;
        match self.steady_state().filter(|_| is_long) {
            Some(state) => ReadSteadiness::Judged(state),
            None => ReadSteadiness::TooShort {
                seconds,
                effective_n,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reads(n: u32, drift: f64) -> Sample {
        let noise = |i: u32| f64::from((i * 7919 + 13) % 101) / 101.0;
        let value = |i: u32| 100.0 + noise(i) + drift * f64::from(i) / f64::from(n);
        Sample::new((0..n).map(value).collect()).unwrap()
    }

    #[test]
    fn flat_but_too_short() {
        let early = reads(59, 0.0).steady_reads(1.0);
        assert!(matches!(
            early,
            ReadSteadiness::TooShort { seconds: 59.0, .. }
        ));
        assert_eq!(early.verdict(), Steadiness::Undecided);
        let few = reads(40, 0.0).steady_reads(10.0);
        assert!(matches!(few, ReadSteadiness::TooShort { .. }));
        assert_eq!(
            reads(1, 0.0).steady_reads(100.0).verdict(),
            Steadiness::Undecided
        );
    }

    #[test]
    fn long_enough_is_judged() {
        assert_eq!(
            reads(120, 0.0).steady_reads(1.0).verdict(),
            Steadiness::Steady
        );
        assert_eq!(
            reads(120, 9.0).steady_reads(1.0).verdict(),
            Steadiness::NotSteady
        );
    }
}
