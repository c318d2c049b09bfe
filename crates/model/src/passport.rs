//! How a target behaves when nothing is changed.

use etalon_units::Nanos;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Estimate, Unit};

/// The noise of one workload on one target: ten runs or more of the same thing.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Passport {
    /// The cell's name.
    pub name: String,
    /// The unit of the figures: `B/s` or `op/s`.
    pub unit: Unit,
    /// Median over the runs.
    #[serde(alias = "mean")]
    pub median: Estimate,
    /// Coefficient of variation from run to run, a share.
    pub cv: f64,
    /// `(max - min) / mean`, a share.
    pub range: f64,
    /// Drift along a straight line from the begin of the first run to that of the last, as a share.
    pub drift: f64,
    /// How long after the first run the last one began.
    #[serde(rename = "drift_over_ns")]
    pub drift_over: Nanos,
    /// Two-sided p of "no drift".
    pub drift_p: f64,
    /// Whether the runs fall into two groups.
    pub two_modes: bool,
    /// The smallest difference, a share, that as many blocks show with a power of 80 %.
    pub visible: Option<f64>,
    /// What has changed since the last passport of the same filesystem or device on the same disks, whatever its path;
    /// `None` where there is none, or none of the same work.
    pub since_last: Option<PassportChange>,
}

/// How a passport differs from the one before.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PassportChange {
    /// The store's number of the earlier experiment.
    pub experiment: i64,
    /// Ratio of the level now to the level then.
    pub level: Estimate,
    /// Two-sided p of "the same level".
    pub level_p: f64,
    /// Ratio of the relative spread now to the spread then.
    pub spread: f64,
    /// Two-sided p of "the same spread".
    pub spread_p: f64,
}
