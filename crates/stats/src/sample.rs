//! The sample type: at least one finite value, checked here and nowhere else.

use std::sync::OnceLock;

/// Largest absolute value a sample accepts, so that squares and sums of squares stay finite.
pub const MAX_MAGNITUDE: f64 = 1e150;

/// Finite values in the order in which they were measured.
///
/// Holds at least one value; every value is finite and at most [`MAX_MAGNITUDE`] in size. The
/// order matters to the methods about time (warm-up, drift, shifts) and not to the others.
#[derive(Debug, Clone)]
pub struct Sample {
    values: Vec<f64>,
    sorted: OnceLock<Vec<f64>>,
}

/// Why values do not make a sample.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
pub enum SampleError {
    /// There was no value at all.
    #[error("a sample needs at least one value, none was given: measure at least once")]
    Empty,
    /// A value is not a number or infinite.
    #[error("value {value} at index {index} is not finite: drop the run and say why it failed")]
    NotFinite {
        /// Position in the input, from 0.
        index: usize,
        /// The offending value.
        value: f64,
    },
    /// A value is larger than any measurement can be.
    #[error("value {value:e} at index {index} is beyond 1e150: choose a larger unit")]
    TooLarge {
        /// Position in the input, from 0.
        index: usize,
        /// The offending value.
        value: f64,
    },
}

impl Sample {
    /// A sample of `values`, in the order measured.
    ///
    /// ```
    /// use etalon_stats::Sample;
    ///
    /// let sample = Sample::new(vec![3.0, 1.0, 2.0])?;
    /// assert_eq!(sample.sorted(), [1.0, 2.0, 3.0]);
    /// assert!(Sample::new(vec![f64::NAN]).is_err());
    /// # Ok::<(), etalon_stats::SampleError>(())
    /// ```
    ///
    /// # Errors
    /// When there is no value, or one is not finite or beyond [`MAX_MAGNITUDE`].
    pub fn new(values: Vec<f64>) -> Result<Sample, SampleError> {
        if values.is_empty() {
            return Err(SampleError::Empty);
        }
        for (index, &value) in values.iter().enumerate() {
            if !value.is_finite() {
                return Err(SampleError::NotFinite { index, value });
            }
            if value.abs() > MAX_MAGNITUDE {
                return Err(SampleError::TooLarge { index, value });
            }
        }
        Ok(Sample::from_checked(values))
    }

    /// A sample of values already known to be good: parts of, or means over, a sample.
    pub(crate) fn from_checked(values: Vec<f64>) -> Sample {
        debug_assert!(!values.is_empty());
        Sample {
            values,
            sorted: OnceLock::new(),
        }
    }

    /// The values in the order measured.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// The values from smallest to largest; sorted at the first call and kept.
    pub fn sorted(&self) -> &[f64] {
        self.sorted.get_or_init(|| {
            let mut sorted = self.values.clone();
            sorted.sort_unstable_by(f64::total_cmp);
            sorted
        })
    }

    /// How many values there are, at least 1.
    pub fn n(&self) -> usize {
        self.values.len()
    }

    /// Smallest value.
    pub fn min(&self) -> f64 {
        self.values.iter().copied().fold(f64::INFINITY, f64::min)
    }

    /// Largest value.
    pub fn max(&self) -> f64 {
        self.values
            .iter()
            .copied()
            .fold(f64::NEG_INFINITY, f64::max)
    }

    /// Standard deviation with divisor `n - 1`, in the unit of the values; `None` for one value.
    pub fn sd(&self) -> Option<f64> {
        sd(&self.values)
    }

    /// Coefficient of variation, `sd / |mean|`; `0.05` is 5 %. `None` for one value or mean zero.
    pub fn cv(&self) -> Option<f64> {
        let centre = mean(&self.values);
        (centre != 0.0)
            .then_some(centre)
            .and_then(|centre| self.sd().map(|sd| sd / centre.abs()))
    }

    /// Standard deviation of the natural logarithms, divisor `n - 1`: the spread that a comparison
    /// of ratios sees, and so the one to plan comparisons with. Close to [`Sample::cv`] for small
    /// spreads, larger where slow runs make a tail. `None` for one value, or one that is not
    /// positive.
    pub fn log_sd(&self) -> Option<f64> {
        if self.min() <= 0.0 {
            return None;
        }
        let logs: Vec<f64> = self.values().iter().map(|value| value.ln()).collect();
        sd(&logs)
    }

