//! In what figures are told.

/// In what figures are told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// 1024 bytes a second.
    KiloBytes,
    /// Records a second.
    Operations,
    /// Microseconds a record.
    Microseconds,
}

impl Unit {
    /// A rate in bytes per second, in this unit; `record` in bytes, above zero.
    pub fn of(self, rate: f64, record: f64) -> f64 {
        match self {
            Unit::KiloBytes => rate / 1024.0,
            Unit::Operations => rate / record,
            Unit::Microseconds if rate > 0.0 => record / rate * 1e6,
            Unit::Microseconds => 0.0,
        }
    }

    /// Its name in iozone's lines, after a rate.
    pub fn rate_name(self) -> &'static str {
        match self {
            Unit::KiloBytes => "kB/sec",
            Unit::Operations => "ops/sec",
            Unit::Microseconds => "usec/op",
        }
    }
}
