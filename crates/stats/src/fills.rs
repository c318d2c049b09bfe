//! Steadiness of writes, in units of the drive: the window is measured in bytes, not in rounds.
//!
//! Flash settles as data is replaced, so a window of a few seconds proves nothing however flat it
//! is. The window judged is the last one in which at least the whole active range was written
//! once; and nothing is claimed before the range has been written twice since it was last emptied
//! (once for sequential writes and for reads).

use crate::{Sample, Steadiness, SteadyState};

/// Fills since the last purge before random writes can be called steady.
pub const FILLS_RANDOM_WRITE: f64 = 2.0;
/// Fills since the last purge before sequential writes or reads can be called steady.
pub const FILLS_SEQUENTIAL: f64 = 1.0;
/// Host writes, in fills, that the judged window spans at least.
const WINDOW_FILLS: f64 = 1.0;

/// A run of writes: what was measured, and how much the host wrote meanwhile.
#[derive(Debug, Clone, Copy)]
pub struct WriteHistory<'a> {
    /// The measured values, one per even step.
    pub values: &'a Sample,
    /// Bytes that the host wrote during each value.
    pub bytes: &'a [u64],
    /// Size of the active range in bytes.
    pub active_bytes: u64,
    /// Fills of the active range between its last purge and the first value.
    pub fills_before: f64,
}

/// What is known about the steadiness of writes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum WriteSteadiness {
    /// Not enough was written to say anything.
    TooLittleWritten {
        /// Fills since the last purge.
        fills: f64,
        /// Fills that the claim needs, with one of them inside the run.
        needed: f64,
    },
    /// The last fill was judged.
    Judged {
        /// Fills since the last purge.
        fills: f64,
        /// Index of the first value of the judged window.
        window_start: usize,
        /// Both tests on it.
        state: SteadyState,
    },
}

impl WriteSteadiness {
    /// Steady, not steady, or undecided (also when too little was written).
    pub fn verdict(&self) -> Steadiness {
        match self {
            WriteSteadiness::TooLittleWritten { .. } => Steadiness::Undecided,
            WriteSteadiness::Judged { state, .. } => state.verdict(),
        }
    }
}

/// Why a history cannot be judged.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
pub enum WriteHistoryError {
    /// There is not one byte count per value.
    #[error("{bytes} byte counts for {values} values: give one per value")]
    LengthsDiffer {
        /// Number of values.
        values: usize,
        /// Number of byte counts.
        bytes: usize,
    },
    /// The active range is empty.
    #[error("the active range is 0 bytes: give the size of what was written to")]
    NoActiveRange,
    /// The window that spans one fill holds fewer than 20 values.
    #[error("one fill spans {n} values, at least 20 are needed: record at shorter steps")]
    TooCoarse {
        /// Number of values in the window.
        n: usize,
    },
}

impl WriteHistory<'_> {
    /// Judges the last fill; `fills_needed` is [`FILLS_RANDOM_WRITE`] or [`FILLS_SEQUENTIAL`].
    ///
    /// # Errors
    /// When counts and values differ in number, the active range is empty, or the steps are too
    /// coarse.
    pub fn judge(&self, fills_needed: f64) -> Result<WriteSteadiness, WriteHistoryError> {
        let (values, bytes) = (self.values.values(), self.bytes);
        if values.len() != bytes.len() {
            return Err(WriteHistoryError::LengthsDiffer {
                values: values.len(),
                bytes: bytes.len(),
            });
        }
        if self.active_bytes == 0 {
            return Err(WriteHistoryError::NoActiveRange);
        }
        let capacity = self.active_bytes as f64;
        let fills = self.fills_before + bytes.iter().map(|&b| b as f64).sum::<f64>() / capacity;
        let Some(start) = window_start(bytes, WINDOW_FILLS * capacity) else {
            return Ok(self.too_little(fills, fills_needed));
        };
        if fills < fills_needed {
            return Ok(self.too_little(fills, fills_needed));
        }
        let window = Sample::from_checked(values[start..].to_vec());
        let state = window
            .steady_state()
            .ok_or(WriteHistoryError::TooCoarse { n: window.n() })?;
        Ok(WriteSteadiness::Judged {
            fills,
            window_start: start,
            state,
        })
    }

    fn too_little(&self, fills: f64, fills_needed: f64) -> WriteSteadiness {
        WriteSteadiness::TooLittleWritten {
            fills,
            needed: fills_needed.max(self.fills_before + WINDOW_FILLS),
        }
    }
}

/// Start of the shortest window at the end in which at least `wanted` bytes were written.
fn window_start(bytes: &[u64], wanted: f64) -> Option<usize> {
    let mut sum = 0.0;
    bytes.iter().enumerate().rev().find_map(|(i, &b)| {
        sum += b as f64;
        (sum >= wanted).then_some(i)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judge(values: &Sample, fills_before: f64) -> Result<WriteSteadiness, WriteHistoryError> {
        let bytes = vec![10; values.n()];
        WriteHistory {
            values,
            bytes: &bytes,
            active_bytes: 1000,
            fills_before,
        }
        .judge(FILLS_RANDOM_WRITE)
    }

    #[test]
    fn flat_but_too_early() {
        let flat = Sample::new(vec![5.0; 150]).unwrap();
        let early = judge(&flat, 0.0).unwrap();
        assert_eq!(
            early,
            WriteSteadiness::TooLittleWritten {
                fills: 1.5,
                needed: 2.0
            }
        );
        assert_eq!(early.verdict(), Steadiness::Undecided);
        assert_eq!(judge(&flat, 0.5).unwrap().verdict(), Steadiness::Steady);
    }

    #[test]
    fn the_window_is_the_last_fill() {
        let values: Vec<f64> = (0..300).map(|i| if i < 200 { 90.0 } else { 5.0 }).collect();
        let late = judge(&Sample::new(values).unwrap(), 0.0).unwrap();
        assert!(matches!(
            late,
            WriteSteadiness::Judged {
                window_start: 200,
                ..
            }
        ));
        assert_eq!(late.verdict(), Steadiness::Steady);
    }

    #[test]
    fn bad_histories_are_named() {
        let values = Sample::new(vec![5.0; 10]).unwrap();
        let history = |bytes, active_bytes| WriteHistory {
            values: &values,
            bytes,
            active_bytes,
            fills_before: 3.0,
        };
        let short = history(&[1, 2], 10).judge(2.0);
        assert!(matches!(
            short,
            Err(WriteHistoryError::LengthsDiffer { .. })
        ));
        let empty = history(&[1; 10], 0).judge(2.0);
        assert_eq!(empty, Err(WriteHistoryError::NoActiveRange));
        let coarse = history(&[1; 10], 10).judge(2.0);
        assert_eq!(coarse, Err(WriteHistoryError::TooCoarse { n: 10 }));
    }
}
