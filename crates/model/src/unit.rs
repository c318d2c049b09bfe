//! The units of figures.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a figure counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub enum Unit {
    /// Bytes per second.
    #[serde(rename = "B/s")]
    BytesPerSecond,
    /// Operations per second.
    #[serde(rename = "op/s")]
    OperationsPerSecond,
    /// Seconds.
    #[serde(rename = "s")]
    Seconds,
}

impl Unit {
    /// Every unit.
    pub const ALL: [Unit; 3] = [
        Unit::BytesPerSecond,
        Unit::OperationsPerSecond,
        Unit::Seconds,
    ];

    /// The sign in records.
    pub const fn sign(self) -> &'static str {
        match self {
            Unit::BytesPerSecond => "B/s",
            Unit::OperationsPerSecond => "op/s",
            Unit::Seconds => "s",
        }
    }

    /// Whether of two figures the smaller is the better one: spans of time are.
    pub const fn less_is_better(self) -> bool {
        matches!(self, Unit::Seconds)
    }
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.sign())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_bear_the_signs() {
        for unit in Unit::ALL {
            let json = serde_json::to_string(&unit).unwrap();
            assert_eq!(json, format!("\"{unit}\""));
            assert_eq!(serde_json::from_str::<Unit>(&json).unwrap(), unit);
        }
    }
}
