//! How far a figure can be trusted.

use std::fmt;

use etalon_units::Nanos;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The verdict on one cell.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase", tag = "verdict")]
pub enum Verdict {
    /// Nothing contradicts the figure and it has an interval, however wide.
    Valid,
    /// The wrong thing was measured.
    Invalid {
        /// The codes of the findings that say so.
        reasons: Vec<String>,
    },
    /// Nothing is wrong, but there are too few runs for an interval.
    Undecided {
        /// The time that the missing runs would take; `None` when it cannot be told.
        #[serde(rename = "needed_ns", alias = "needed")]
        needed: Option<Nanos>,
    },
}

impl Verdict {
    /// The bare word.
    pub fn word(&self) -> &'static str {
        match self {
            Verdict::Valid => "valid",
            Verdict::Invalid { .. } => "invalid",
            Verdict::Undecided { .. } => "undecided",
        }
    }

    /// True for [`Verdict::Valid`].
    pub fn is_valid(&self) -> bool {
        *self == Verdict::Valid
    }

    /// True for [`Verdict::Invalid`].
    pub fn is_invalid(&self) -> bool {
        matches!(self, Verdict::Invalid { .. })
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Verdict::Valid => write!(f, "valid"),
            Verdict::Invalid { reasons } => write!(f, "invalid: {}", reasons.join(", ")),
            Verdict::Undecided { needed: Some(time) } => write!(f, "undecided, needs {time} more"),
            Verdict::Undecided { needed: None } => write!(f, "undecided"),
        }
    }
}
