//! A value that cannot be separated from how sure it is.

use std::fmt;

use crate::Level;

/// A confidence interval, `low <= high`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    /// Lower end, in the unit of the values.
    pub low: f64,
    /// Upper end, in the unit of the values.
    pub high: f64,
    /// The coverage that the interval claims.
    pub level: Level,
}

impl Interval {
    /// Half of the distance between the ends.
    pub fn half_width(&self) -> f64 {
        (self.high - self.low) / 2.0
    }

    /// Whether `value` lies within, ends included.
    pub fn contains(&self, value: f64) -> bool {
        self.low <= value && value <= self.high
    }

    /// Whether both ends lie within `[low, high]`.
    pub fn lies_within(&self, low: f64, high: f64) -> bool {
        low <= self.low && self.high <= high
    }
}

/// What an [`Estimate`] estimates.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Statistic {
    /// Arithmetic mean.
    Mean,
    /// Median.
    Median,
    /// A ratio of two means or geometric means.
    Ratio,
    /// A difference of two means.
    Difference,
}

/// A value with its interval, its level and its count.
///
/// `interval` is `None` when the data cannot carry one (too few values); the `Display` form then
/// says so. There is no function in this crate that returns a mean by itself.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// What was estimated.
    pub statistic: Statistic,
    /// The point estimate, in the unit of the values.
    pub value: f64,
    /// The interval, or `None` when `n` is too small for one at `level`.
    pub interval: Option<Interval>,
    /// The level that was asked for.
    pub level: Level,
    /// How many independent values (runs, pairs, batches) stand behind it.
    pub n: usize,
}

impl Estimate {
    /// A mean of `n` values with an interval of this half width on both sides, if it has one.
    pub(crate) fn of_mean(value: f64, half_width: Option<f64>, level: Level, n: usize) -> Estimate {
        let interval = half_width.map(|half| Interval {
            low: value - half,
            high: value + half,
            level,
        });
        Estimate {
            statistic: Statistic::Mean,
            value,
            interval,
            level,
            n,
        }
    }

    /// Half the interval's width as a share of the value, the ± of every page: `0.025` is 2.5 %. `None` without an interval or when the value is zero.
    pub fn relative_half_width(&self) -> Option<f64> {
        let interval = self.interval?;
        if self.value == 0.0 {
            return None;
        }
        Some(interval.half_width() / self.value.abs())
    }

    /// The same estimate, its interval relabelled as `level`: for runs that end once the interval is
    /// narrow, which is computed at the internal level and reported at the reported one.
    pub fn claimed_at(mut self, level: Level) -> Estimate {
        self.level = level;
        if let Some(interval) = &mut self.interval {
            interval.level = level;
        }
        self
    }
}

impl fmt::Display for Estimate {
    /// `412.3 [405.1, 419.5] (95 %, n=8)` or `412.3 (no 95 % interval, n=3)`; a precision such as
    /// `{:.1}` applies to the three numbers.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = f.precision().unwrap_or(3);
        let (value, level, n) = (self.value, self.level, self.n);
        match self.interval {
            Some(Interval { low, high, .. }) => write!(
                f,
                "{value:.digits$} [{low:.digits$}, {high:.digits$}] ({level}, n={n})"
            ),
            None => write!(f, "{value:.digits$} (no {level} interval, n={n})"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn estimate(interval: Option<Interval>) -> Estimate {
        Estimate {
            statistic: Statistic::Mean,
            value: 100.0,
            interval,
            level: Level::P95,
            n: 3,
        }
    }

    #[test]
    fn never_printed_alone() {
        let without = estimate(None);
        assert_eq!(format!("{without:.1}"), "100.0 (no 95 % interval, n=3)");
        let with = estimate(Some(Interval {
            low: 90.0,
            high: 105.0,
            level: Level::P95,
        }));
        assert_eq!(format!("{with:.0}"), "100 [90, 105] (95 %, n=3)");
    }

    #[test]
    fn half_the_width_stands_beside_the_value() {
        let with = estimate(Some(Interval {
            low: 90.0,
            high: 105.0,
            level: Level::P95,
        }));
        assert_eq!(with.relative_half_width(), Some(0.075));
        assert_eq!(estimate(None).relative_half_width(), None);
    }
}
