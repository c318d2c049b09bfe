//! Medians, spreads, and the ratio of two contestants with its interval.

use statrs::distribution::{ContinuousCDF, StudentsT};

/// A ratio of two rates and its 95 % interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ratio {
    /// Geometric mean of the blocks' ratios.
    pub estimate: f64,
    /// Lower end of the interval.
    pub low: f64,
    /// Upper end of the interval.
    pub high: f64,
}

/// The middle value; NaN without values.
pub fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    match sorted.len() {
        0 => f64::NAN,
        n if n % 2 == 1 => sorted[middle],
        _ => (sorted[middle - 1] + sorted[middle]) / 2.0,
    }
}

/// The coefficient of variation, as a share of the mean.
pub fn spread(values: &[f64]) -> f64 {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let squares: f64 = values.iter().map(|v| (v - mean).powi(2)).sum();
    (squares / (n - 1.0)).sqrt() / mean
}

/// The ratio of `ours` to `theirs`, which ran in the same blocks: a t interval on the mean of the
/// logarithms of the blocks' ratios (Jain, The Art of Computer Systems Performance Analysis,
/// 1991, chapter 13). `None` below two blocks.
pub fn ratio(ours: &[f64], theirs: &[f64]) -> Option<Ratio> {
    let logs: Vec<f64> = ours.iter().zip(theirs).map(|(a, b)| (a / b).ln()).collect();
    if logs.len() < 2 {
        return None;
    }
    let n = logs.len() as f64;
    let mean = logs.iter().sum::<f64>() / n;
    let variance = logs.iter().map(|l| (l - mean).powi(2)).sum::<f64>() / (n - 1.0);
    let t = StudentsT::new(0.0, 1.0, n - 1.0).ok()?.inverse_cdf(0.975);
    let half = t * (variance / n).sqrt();
    Some(Ratio {
        estimate: mean.exp(),
        low: (mean - half).exp(),
        high: (mean + half).exp(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ratio_known_from_paper() {
        // Logs 0.1, 0.2, 0.3: mean 0.2, deviation 0.1, t(2) at 97.5 % is 4.302653.
        let ours = [0.1f64.exp(), 0.2f64.exp(), 0.3f64.exp()];
        let found = ratio(&ours, &[1.0; 3]).expect("three blocks");
        let half = 4.302_653 * 0.1 / 3f64.sqrt();
        assert!((found.estimate - 0.2f64.exp()).abs() < 1e-9);
        assert!((found.low - (0.2 - half).exp()).abs() < 1e-6);
        assert!((found.high - (0.2 + half).exp()).abs() < 1e-6);
        assert_eq!(ratio(&[1.0], &[1.0]), None);
    }

    #[test]
    fn medians_and_spreads() {
        assert_eq!(median(&[3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(&[4.0, 1.0, 2.0, 3.0]), 2.5);
        assert!((spread(&[9.0, 10.0, 11.0]) - 0.1).abs() < 1e-12);
    }
}
