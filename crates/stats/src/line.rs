//! Ordinary least squares through points: slope, its standard error, residuals.

use crate::sample::mean;

/// A fitted line.
pub(crate) struct FittedLine {
    /// Rise per unit of x.
    pub(crate) slope: f64,
    /// Standard error of the slope for independent residuals; zero for two points.
    pub(crate) slope_se: f64,
    /// `y - fitted`, in the order of the points.
    pub(crate) residuals: Vec<f64>,
}

/// The line through `(x, y)`; `None` for fewer than two points or when all x are equal.
pub(crate) fn fit(x: &[f64], y: &[f64]) -> Option<FittedLine> {
    let n = x.len().min(y.len());
    if n < 2 {
        return None;
    }
    let (x, y) = (&x[..n], &y[..n]);
    let (x_mean, y_mean) = (mean(x), mean(y));
    let sxx: f64 = x.iter().map(|x| (x - x_mean).powi(2)).sum();
    if sxx == 0.0 {
        return None;
    }
    let sxy: f64 = x
        .iter()
        .zip(y)
        .map(|(x, y)| (x - x_mean) * (y - y_mean))
        .sum();
    let slope = sxy / sxx;
    let residuals: Vec<f64> = x
        .iter()
        .zip(y)
        .map(|(x, y)| (y - y_mean) - slope * (x - x_mean))
        .collect();
    let squares: f64 = residuals.iter().map(|r| r * r).sum();
    let slope_se = if n > 2 {
        (squares / (n - 2) as f64 / sxx).sqrt()
    } else {
        0.0
    };
    Some(FittedLine {
        slope,
        slope_se,
        residuals,
    })
}

/// The line through `y` at `x = 0, 1, 2, ...`.
pub(crate) fn fit_even(y: &[f64]) -> Option<FittedLine> {
    let x: Vec<f64> = (0..y.len()).map(|i| i as f64).collect();
    fit(&x, y)
}
