//! Rates: bytes or operations per second.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Bytes, Figure, Nanos};

/// Bytes per second.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, PartialOrd, Serialize, Deserialize, JsonSchema,
)]
#[serde(transparent)]
pub struct ByteRate(pub f64);

impl ByteRate {
    /// The rate at which `bytes` took `span`; zero when the span is zero.
    pub fn over(bytes: Bytes, span: Nanos) -> ByteRate {
        ByteRate(per_second(bytes.get(), span))
    }

    /// In decimal units, as makers of disks count: `54.1 MB/s` of 10^6 bytes.
    pub fn decimal(self) -> Figure {
        let (divisor, unit) = match self.0.abs() {
            r if r >= 1e10 => (1e9, "GB/s"),
            r if r >= 1e6 => (1e6, "MB/s"),
            r if r >= 1e3 => (1e3, "kB/s"),
            _ => (1.0, "B/s"),
        };
        Figure::of_three_digits(self.0 / divisor, unit)
    }

    /// In binary units: `412 MiB/s`.
    pub fn figure(self) -> Figure {
        // The lower end of a wide interval is below zero.
        let (divisor, unit) = match self.0.abs() {
            r if r >= 1024.0 * 1024.0 * 10_000.0 => ((1u64 << 30) as f64, "GiB/s"),
            r if r >= 1024.0 * 1024.0 => ((1u64 << 20) as f64, "MiB/s"),
            r if r >= 1024.0 => (1024.0, "KiB/s"),
            _ => (1.0, "B/s"),
        };
        Figure::of_three_digits(self.0 / divisor, unit)
    }
}

impl fmt::Display for ByteRate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.figure().fmt(f)
    }
}

/// Operations per second.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, PartialOrd, Serialize, Deserialize, JsonSchema,
)]
#[serde(transparent)]
pub struct OpRate(pub f64);

impl OpRate {
    /// As rates of reads and writes are called: `812 IOPS`, `13.2 k IOPS`, `1.31 M IOPS`.
    pub fn iops(self) -> String {
        self.figure("IOPS").to_string()
    }

    /// Three significant digits with a decimal prefix before `unit`.
    pub fn figure(self, unit: &'static str) -> Figure {
        let (divisor, prefix) = match self.0.abs() {
            r if r >= 999_500.0 => (1e6, "M"),
            r if r >= 9_995.0 => (1e3, "k"),
            _ => (1.0, ""),
        };
        Figure {
            prefix,
            ..Figure::of_three_digits(self.0 / divisor, unit)
        }
    }
}

impl fmt::Display for OpRate {
    /// Three significant digits with a decimal prefix: `812 op/s`, `13.2 k op/s`, `1.31 M op/s`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.figure("op/s").fmt(f)
    }
}

/// How many of `count` happened per second of `span`; zero when the span is zero.
pub fn per_second(count: u64, span: Nanos) -> f64 {
    if span == Nanos::ZERO {
        0.0
    } else {
        count as f64 / span.as_secs_f64()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rate_is_count_over_time() {
        assert_eq!(per_second(500, Nanos::millis(250)), 2000.0);
        assert_eq!(per_second(500, Nanos::ZERO), 0.0);
    }

    #[test]
    fn prints_operations_with_three_digits() {
        assert_eq!(OpRate(812.4).to_string(), "812 op/s");
        assert_eq!(OpRate(5_230.0).to_string(), "5230 op/s");
        assert_eq!(OpRate(13_204.0).to_string(), "13.2 k op/s");
        assert_eq!(OpRate(1_312_000.0).to_string(), "1.31 M op/s");
        assert_eq!(OpRate(812.4).iops(), "812 IOPS");
        assert_eq!(OpRate(13_204.0).iops(), "13.2 k IOPS");
    }

    #[test]
    fn prints_the_binary_unit_in_full() {
        let rate = ByteRate::over(Bytes::mib(412), Nanos::secs(1));
        assert_eq!(rate.to_string(), "412 MiB/s");
        assert_eq!(ByteRate(1500.0).to_string(), "1.46 KiB/s");
    }

    #[test]
    fn prints_what_is_below_zero_in_the_same_units() {
        let below = ByteRate(-822_069_407.03);
        assert_eq!(below.to_string(), "-784 MiB/s");
        assert_eq!(OpRate(-13_204.0).to_string(), "-13.2 k op/s");
    }
}
