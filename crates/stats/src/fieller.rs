//! Fieller's interval for a ratio of means, the cross-check of the logarithmic one.
//!
//! With `v = s^2 / n`, `r = m_a / m_b`, `t` of Welch's degrees of freedom and
//! `g = t^2 v_b / m_b^2`: `(r -+ t / m_b * sqrt(v_a (1 - g) + r^2 v_b)) / (1 - g)` (Fieller,
//! Journal of the Royal Statistical Society B 16, 1954). When `g >= 1` the base cannot be told
//! from zero, every ratio is possible, and the answer is undecided.

use crate::distributions::t_critical;
use crate::sample::{mean, sd};
use crate::{Estimate, Interval, Level, RatioError, Sample, Statistic};

/// What Fieller's method says.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Fieller {
    /// A ratio with an interval.
    Bounded(Estimate),
    /// The base cannot be told from zero.
    Unbounded,
}

/// Ratio of the means of two independent arms; values of any sign.
///
/// # Errors
/// When an arm has fewer than two values.
pub fn fieller_ratio(a: &Sample, b: &Sample, level: Level) -> Result<Fieller, RatioError> {
    let n = a.n().min(b.n());
    let (Some(sa), Some(sb)) = (sd(a.values()), sd(b.values())) else {
        return Err(RatioError::TooFew { n });
    };
    let (ma, mb) = (mean(a.values()), mean(b.values()));
    if mb == 0.0 {
        return Ok(Fieller::Unbounded);
    }
    let (na, nb) = (a.n() as f64, b.n() as f64);
    // Relative to the base throughout, so that no square leaves the range of a double.
    let (va, vb) = ((sa / mb).powi(2) / na, (sb / mb).powi(2) / nb);
    let ratio = ma / mb;
    let df = welch_df(va, na, vb, nb);
    // A base so small that a variance relative to it overflows is one that cannot be told from zero.
    if !df.is_finite() {
        return Ok(Fieller::Unbounded);
    }
    let t = t_critical(level, df);
    let g = t * t * vb;
    if g >= 1.0 {
        return Ok(Fieller::Unbounded);
    }
    let reach = t * (va * (1.0 - g) + ratio * ratio * vb).sqrt();
    Ok(Fieller::Bounded(Estimate {
        statistic: Statistic::Ratio,
        value: ratio,
        interval: Some(Interval {
            low: (ratio - reach) / (1.0 - g),
            high: (ratio + reach) / (1.0 - g),
            level,
        }),
        level,
        n,
    }))
}

fn welch_df(va: f64, na: f64, vb: f64, nb: f64) -> f64 {
    let total = va + vb;
    if total == 0.0 {
        return na + nb - 2.0;
    }
    let (wa, wb) = (va / total, vb / total);
    1.0 / (wa * wa / (na - 1.0) + wb * wb / (nb - 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(values: &[f64]) -> Sample {
        Sample::new(values.to_vec()).unwrap()
    }

    #[test]
    fn a_base_near_zero_is_unbounded() {
        let a = sample(&[1.0, 2.0, 3.0]);
        for base in [[-1.0, 0.5, 1.0], [-1.0, 0.0, 1.0]] {
            assert_eq!(
                fieller_ratio(&a, &sample(&base), Level::P95),
                Ok(Fieller::Unbounded)
            );
        }
    }

    #[test]
    fn a_base_whose_relative_variance_overflows_is_unbounded() {
        let found = fieller_ratio(
            &sample(&[90.0, 90.45]),
            &sample(&[0.0, -4.3e-249]),
            Level::P95,
        );
        assert_eq!(found, Ok(Fieller::Unbounded));
    }

    #[test]
    fn no_spread_is_exact() {
        let found = fieller_ratio(&sample(&[6.0; 3]), &sample(&[2.0; 3]), Level::P95);
        let Ok(Fieller::Bounded(estimate)) = found else {
            panic!("{found:?}");
        };
        let interval = estimate.interval.unwrap();
        assert_eq!((interval.low, interval.high), (3.0, 3.0));
    }

    #[test]
    fn one_value_has_no_interval() {
        let one = fieller_ratio(&sample(&[6.0]), &sample(&[2.0; 3]), Level::P95);
        assert_eq!(one, Err(RatioError::TooFew { n: 1 }));
    }
}
