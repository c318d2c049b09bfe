//! The discrete Fourier transform of power-of-two length, for autocovariances of long series.
//!
//! Iterative radix-2 decimation in time (Cooley and Tukey, Mathematics of Computation 19, 1965)
//! with the twiddle factors from one table; time `n log n`, memory linear.

use std::f64::consts::PI;

/// A complex number as its real and imaginary part.
pub(crate) type Complex = (f64, f64);

/// Forward transform in place, without scaling; the length must be a power of two.
pub(crate) fn transform(values: &mut [Complex]) {
    let n = values.len();
    debug_assert!(n.is_power_of_two());
    if n < 2 {
        return;
    }
    reorder(values);
    let factors: Vec<Complex> = (0..n / 2)
        .map(|k| {
            let (sin, cos) = (-2.0 * PI * k as f64 / n as f64).sin_cos();
            (cos, sin)
        })
        .collect();
    let mut half = 1;
    while half < n {
        let stride = n / (2 * half);
        for block in values.chunks_exact_mut(2 * half) {
            let (even, odd) = block.split_at_mut(half);
            for (k, (e, o)) in even.iter_mut().zip(odd).enumerate() {
                let (cos, sin) = factors[k * stride];
                let turned = (o.0 * cos - o.1 * sin, o.0 * sin + o.1 * cos);
                *o = (e.0 - turned.0, e.1 - turned.1);
                *e = (e.0 + turned.0, e.1 + turned.1);
            }
        }
        half *= 2;
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
            transform(&mut fast);
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
