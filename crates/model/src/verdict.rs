//! How far a figure can be trusted.

use std::fmt;

use etalon_units::Nanos;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The verdict on one cell.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase", tag = "verdict")]
pub enum Verdict {
    /// Every hard check passed and the interval is as narrow as was asked for.
    Valid,
    /// The wrong thing was measured.
    Invalid {
        /// The codes of the findings that say so.
        reasons: Vec<String>,
    },
    /// Nothing is wrong, but the interval is still too wide.
    Undecided {
        /// The time that would be needed beyond what was spent; `None` when it cannot be told.
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
