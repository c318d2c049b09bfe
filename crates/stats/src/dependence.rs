//! Autocorrelation time and effective sample size of a series inside one run.
//!
//! Neighbouring windows of a run resemble each other, so `n` of them are worth only `n / tau`
//! independent ones, `tau = 1 + 2 * sum of the autocorrelations`. Geyer's initial monotone
//! sequence (Practical Markov chain Monte Carlo, Statistical Science 7, 1992) sums the pairs
//! `G_j = gamma_2j + gamma_(2j+1)` of autocovariances (divisor `n`) up to the first that is not
//! positive, none larger than the one before: `tau = (-gamma_0 + 2 * sum G_j) / gamma_0`, here
//! never below 1.

use crate::Sample;
use crate::fourier::{Complex, Fourier};
use crate::sample::mean;

/// Lags computed one by one before the Fourier transform is worth its cost.
const DIRECT_LAGS: usize = 16;
/// Lags of the first transform, and how many times more each further one gives.
const FIRST_LAGS: usize = 4096;
const MORE_LAGS: usize = 128;

impl Sample {
    /// Geyer's autocorrelation time in values, at least 1: how many consecutive values are worth
    /// one independent value. 1 for a constant series.
    pub fn autocorrelation_time(&self) -> f64 {
        autocorrelation_time(self.values())
    }

    /// Effective sample size `n / tau`, between 0 and `n`.
    pub fn effective_n(&self) -> f64 {
        self.n() as f64 / self.autocorrelation_time()
    }
}

pub(crate) fn autocorrelation_time(values: &[f64]) -> f64 {
    let covariances = Autocovariances::new(values);
    let variance = covariances.at(0);
    if variance <= 0.0 {
        return 1.0;
    }
    let mut sum = 0.0;
    let mut previous = f64::INFINITY;
    let mut many = Vec::new();
    for j in 0..values.len() / 2 {
        let pair = if 2 * j + 1 < DIRECT_LAGS {
            covariances.at(2 * j) + covariances.at(2 * j + 1)
        } else {
            if 2 * j + 1 >= many.len() {
                many = covariances.first(FIRST_LAGS.max(many.len() * MORE_LAGS));
            }
            many[2 * j] + many[2 * j + 1]
        };
        if pair <= 0.0 {
            break;
        }
        previous = pair.min(previous);
        sum += previous;
    }
    ((2.0 * sum - variance) / variance).max(1.0)
}

/// Autocorrelation at lag one; 0 for a constant series.
pub(crate) fn lag_one_correlation(values: &[f64]) -> f64 {
    let covariances = Autocovariances::new(values);
    let variance = covariances.at(0);
    if variance > 0.0 {
        covariances.at(1) / variance
    } else {
        0.0
    }
}

/// Long-run variance `s^2 * tau` of a series whose mean is already taken off piece by piece.
pub(crate) fn long_run_variance(residuals: &[f64]) -> f64 {
    let n = residuals.len() as f64;
    let squares: f64 = residuals.iter().map(|r| r * r).sum();
    squares / n * autocorrelation_time(residuals)
}

/// Autocovariances with divisor `n` of the centred series.
struct Autocovariances {
    centred: Vec<f64>,
}

impl Autocovariances {
    fn new(values: &[f64]) -> Autocovariances {
        let centre = mean(values);
        // Scaled, so that squares neither vanish nor overflow; the scale cancels in tau.
        let scale = values
            .iter()
            .fold(0.0_f64, |scale, v| scale.max((v - centre).abs()));
        let scale = if scale > 0.0 { scale } else { 1.0 };
        Autocovariances {
            centred: values.iter().map(|v| (v - centre) / scale).collect(),
        }
    }

    fn at(&self, lag: usize) -> f64 {
        let n = self.centred.len();
        if lag >= n {
            return 0.0;
        }
        dot(&self.centred[..n - lag], &self.centred[lag..]) / n as f64
    }

