//! Everything that is printed about one cell's runs, in one record.

use crate::median::{median_by_selection, median_of_sorted};
use crate::{Bimodality, Estimate, Level, Sample};

/// Count, centre, spread and shape of a sample.
#[derive(Debug, Clone, PartialEq)]
pub struct Summary {
    /// How many values.
    pub n: usize,
    /// Mean with its t interval.
    pub mean: Estimate,
    /// Median with its order-statistic interval.
    pub median: Estimate,
    /// Standard deviation; `None` for one value.
    pub sd: Option<f64>,
    /// Coefficient of variation as a share; `None` for one value or a mean of zero.
    pub cv: Option<f64>,
    /// Smallest value.
    pub min: f64,
    /// Largest value, to be printed as "max of n".
    pub max: f64,
    /// `(max - min) / mean`; `None` for a mean of zero.
    pub relative_range: Option<f64>,
    /// Median distance from the median.
    pub median_deviation: f64,
    /// The two groups, when the runs fall into two.
    pub bimodality: Option<Bimodality>,
}

impl Sample {
    /// All of the above at `level`.
    pub fn summary(&self, level: Level) -> Summary {
        Summary {
            n: self.n(),
            mean: self.mean_interval(level),
            median: self.interpolated_median_interval(level),
            sd: self.sd(),
            cv: self.cv(),
            min: self.min(),
            max: self.max(),
            relative_range: self.relative_range(),
            median_deviation: self.median_deviation(),
            bimodality: self.bimodality(),
        }
    }

    /// Median of the distances from the median, a spread that no single stall can move.
    pub fn median_deviation(&self) -> f64 {
        let centre = median_of_sorted(self.sorted());
        let mut distances: Vec<f64> = self.values().iter().map(|v| (v - centre).abs()).collect();
        median_by_selection(&mut distances)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stall_does_not_move_the_median_deviation() {
        let sample = Sample::new(vec![10.0, 11.0, 12.0, 13.0, 1e9]).unwrap();
        assert_eq!(sample.median_deviation(), 1.0);
    }
}
