//! How far machines, or whatever else has labels, lie apart beside how far runs do.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Estimate, Unit};

/// One workload under several labels.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LabelSpread {
    /// The workload's name.
    pub name: String,
    /// The unit of the figures.
    pub unit: Unit,
    /// Every label with its figure, in the order in which they were named.
    pub labels: Vec<LabelFigure>,
    /// The spread between labels and within them; `None` where it cannot be known.
    pub components: Option<SpreadComponents>,
    /// The labels whose experiments something spoiled, one for each; they are in no figure.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<String>,
    /// Why there are no components; `None` where there are.
    pub reason: Option<String>,
}

/// What the runs of one label gave.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LabelFigure {
    /// The label.
    pub label: String,
    /// How many experiments have it.
    pub experiments: u32,
    /// The mean over all of its runs.
    pub mean: Estimate,
    /// Standard deviation over its runs, in the unit of the figures; `None` for a single run.
    pub sd: Option<f64>,
}

/// Where the variance lies.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SpreadComponents {
    /// Mean of the labels' means.
    pub mean: f64,
    /// Standard deviation of what a label adds, in the unit of the figures; from so many labels as `runs` says.
    pub between: Estimate,
    /// Standard deviation of the runs of one label, in the unit of the figures.
    pub within: Estimate,
    /// The share of all variance that lies between labels, 0..=1: the intraclass correlation.
    pub icc: Estimate,
}