    /// At least the first `lags` lags, or all there are, a power of two of them. The series is cut
    /// into chunks of that many values; each is correlated with itself and the chunk after it in
    /// the frequency domain, where a shift by half the transform's length is a change of sign.
    fn first(&self, lags: usize) -> Vec<f64> {
        let n = self.centred.len();
        let lags = lags.min(n).next_power_of_two();
        let fourier = Fourier::new(2 * lags);
        let spectrum_of = |chunk: &[f64]| {
            let mut spectrum = vec![(0.0, 0.0); 2 * lags];
            for (value, &v) in spectrum.iter_mut().zip(chunk) {
                *value = (v, 0.0);
            }
            fourier.transform(&mut spectrum);
            spectrum
        };
        let mut sum = vec![(0.0, 0.0); 2 * lags];
        let mut previous: Option<Vec<Complex>> = None;
        for chunk in self.centred.chunks(lags) {
            let spectrum = spectrum_of(chunk);
            add_products(&mut sum, &spectrum, |_| 1.0, &spectrum);
            if let Some(previous) = &previous {
                let sign = |k: usize| if k.is_multiple_of(2) { 1.0 } else { -1.0 };
                add_products(&mut sum, previous, sign, &spectrum);
            }
            previous = Some(spectrum);
        }
        fourier.transform(&mut sum);
        let divisor = 2.0 * lags as f64 * n as f64;
        sum.iter().take(lags).map(|v| v.0 / divisor).collect()
    }
}

/// Adds `a * conj(sign * b)` to `sum`, the conjugate of what is wanted: a forward transform of
/// the conjugate is the conjugate of the inverse, and only the real part is used.
fn add_products(sum: &mut [Complex], a: &[Complex], sign: impl Fn(usize) -> f64, b: &[Complex]) {
    for (k, ((sum, a), b)) in sum.iter_mut().zip(a).zip(b).enumerate() {
        let sign = sign(k);
        sum.0 += sign * (a.0 * b.0 + a.1 * b.1);
        sum.1 += sign * (a.1 * b.0 - a.0 * b.1);
    }
}

/// Sum of products in four independent lanes, which the processor can overlap.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut lanes = [0.0; 4];
    let (a4, b4) = (a.chunks_exact(4), b.chunks_exact(4));
    let rest: f64 = a4
        .remainder()
        .iter()
        .zip(b4.remainder())
        .map(|(x, y)| x * y)
        .sum();
    for (x, y) in a4.zip(b4) {
        for lane in 0..4 {
            lanes[lane] += x[lane] * y[lane];
        }
    }
    lanes.iter().sum::<f64>() + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wave(n: usize) -> Vec<f64> {
        (0..n)
            .map(|i| (i as f64 / 40.0).sin() + (i % 7) as f64)
            .collect()
    }

    #[test]
    fn the_transform_agrees_with_plain_sums() {
        for n in [1, 2, 3, 97, 128, 500] {
            let covariances = Autocovariances::new(&wave(n));
            for lags in [1, 8, 50, n] {
                for (lag, fast) in covariances.first(lags).iter().enumerate() {
                    let slow = covariances.at(lag);
                    assert!((fast - slow).abs() < 1e-12, "{n} {lag} {fast} {slow}");
                }
            }
        }
    }

    #[test]
    fn degenerate_series_count_fully() {
        for values in [vec![3.0], vec![3.0; 50], vec![1.0, 2.0]] {
            assert_eq!(autocorrelation_time(&values), 1.0);
        }
    }

    #[test]
    fn an_alternating_series_is_not_worth_more_than_its_length() {
        let values: Vec<f64> = (0..100).map(|i| f64::from(i % 2)).collect();
        assert_eq!(Sample::new(values).unwrap().effective_n(), 100.0);
    }

    #[test]
    fn the_unit_does_not_matter() {
        let small: Vec<f64> = wave(300).iter().map(|v| v * 1e-200).collect();
        let tau = autocorrelation_time(&wave(300));
        assert!((autocorrelation_time(&small) / tau - 1.0).abs() < 1e-9);
    }
}
