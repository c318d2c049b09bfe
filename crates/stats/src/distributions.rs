//! The distribution functions that the methods need, at close to full double precision.
//!
//! Quantiles are found by Newton steps on the distribution function, so that they are as exact as
//! the function itself. Incomplete beta and log-gamma come from `statrs`, the error function from
//! `libm`: that of `statrs` is exact to ten digits only.

use std::f64::consts::PI;

use libm::erfc;
use statrs::function::{beta::beta_reg, gamma::ln_gamma};

use crate::Level;

/// Two-sided critical value of Student's t: `P(|T| > t) = 1 - level`.
pub(crate) fn t_critical(level: Level, df: f64) -> f64 {
    t_two_sided_quantile(level.alpha(), df)
}

/// One-sided critical value: `P(T > t) = alpha`, for `alpha <= 1/2`.
pub(crate) fn t_one_sided(alpha: f64, df: f64) -> f64 {
    t_two_sided_quantile(2.0 * alpha, df)
}

/// `P(|T| > |t|)` for `df` degrees of freedom.
pub(crate) fn t_two_sided_p(t: f64, df: f64) -> f64 {
    if t.is_nan() {
        return f64::NAN;
    }
    if t.is_infinite() {
        return 0.0;
    }
    if df > LARGE_DF {
        return normal_two_sided_p(hill(t, df));
    }
    let square = t * t;
    let x = df / (df + square);
    // Each form is exact where it is used: the other one would subtract nearly equal numbers.
    if x < (df / 2.0 + 1.0) / (df / 2.0 + 2.5) {
        beta_reg(df / 2.0, 0.5, x)
    } else {
        1.0 - beta_reg(0.5, df / 2.0, square / (df + square))
    }
}

/// Degrees of freedom beyond which the incomplete beta function loses digits.
const LARGE_DF: f64 = 1e4;

/// The normal deviate with the tail of `t` (Hill, Communications of the ACM 13, 1970, algorithm
/// 395); beyond [`LARGE_DF`] what it leaves out is below rounding.
fn hill(t: f64, df: f64) -> f64 {
    let a = df - 0.5;
    let b = 48.0 * a * a;
    let z = (a * (t * t / df).ln_1p()).sqrt();
    let z2 = z * z;
    let first = z * (z2 + 3.0) / b;
    let second = z * (((4.0 * z2 + 33.0) * z2 + 240.0) * z2 + 855.0) / (10.0 * b * b);
    z + first - second
}

fn t_two_sided_quantile(alpha: f64, df: f64) -> f64 {
    let ln_density_0 = ln_gamma((df + 1.0) / 2.0) - ln_gamma(df / 2.0) - 0.5 * (df * PI).ln();
    let mut t = normal_two_sided_quantile(alpha);
    // The tail is convex and the start lies left of the root, so the steps only go right.
    for _ in 0..200 {
        let density = (ln_density_0 - (df + 1.0) / 2.0 * (t * t / df).ln_1p()).exp();
        let step = (t_two_sided_p(t, df) - alpha) / (2.0 * density);
        t += step;
        if step.abs() <= 4.0 * f64::EPSILON * t.abs() {
            break;
        }
    }
    t
}

/// Two-sided p of a ratio `f` of two variances with `df_a` and `df_b` degrees of freedom.
pub(crate) fn f_two_sided_p(f: f64, df_a: f64, df_b: f64) -> f64 {
    if f == 0.0 || f.is_infinite() {
        return 0.0;
    }
    let x = df_a * f / (df_a * f + df_b);
    let below = beta_reg(df_a / 2.0, df_b / 2.0, x);
    let above = beta_reg(df_b / 2.0, df_a / 2.0, df_b / (df_a * f + df_b));
    (2.0 * below.min(above)).min(1.0)
}

/// `P(Z <= z)`.
pub(crate) fn normal_cdf(z: f64) -> f64 {
    0.5 * erfc(-z / std::f64::consts::SQRT_2)
}

/// `P(|Z| > |z|)`.
pub(crate) fn normal_two_sided_p(z: f64) -> f64 {
    erfc(z.abs() / std::f64::consts::SQRT_2)
}

/// `z` with `P(|Z| > z) = alpha`, for `alpha` in `(0, 1]`.
pub(crate) fn normal_two_sided_quantile(alpha: f64) -> f64 {
    let mut z = 0.0_f64;
    for _ in 0..200 {
        let density = normal_density(z);
        let step = (normal_two_sided_p(z) - alpha) / (2.0 * density);
        z += step;
        if step.abs() <= 4.0 * f64::EPSILON * z.abs() {
            break;
        }
    }
    z
}

