//! A figure as people read it, its unit apart.

use std::fmt;

/// Digits, a decimal prefix and a unit; pages print figures of one unit beside each other and name it once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Figure {
    /// The digits: `13.2`; of spans of a minute and more all but the last unit: `1 min 30`.
    pub number: String,
    /// `k`, `M`, or nothing.
    pub prefix: &'static str,
    /// What is counted: `MiB/s`, `IOPS`, `/s`, `ms`; nothing of a bare number.
    pub unit: &'static str,
}

impl Figure {
    /// A number in that unit.
    pub fn new(number: String, unit: &'static str) -> Figure {
        let prefix = "";
        Figure {
            number,
            prefix,
            unit,
        }
    }

    /// Three significant digits of a number below a thousand.
    pub(crate) fn of_three_digits(value: f64, unit: &'static str) -> Figure {
        let digits = match value.abs() {
            v if v < 9.995 => 2,
            v if v < 99.95 => 1,
            _ => 0,
        };
        Figure::new(format!("{value:.digits$}"), unit)
    }

    /// The digits with their prefix: `13.2 k`.
    pub fn scaled(&self) -> String {
        let gap = if self.prefix.is_empty() { "" } else { " " };
        format!("{}{gap}{}", self.number, self.prefix)
    }

    /// The unit with its prefix: `k IOPS`, `k/s`, `MiB/s`.
    pub fn scaled_unit(&self) -> String {
        let gap = if self.prefix.is_empty() {
            ""
        } else {
            self.gap()
        };
        format!("{}{gap}{}", self.prefix, self.unit)
    }

    /// Whether beside each other both can have their unit behind the second; one that stands close to its number cannot.
    pub fn shares_unit(&self, other: &Figure) -> bool {
        let unit = self.scaled_unit();
        unit == other.scaled_unit() && !unit.starts_with('/')
    }

    /// A unit that begins with a slash stands close.
    fn gap(&self) -> &'static str {
        match self.unit.is_empty() || self.unit.starts_with('/') {
            true => "",
            false => " ",
        }
    }
}

impl fmt::Display for Figure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}{}", self.scaled(), self.gap(), self.unit)
    }
}
