//! Figures of cells for axes: one unit for all of a picture.

use etalon_language::{figure, say};
use etalon_model::{Cell, Unit};

use crate::role::is_metadata;

/// Of what is counted and has no unit of its own.
const PER_SECOND: &str = "per second";

/// The unit of an axis.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Measure {
    /// What a figure is divided by.
    pub(super) divisor: f64,
    /// The unit's name.
    pub(super) unit: &'static str,
}

impl Measure {
    /// The unit that suits the largest of these figures of a cell.
    pub(super) fn of(cell: &Cell, most: f64) -> Measure {
        let (divisor, unit) = match cell.unit {
            Unit::BytesPerSecond => of_bytes(most),
            Unit::OperationsPerSecond if is_metadata(cell) => (1.0, PER_SECOND),
            Unit::OperationsPerSecond => (1.0, "IOPS"),
            Unit::Seconds => of_time(most),
        };
        Measure { divisor, unit }
    }

    /// The unit as it is written beside figures.
    pub(super) fn name(&self) -> String {
        match self.unit {
            PER_SECOND => say!("unit-per-second"),
            unit => unit.to_owned(),
        }
    }

    /// The title of an axis that begins at 0.
    pub(super) fn axis_from_zero(&self) -> String {
        say!("axis-from-zero", unit = self.name())
    }

    pub(super) fn scaled(&self, value: f64) -> f64 {
        value / self.divisor
    }
}

fn of_bytes(most: f64) -> (f64, &'static str) {
    match most {
        m if m >= 1_048_576.0 => (1_048_576.0, "MiB/s"),
        m if m >= 1024.0 => (1024.0, "KiB/s"),
        _ => (1.0, "B/s"),
    }
}

pub(super) fn of_time(most: f64) -> (f64, &'static str) {
    match most {
        m if m >= 1.0 => (1.0, "s"),
        m if m >= 1e-3 => (1e-3, "ms"),
        _ => (1e-6, "µs"),
    }
}

/// A figure at a tick: `250`, `1.5`, `20 k`.
pub(super) fn tick(value: f64) -> String {
    let (value, prefix) = match value.abs() {
        v if v >= 1e6 => (value / 1e6, " M"),
        v if v >= 1e4 => (value / 1e3, " k"),
        _ => (value, ""),
    };
    let rounded = (value * 1000.0).round() / 1000.0;
    figure(format!("{rounded}{prefix}"))
}

/// A time in nanoseconds at a tick: `50 µs`.
pub(super) fn tick_time(ns: f64) -> String {
    let (value, unit) = match ns {
        v if v >= 1e9 => (ns / 1e9, "s"),
        v if v >= 1e6 => (ns / 1e6, "ms"),
        v if v >= 1e3 => (ns / 1e3, "µs"),
        _ => (ns, "ns"),
    };
    // Three digits: a tick is a place, no figure.
    let fine = if value >= 100.0 { 1.0 } else { 100.0 };
    figure(format!("{} {unit}", (value * fine).round() / fine))
}

/// A share at a tick: `99.9 %`.
pub(super) fn tick_share(share: f64) -> String {
    figure(format!("{} %", (share * 100_000.0).round() / 1000.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_short() {
        let said = [250.0, 1.5, 20_000.0, 2.5e6].map(tick);
        assert_eq!(said, ["250", "1.5", "20 k", "2.5 M"]);
        assert_eq!(
            [50_000.0, 2e6, 681_290.0].map(tick_time),
            ["50 µs", "2 ms", "681 µs"]
        );
        assert_eq!(
            [0.999, 0.5, 0.9999].map(tick_share),
            ["99.9 %", "50 %", "99.99 %"]
        );
    }
}
