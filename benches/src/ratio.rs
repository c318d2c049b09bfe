//! Medians, spreads, and the ratio of two contestants with its interval.

use statrs::distribution::{ContinuousCDF, StudentsT};

/// A ratio of two rates, or their difference, and its 95 % interval.
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

/// How much more `ours` are than `theirs`, which ran in the same blocks, with the 95 % interval of t on the differences.
/// `None` below two blocks.
pub fn difference(ours: &[f64], theirs: &[f64]) -> Option<Ratio> {
    let all: Vec<f64> = ours.iter().zip(theirs).map(|(a, b)| a - b).collect();
    let (mean, half) = interval(&all)?;
    Some(Ratio {
        estimate: mean,
        low: mean - half,
        high: mean + half,
    })
}

/// The mean of values and half of its 95 % interval.
fn interval(values: &[f64]) -> Option<(f64, f64)> {
    if values.len() < 2 {
        return None;
    }
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let variance = values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / (n - 1.0);
    let t = StudentsT::new(0.0, 1.0, n - 1.0).ok()?.inverse_cdf(0.975);
    Some((mean, t * (variance / n).sqrt()))
}

/// The ratio of `ours` to `theirs`, which ran in the same blocks: a t interval on the mean of the
/// logarithms of the blocks' ratios (Jain, The Art of Computer Systems Performance Analysis,
/// 1991, chapter 13). `None` below two blocks.
pub fn ratio(ours: &[f64], theirs: &[f64]) -> Option<Ratio> {
    let logs: Vec<f64> = ours.iter().zip(theirs).map(|(a, b)| (a / b).ln()).collect();
    let (mean, half) = interval(&logs)?;
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
    fn a_difference_known_from_paper() {
        // Differences 1, 2, 3: mean 2, deviation 1.
        let found = difference(&[11.0, 22.0, 33.0], &[10.0, 20.0, 30.0]).expect("three blocks");
        let half = 4.302_653 / 3f64.sqrt();
        assert_eq!(found.estimate, 2.0);
        assert!(
            (found.low - (2.0 - half)).abs() < 1e-6 && (found.high - (2.0 + half)).abs() < 1e-6
        );
    }

    #[test]
    fn medians_and_spreads() {
        assert_eq!(median(&[3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(&[4.0, 1.0, 2.0, 3.0]), 2.5);
        assert!((spread(&[9.0, 10.0, 11.0]) - 0.1).abs() < 1e-12);
    }
}
