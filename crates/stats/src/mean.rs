//! Mean with Student's t interval.
//!
//! `m -+ t(1 - a/2, n - 1) * s / sqrt(n)` over independent values, one per run (Student 1908;
//! Georges, Buytaert and Eeckhout, OOPSLA 2007, for benchmark runs). Windows inside one run are
//! not independent: their interval is the business of batch means, never of this one.

use crate::distributions::t_critical;
use crate::sample::mean;
use crate::{Estimate, Level, Sample};

impl Sample {
    /// The mean of the values with its t interval; no interval for a single value.
    pub fn mean_interval(&self, level: Level) -> Estimate {
        let value = mean(self.values());
        let n = self.n() as f64;
        let half = self
            .sd()
            .map(|sd| t_critical(level, n - 1.0) * sd / n.sqrt());
        Estimate::of_mean(value, half, level, self.n())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_textbook_interval() {
        let sample = Sample::new(vec![1.0, 2.0, 3.0, 4.0, 5.0]).unwrap();
        let estimate = sample.mean_interval(Level::P95);
        let half = estimate.interval.unwrap().half_width();
        assert_eq!(estimate.value, 3.0);
        assert!((half - 1.963_243_161_4).abs() < 1e-9, "{half}");
    }

    #[test]
    fn one_value_has_no_interval() {
        let estimate = Sample::new(vec![7.0]).unwrap().mean_interval(Level::P95);
        assert_eq!(estimate.interval, None);
    }
}