    /// `(max - min) / |mean|`, printed beside an interval; `None` when the mean is zero.
    pub fn relative_range(&self) -> Option<f64> {
        let centre = mean(&self.values);
        (centre != 0.0).then(|| (self.max() - self.min()) / centre.abs())
    }
}

impl PartialEq for Sample {
    fn eq(&self, other: &Sample) -> bool {
        self.values == other.values
    }
}

impl TryFrom<Vec<f64>> for Sample {
    type Error = SampleError;

    fn try_from(values: Vec<f64>) -> Result<Sample, SampleError> {
        Sample::new(values)
    }
}

/// Mean in two passes: the second adds what rounding lost in the first. A constant series gives
/// back exactly its constant.
pub(crate) fn mean(values: &[f64]) -> f64 {
    let n = values.len() as f64;
    let first = values.iter().sum::<f64>() / n;
    let rest = values.iter().map(|v| v - first).sum::<f64>() / n;
    let mean = first + rest;
    let (low, high) = values
        .iter()
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &v| {
            (low.min(v), high.max(v))
        });
    mean.clamp(low, high)
}

/// Standard deviation, scaled by the largest deviation so that neither tiny nor huge values lose
/// their squares; `None` below two values.
pub(crate) fn sd(values: &[f64]) -> Option<f64> {
    if values.len() < 2 {
        return None;
    }
    let centre = mean(values);
    let scale = values
        .iter()
        .fold(0.0_f64, |scale, v| scale.max((v - centre).abs()));
    if scale == 0.0 {
        return Some(0.0);
    }
    let squares: f64 = values.iter().map(|v| ((v - centre) / scale).powi(2)).sum();
    Some(scale * (squares / (values.len() - 1) as f64).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_spread_of_logarithms_sees_a_tail_of_slow_runs() {
        let even = Sample::new(vec![100.0, 101.0, 99.0, 100.5]).unwrap();
        assert!((even.log_sd().unwrap() / even.cv().unwrap() - 1.0).abs() < 0.01);
        let tailed = Sample::new(vec![100.0, 100.0, 100.0, 100.0, 40.0]).unwrap();
        assert!(tailed.log_sd().unwrap() > 1.3 * tailed.cv().unwrap());
        assert_eq!(Sample::new(vec![1.0, 0.0]).unwrap().log_sd(), None);
    }

    #[test]
    fn the_door_is_guarded() {
        assert_eq!(Sample::new(vec![]), Err(SampleError::Empty));
        let nan = Sample::new(vec![1.0, f64::NAN]).unwrap_err();
        assert!(nan.to_string().contains("index 1"));
        assert_eq!(
            Sample::new(vec![-1e151]),
            Err(SampleError::TooLarge {
                index: 0,
                value: -1e151
            })
        );
    }

    #[test]
    fn constant_values_have_no_spread() {
        let sample = Sample::new(vec![0.1; 7]).unwrap();
        assert_eq!(mean(sample.values()), 0.1);
        assert_eq!(sample.sd(), Some(0.0));
        assert_eq!(sample.cv(), Some(0.0));
    }

    #[test]
    fn tiny_and_huge_values_keep_their_spread() {
        for scale in [1e-200, 1.0, 1e149] {
            let sample = Sample::new(vec![scale, 2.0 * scale, 3.0 * scale]).unwrap();
            let sd = sample.sd().unwrap();
            assert!((sd / scale - 1.0).abs() < 1e-14, "{sd}");
        }
    }

    #[test]
    fn a_large_offset_does_not_hide_the_spread() {
        let sample = Sample::new(vec![1e9, 1e9 + 1.0, 1e9 + 2.0]).unwrap();
        assert_eq!(sample.sd(), Some(1.0));
    }

    #[test]
    fn degenerate_ratios_are_none() {
        let zero = Sample::new(vec![-1.0, 1.0]).unwrap();
        assert_eq!(zero.cv(), None);
        assert_eq!(zero.relative_range(), None);
        assert_eq!(Sample::new(vec![3.0]).unwrap().sd(), None);
    }
}
