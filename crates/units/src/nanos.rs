//! Spans of time in nanoseconds.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Figure;

/// A span of time in nanoseconds; the largest is about 584 years.
#[derive(
    Debug,
    Clone,
    Copy,
    Default,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    JsonSchema,
)]
#[serde(transparent)]
pub struct Nanos(pub u64);

/// Why a text is not a span of time.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "'{input}' is not a duration: {reason}. Write numbers with units ns, us, ms, s, m, h or d, \
     for example 500ms, 60s, 3h or 1h30m"
)]
pub struct ParseNanosError {
    input: String,
    reason: &'static str,
}

impl Nanos {
    /// No time at all.
    pub const ZERO: Nanos = Nanos(0);

    /// `n` whole seconds.
    pub const fn secs(n: u64) -> Nanos {
        Nanos(n * 1_000_000_000)
    }

    /// `n` whole milliseconds.
    pub const fn millis(n: u64) -> Nanos {
        Nanos(n * 1_000_000)
    }

    /// `n` whole microseconds.
    pub const fn micros(n: u64) -> Nanos {
        Nanos(n * 1_000)
    }

    /// The plain number of nanoseconds.
    pub const fn get(self) -> u64 {
        self.0
    }

    /// The span in seconds.
    pub fn as_secs_f64(self) -> f64 {
        self.0 as f64 / 1e9
    }

    /// The nearest span to `seconds`; negative and not-a-number give zero, too large the maximum.
    pub fn from_secs_f64(seconds: f64) -> Nanos {
        // A float-to-int cast saturates and maps NaN to zero.
        Nanos((seconds * 1e9).round() as u64)
    }

    /// This span without `other`, never below zero.
    pub fn saturating_sub(self, other: Nanos) -> Nanos {
        Nanos(self.0.saturating_sub(other.0))
    }
}

impl From<Duration> for Nanos {
    fn from(span: Duration) -> Self {
        Nanos(u64::try_from(span.as_nanos()).unwrap_or(u64::MAX))
    }
}

impl From<Nanos> for Duration {
    fn from(span: Nanos) -> Self {
        Duration::from_nanos(span.0)
    }
}

impl FromStr for Nanos {
    type Err = ParseNanosError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let fail = |reason| ParseNanosError {
            input: text.to_owned(),
            reason,
        };
        let mut rest = text.trim();
        if rest.is_empty() {
            return Err(fail("it is empty"));
        }
        if rest.starts_with('-') {
            return Err(fail("it is negative"));
        }
        let mut total: u64 = 0;
        while !rest.is_empty() {
            let number_end = rest
                .find(|c: char| !c.is_ascii_digit() && c != '.')
                .unwrap_or(rest.len());
            let (number, tail) = rest.split_at(number_end);
            let unit_end = tail
                .find(|c: char| c.is_ascii_digit() || c == '.')
                .unwrap_or(tail.len());
            let (unit, next) = tail.split_at(unit_end);
            let unit =
                unit_of(unit.trim()).ok_or_else(|| fail("its unit is missing or not known"))?;
            let part = scaled(number, unit).ok_or_else(|| fail("its number cannot be read"))?;
            total = total
                .checked_add(part)
                .ok_or_else(|| fail("it is longer than 584 years"))?;
            rest = next;
        }
        Ok(Nanos(total))
    }
}

fn scaled(number: &str, unit: u64) -> Option<u64> {
    if let Ok(whole) = number.parse::<u64>() {
        return whole.checked_mul(unit);
    }
    let value: f64 = number.parse().ok()?;
    let nanos = value * unit as f64;
    (nanos < u64::MAX as f64).then_some(nanos.round() as u64)
}

fn unit_of(name: &str) -> Option<u64> {
    Some(match name {
        "ns" => 1,
        "us" | "µs" => 1_000,
        "ms" => 1_000_000,
        "s" | "sec" => 1_000_000_000,
        "m" | "min" => 60_000_000_000,
        "h" => 3_600_000_000_000,
        "d" => 86_400_000_000_000,
        _ => return None,
    })
}

impl Nanos {
    /// Three significant digits below a minute (`12.3 ms`), whole seconds above (`1 h 02 min`).
    pub fn figure(self) -> Figure {
        let n = self.0;
        let seconds = n / 1_000_000_000;
        let (h, m, s) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
        match n {
            0..1_000 => Figure::new(n.to_string(), "ns"),
            1_000..1_000_000 => Figure::of_three_digits(n as f64 / 1e3, "µs"),
            1_000_000..1_000_000_000 => Figure::of_three_digits(n as f64 / 1e6, "ms"),
            1_000_000_000..60_000_000_000 => Figure::of_three_digits(n as f64 / 1e9, "s"),
            _ if h > 0 => Figure::new(format!("{h} h {m:02}"), "min"),
            _ => Figure::new(format!("{m} min {s:02}"), "s"),
        }
    }
}

impl fmt::Display for Nanos {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.figure().fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn reads_single_and_compound_spans() {
        for (text, nanos) in [
            ("5ns", 5),
            ("500ms", 500_000_000),
            ("1.5s", 1_500_000_000),
            ("60s", 60_000_000_000),
            ("1h30m", 5_400_000_000_000),
            ("2d", 172_800_000_000_000),
            ("20us", 20_000),
        ] {
            assert_eq!(text.parse(), Ok(Nanos(nanos)), "{text}");
        }
    }

    #[test]
    fn refuses_and_quotes_what_is_not_a_span() {
        for text in ["", "-1s", "60", "s", "5 parsecs", "1h30", "99999999999d"] {
            let error = text.parse::<Nanos>().unwrap_err().to_string();
            assert!(
                error.starts_with(&format!("'{text}' is not a duration")),
                "{error}"
            );
        }
    }

    #[test]
    fn prints_three_digits() {
        for (nanos, text) in [
            (7, "7 ns"),
            (1_234, "1.23 µs"),
            (45_678_000, "45.7 ms"),
            (999_900_000, "1000 ms"),
            (3_000_000_000, "3.00 s"),
            (90_000_000_000, "1 min 30 s"),
            (3_720_000_000_000, "1 h 02 min"),
        ] {
            assert_eq!(Nanos(nanos).to_string(), text);
        }
    }

    proptest! {
        #[test]
        fn never_panics(text in ".*") {
            let _ = text.parse::<Nanos>();
        }
    }
}