/// Density of the standard normal distribution.
pub(crate) fn normal_density(z: f64) -> f64 {
    (-0.5 * z * z).exp() / (2.0 * PI).sqrt()
}

/// `P(|T'| > critical)` for the noncentral t with `df` degrees of freedom and shift `shift`: the
/// power of a two-sided t test. Simpson's rule over the distribution of the estimated spread.
pub(crate) fn t_test_power(critical: f64, df: f64, shift: f64) -> f64 {
    const STEPS: usize = 400;
    let reach = 10.0 / (2.0 * df).sqrt();
    let (low, high) = ((1.0 - reach).max(0.0), 1.0 + reach);
    let ln_scale = std::f64::consts::LN_2 + df / 2.0 * (df / 2.0).ln() - ln_gamma(df / 2.0);
    let value = |s: f64| {
        if s <= 0.0 {
            return 0.0;
        }
        let density = (ln_scale + (df - 1.0) * s.ln() - df * s * s / 2.0).exp();
        let beyond = normal_cdf(shift - critical * s) + normal_cdf(-shift - critical * s);
        density * beyond
    };
    let width = (high - low) / STEPS as f64;
    let sum: f64 = (0..=STEPS)
        .map(|i| {
            let weight = match i {
                0 | STEPS => 1.0,
                i if i % 2 == 1 => 4.0,
                _ => 2.0,
            };
            weight * value(low + width * i as f64)
        })
        .sum();
    sum * width / 3.0
}

/// The second derivative of `ln Gamma` at `x > 0`, by its recurrence up to [`ASYMPTOTIC`] and the
/// series beyond it (Abramowitz and Stegun 6.4.6 and 6.4.12).
pub(crate) fn trigamma(mut x: f64) -> f64 {
    let mut sum = 0.0;
    while x < ASYMPTOTIC {
        sum += 1.0 / (x * x);
        x += 1.0;
    }
    let square = 1.0 / (x * x);
    let series = 1.0 / 6.0 - square * (1.0 / 30.0 - square * (1.0 / 42.0 - square / 30.0));
    sum + 1.0 / x + square / 2.0 + series * square / x
}

/// Where the first four terms of trigamma's series are exact to rounding.
const ASYMPTOTIC: f64 = 30.0;

/// The `x` with `trigamma(x) = value > 0`, by halving: trigamma falls from infinity to 0.
pub(crate) fn inverse_trigamma(value: f64) -> f64 {
    // 1/x < trigamma(x) < 1/x + 1/x^2 encloses the root.
    let mut low = 1.0 / value;
    let mut high = 1.0 / value + 1.0 / value.sqrt();
    while high - low > f64::EPSILON * high * 2.0 {
        let middle = low.midpoint(high);
        if trigamma(middle) > value {
            low = middle;
        } else {
            high = middle;
        }
    }
    low.midpoint(high)
}

/// Distribution function of a binomial, tabulated around its mode.
pub(crate) struct BinomialCdf {
    n: usize,
    first: usize,
    cumulative: Vec<f64>,
}

impl BinomialCdf {
    /// For `n` trials of probability `p` in `(0, 1)`. Time and memory grow with `sqrt(n)`.
    pub(crate) fn new(n: usize, p: f64) -> BinomialCdf {
        let odds = p / (1.0 - p);
        let mode = (((n + 1) as f64 * p).floor() as usize).min(n);
        // Weights relative to the mode, as far as they count at all.
        let mut upwards = vec![1.0];
        let mut weight = 1.0;
        for k in mode..n {
            weight *= (n - k) as f64 / (k + 1) as f64 * odds;
            if weight < 1e-22 {
                break;
            }
            upwards.push(weight);
        }
        let mut downwards = Vec::new();
        weight = 1.0;
        for k in (1..=mode).rev() {
            weight *= k as f64 / (n - k + 1) as f64 / odds;
            if weight < 1e-22 {
                break;
            }
            downwards.push(weight);
        }
        let first = mode - downwards.len();
        let weights: Vec<f64> = downwards.into_iter().rev().chain(upwards).collect();
        let total: f64 = weights.iter().sum();
        let cumulative = weights
            .iter()
            .scan(0.0, |sum, weight| {
                *sum += weight;
                Some(*sum / total)
            })
            .collect();
        BinomialCdf {
            n,
            first,
            cumulative,
        }
    }

    /// `P(Bin <= k)`.
    pub(crate) fn at(&self, k: usize) -> f64 {
        if k >= self.n {
            return 1.0;
        }
        match k.checked_sub(self.first) {
            None => 0.0,
            Some(i) => self.cumulative.get(i).copied().unwrap_or(1.0).min(1.0),
        }
    }

