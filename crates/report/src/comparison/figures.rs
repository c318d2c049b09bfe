//! Ratios as people read them.

use etalon_language::figure;
use etalon_model::{ComparisonArm, Estimate, Interval, Unit};

/// Nearer to one than this, two decimals would hide on which side an end lies.
const NEAR_ONE: f64 = 0.0095;

/// `1.51`; three figures where they tell something.
pub(crate) fn ratio(value: f64) -> String {
    let decimals = match value {
        v if v >= 99.95 => 0,
        v if v >= 9.995 => 1,
        v if (v - 1.0).abs() < NEAR_ONE && v != 1.0 => 3,
        v if v >= 0.0995 => 2,
        _ => 4,
    };
    figure(format!("{value:.decimals$}"))
}

/// `2 %` of a margin, with no more decimals than it has.
pub(crate) fn margin(share: f64) -> String {
    figure(format!("{} %", (share * 1e6).round() / 1e4))
}

/// `1.40-1.64`.
pub(crate) fn span(interval: &Interval) -> String {
    format!("{}-{}", ratio(interval.low), ratio(interval.high))
}

/// How many times as fast the arm is as the baseline, with its interval: of times the inverse of
/// their ratio. `None` for the baseline.
pub(crate) fn speed(arm: &ComparisonArm, unit: Unit) -> Option<Estimate> {
    let ratio = arm.of_baseline?;
    Some(match unit.less_is_better() {
        true => inverse(&ratio),
        false => ratio,
    })
}

/// The same ratio seen from the other side.
pub(crate) fn inverse(ratio: &Estimate) -> Estimate {
    Estimate {
        value: 1.0 / ratio.value,
        interval: ratio.interval.map(|interval| Interval {
            low: 1.0 / interval.high,
            high: 1.0 / interval.low,
            level: interval.level,
        }),
        runs: ratio.runs,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ratio_has_the_figures_that_matter() {
        for (value, text) in [
            (1.512, "1.51"),
            (1.0, "1.00"),
            (1.004, "1.004"),
            (0.994, "0.994"),
            (0.4812, "0.48"),
            (12.34, "12.3"),
            (1234.0, "1234"),
            (0.0123, "0.0123"),
        ] {
            assert_eq!(ratio(value), text);
        }
    }
}
