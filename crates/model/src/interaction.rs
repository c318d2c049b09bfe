//! Two factors of a plan, and whether what one does depends on the other.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Estimate;

/// One level of each of two factors against both baselines.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FactorInteraction {
    /// The workload.
    pub workload: String,
    /// The first factor with its level and its baseline.
    pub first: InteractionLevel,
    /// The second factor with its level and its baseline.
    pub second: InteractionLevel,
    /// The ratio of ratios: by how much the effect of the second factor is another one at the level of the first than at
    /// its baseline; 1 where each acts by itself. Its runs are the complete blocks.
    pub effect: Estimate,
    /// Two-sided p that there is none, adjusted by Holm's method for all interactions of the plan.
    pub adjusted_p: f64,
    /// Whether it is shown: `adjusted_p` is at most 0.05, there are blocks enough for an interval, and it does not lie within
    /// 1 % of one.
    pub is_shown: bool,
}

/// A level that is held against the baseline of its factor.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct InteractionLevel {
    /// The factor.
    pub factor: String,
    /// The level.
    pub level: String,
    /// The baseline.
    pub baseline: String,
}