    /// The number of `k` with `P(Bin <= k) <= limit`, or `None` when there is none.
    pub(crate) fn count_at_most(&self, limit: f64) -> Option<usize> {
        let inside = self.cumulative.partition_point(|&c| c <= limit * SLACK);
        let count = (self.first + inside).min(self.n);
        (count > 0).then_some(count)
    }
}

/// Rounding of `1 - level` must not move a rank.
const SLACK: f64 = 1.0 + 1e-12;

#[cfg(test)]
mod tests {
    use super::*;

    /// (level, df, two-sided critical value) from SciPy 1.17, `t.isf((1 - level) / 2, df)`.
    const T: [(f64, f64, f64); 48] = [
        (0.5, 1.0, 1.0000000000000002),
        (0.5, 2.0, 0.8164965809277261),
        (0.5, 5.0, 0.7266868438004226),
        (0.5, 9.3, 0.7017813197711134),
        (0.5, 29.0, 0.6830438608216131),
        (0.5, 299.0, 0.6753111572835742),
        (0.5, 10000.0, 0.6745142844835927),
        (0.5, 1000000.0, 0.6744899955310875),
        (0.9, 1.0, 6.313751514675045),
        (0.9, 2.0, 2.9199855803537265),
        (0.9, 5.0, 2.0150483733330247),
        (0.9, 9.3, 1.826403427771458),
        (0.9, 29.0, 1.699127026533498),
        (0.9, 299.0, 1.6499657674263901),
        (0.9, 10000.0, 1.645006018069243),
        (0.9, 1000000.0, 1.6448551507220412),
        (0.95, 1.0, 12.706204736174694),
        (0.95, 2.0, 4.302652729749462),
        (0.95, 5.0, 2.5705818356363146),
        (0.95, 9.3, 2.25108222468444),
        (0.95, 29.0, 2.045229642132703),
        (0.95, 299.0, 1.9679296690656698),
        (0.95, 10000.0, 1.960201239890626),
        (0.95, 1000000.0, 1.959966356814107),
        (0.97, 1.0, 21.204948789688736),
        (0.97, 2.0, 5.642778353482553),
        (0.97, 5.0, 3.002874973841795),
        (0.97, 9.3, 2.5587010851923537),
        (0.97, 29.0, 2.2821745614151916),
        (0.97, 299.0, 2.180497659859287),
        (0.97, 10000.0, 2.170400162370241),
        (0.97, 1000000.0, 2.1700934750088803),
        (0.99, 1.0, 63.656741162871526),
        (0.99, 2.0, 9.924843200918287),
        (0.99, 5.0, 4.032142983555228),
        (0.99, 9.3, 3.2234796594331345),
        (0.99, 29.0, 2.756385903670605),
        (0.99, 299.0, 2.5923718841194776),
        (0.99, 10000.0, 2.5763210466685282),
        (0.99, 1000000.0, 2.5758342201053344),
        (0.999999, 1.0, 636619.7723487513),
        (0.999999, 2.0, 999.9992499854659),
        (0.999999, 5.0, 28.478473462819565),
        (0.999999, 9.3, 11.259476925041103),
        (0.999999, 29.0, 6.170056101408302),
        (0.999999, 299.0, 4.995471261997819),
        (0.999999, 10000.0, 4.894688616309937),
        (0.999999, 1000000.0, 4.891668960704727),
    ];

    /// SciPy's `polygamma(1, x)`.
    const TRIGAMMA: [(f64, f64); 6] = [
        (0.01, 10_001.621_213_528_311),
        (0.5, 4.934_802_200_544_68),
        (1.0, 1.644_934_066_848_226_6),
        (2.5, 0.490_357_756_100_234_9),
        (10.0, 0.105_166_335_681_685_76),
        (1e4, 0.000_100_005_000_166_666_66),
    ];

    #[test]
    fn trigamma_and_back() {
        for (x, expected) in TRIGAMMA {
            assert!((trigamma(x) / expected - 1.0).abs() < 1e-13, "{x}");
            assert!((inverse_trigamma(expected) / x - 1.0).abs() < 1e-12, "{x}");
        }
    }

    #[test]
    fn t_quantiles() {
        for (level, df, expected) in T {
            let found = t_critical(Level::new(level).unwrap(), df);
            // The limit allows for the rounding of 1 - level in the last case.
            assert!(
                (found / expected - 1.0).abs() < 1e-11,
                "{level} {df} {found}"
            );
        }
    }
}
