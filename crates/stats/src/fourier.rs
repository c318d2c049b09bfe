//! The discrete Fourier transform of power-of-two length, for autocovariances of long series.
//!
//! Radix-2 decimation in time (Cooley and Tukey, Mathematics of Computation 19, 1965) with the
//! twiddle factors from a table; time `n log n`, memory linear.

use std::f64::consts::PI;

/// A complex number as its real and imaginary part.
pub(crate) type Complex = (f64, f64);

/// The twiddle factors for one length, those of each stage together.
pub(crate) struct Fourier {
    /// The `half` factors of the stage that joins two halves of that length begin at `half - 1`.
    factors: Vec<Complex>,
}

impl Fourier {
    /// For transforms of length `n`, a power of two.
    pub(crate) fn new(n: usize) -> Fourier {
        debug_assert!(n.is_power_of_two());
        let mut factors = vec![(1.0, 0.0); n.max(2) - 1];
        let mut half = n / 2;
        for k in 0..half {
            let (sin, cos) = (-PI * k as f64 / half as f64).sin_cos();
            factors[half - 1 + k] = (cos, sin);
        }
        while half > 1 {
            let (shorter, longer) = factors.split_at_mut(half - 1);
            half /= 2;
            let every_second = longer.iter().step_by(2);
            for (factor, twice) in shorter[half - 1..].iter_mut().zip(every_second) {
                *factor = *twice;
            }
        }
        Fourier { factors }
    }

    /// Forward transform in place, without scaling, of as many values as planned for.
    pub(crate) fn transform(&self, values: &mut [Complex]) {
        if values.len() > 1 {
            reorder(values);
            self.join(values);
        }
    }

    /// Transforms the reordered `values`, one half after the other so that each stays in cache.
    fn join(&self, values: &mut [Complex]) {
        let half = values.len() / 2;
        let (even, odd) = values.split_at_mut(half);
        if half > 1 {
            self.join(even);
            self.join(odd);
        }
        let factors = &self.factors[half - 1..2 * half - 1];
        for ((e, o), (cos, sin)) in even.iter_mut().zip(odd).zip(factors) {
            let turned = (o.0 * cos - o.1 * sin, o.0 * sin + o.1 * cos);
            *o = (e.0 - turned.0, e.1 - turned.1);
            *e = (e.0 + turned.0, e.1 + turned.1);
        }
    }
}

/// Moves each value to the index with its bits reversed.
fn reorder(values: &mut [Complex]) {
    let shift = usize::BITS - values.len().trailing_zeros();
    for i in 0..values.len() {
        let j = i.reverse_bits() >> shift;
        if i < j {
            values.swap(i, j);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_the_definition() {
        for n in [1_usize, 2, 4, 8, 64] {
            let input: Vec<Complex> = (0..n)
                .map(|i| (((i * 7) % 11) as f64, ((i * 5) % 3) as f64))
                .collect();
            let mut fast = input.clone();
            Fourier::new(n).transform(&mut fast);
            for (k, found) in fast.iter().enumerate() {
                let slow = input.iter().enumerate().fold((0.0, 0.0), |sum, (i, v)| {
                    let (sin, cos) = (-2.0 * PI * (i * k) as f64 / n as f64).sin_cos();
                    (sum.0 + v.0 * cos - v.1 * sin, sum.1 + v.0 * sin + v.1 * cos)
                });
                let error = (found.0 - slow.0).abs() + (found.1 - slow.1).abs();
                assert!(error < 1e-10, "{n} {k} {found:?} {slow:?}");
            }
        }
    }
}
