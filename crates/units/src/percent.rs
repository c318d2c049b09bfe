//! Shares, typed and printed in percent.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Figure;

/// A share; the number inside is a fraction, so 2.5 % is `0.025`.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, PartialOrd, Serialize, Deserialize, JsonSchema,
)]
#[serde(transparent)]
pub struct Percent(f64);

/// Why a text is not a percentage.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("'{input}' is not a percentage: write a number of zero or more with %, for example 2.5%")]
pub struct ParsePercentError {
    input: String,
}

impl Percent {
    /// From a fraction: `0.025` is 2.5 %.
    pub const fn from_fraction(fraction: f64) -> Percent {
        Percent(fraction)
    }

    /// The share as a fraction.
    pub const fn fraction(self) -> f64 {
        self.0
    }
}

impl FromStr for Percent {
    type Err = ParsePercentError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let fail = || ParsePercentError {
            input: text.to_owned(),
        };
        let number = text.trim().strip_suffix('%').ok_or_else(fail)?;
        let value: f64 = number.trim().parse().map_err(|_| fail())?;
        if !value.is_finite() || value < 0.0 {
            return Err(fail());
        }
        Ok(Percent(value / 100.0))
    }
}

impl Percent {
    /// One decimal below ten percent, none above: `2.5 %`, `99 %`.
    pub fn figure(self) -> Figure {
        let percent = self.0 * 100.0;
        let digits = usize::from(percent.abs() < 9.95 && percent != 0.0);
        Figure::new(format!("{percent:.digits$}"), "%")
    }
}

impl Percent {
    /// As it is shown, but for a small share, which has as many digits as it takes not to be told as none.
    ///
    /// ```
    /// use etalon_units::Percent;
    /// assert_eq!(Percent::from_fraction(0.00024).in_needed_digits(), "0.02 %");
    /// assert_eq!(Percent::from_fraction(0.025).in_needed_digits(), "2.5 %");
    /// ```
    pub fn in_needed_digits(self) -> String {
        let percent = self.fraction() * 100.0;
        if percent <= 0.0 || percent >= 0.05 {
            return self.to_string();
        }
        let digits = (-percent.log10()).ceil().clamp(1.0, 12.0) as usize;
        format!("{percent:.digits$} %")
    }
}

impl fmt::Display for Percent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.figure().fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_only_with_the_sign() {
        assert_eq!("2.5%".parse(), Ok(Percent(0.025)));
        assert_eq!(" 5 % ".parse(), Ok(Percent(0.05)));
        for text in ["", "2.5", "-1%", "x%", "NaN%", "inf%"] {
            assert!(text.parse::<Percent>().is_err(), "{text}");
        }
    }

    #[test]
    fn prints_few_digits() {
        assert_eq!(Percent(0.025).to_string(), "2.5 %");
        assert_eq!(Percent(0.994).to_string(), "99 %");
        assert_eq!(Percent(0.0).to_string(), "0 %");
    }
}
