//! What a gate of a script says of a comparison.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Interval;

/// Whether a loss beyond a margin is shown.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum GateOutcome {
    /// A loss beyond the margin is ruled out.
    Passed,
    /// The interval holds losses within and beyond the margin, or there is none: too few runs.
    CannotTell,
    /// At least one row was not compared, so that nothing is known of it.
    NotCompared,
    /// A loss beyond the margin is shown.
    Slower,
}

/// The gate over all rows and arms of a comparison.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Gate {
    /// The loss that is tolerated, as a share: a rate may fall by it, a time may grow by it.
    pub margin: f64,
    /// The worst of all rows.
    pub outcome: GateOutcome,
    /// Each row and arm.
    pub rows: Vec<GateRow>,
}

/// One arm in one row.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GateRow {
    /// The row's name.
    pub name: String,
    /// The arm's label; empty where the row was not compared.
    pub arm: String,
    /// What is shown.
    pub outcome: GateOutcome,
    /// The interval of the ratio to the baseline; `None` where there is no ratio.
    pub ratio: Option<Interval>,
    /// Why it was not compared, in sentences; `None` where it was.
    #[serde(default)]
    pub reason: Option<String>,
}
