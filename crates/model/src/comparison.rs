//! Cells put side by side.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Estimate, Headline, Unit};

/// One cell under two or more conditions, with what can be said of the difference.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Comparison {
    /// The cell's name, or the names of the cells that are compared.
    pub name: String,
    /// The unit of the figures: `B/s`, `op/s` or `s`, of which the least is the best.
    pub unit: Unit,
    /// The arms, in the order in which they were named; empty when the comparison is refused.
    pub arms: Vec<ComparisonArm>,
    /// Index of the arm that ratios and percentages refer to.
    pub baseline: usize,
    /// Differences up to this share of the baseline count as none.
    pub margin: f64,
    /// Whether the arms were measured in the same blocks, so that drift touched them alike.
    pub in_blocks: bool,
    /// The verdict.
    pub verdict: ComparisonVerdict,
}

/// One side of a comparison.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ComparisonArm {
    /// What the user called it.
    pub label: String,
    /// Every run's figure.
    pub values: Vec<f64>,
    /// Mean over the runs.
    pub mean: Estimate,
    /// Median over the runs.
    pub median: Estimate,
    /// Which of the two the printed interval belongs to, as in the cell.
    pub headline: Headline,
    /// The mean as a share of the mean of all arms' means.
    pub of_group: f64,
    /// The ratio of geometric means to the baseline; `None` for the baseline itself.
    pub of_baseline: Option<Estimate>,
    /// Arms that share a letter are not separated.
    pub letters: String,
    /// True only where it beats every other arm.
    pub is_best: bool,
}

impl ComparisonArm {
    /// The estimate that speaks for the arm, as it does for its cell.
    pub fn estimate(&self) -> &Estimate {
        match self.headline {
            Headline::Mean => &self.mean,
            Headline::Median => &self.median,
        }
    }
}

/// What can be said of a difference.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", tag = "verdict")]
pub enum ComparisonVerdict {
    /// The figure of the first arm is greater than that of the second; with the unit `s` the second
    /// is therefore the faster one.
    Greater {
        /// Label of the greater arm.
        greater: String,
        /// Label of the lesser arm.
        lesser: String,
    },
    /// The two arms differ by less than the margin.
    Equivalent,
    /// Neither a difference nor its absence is shown.
    Undecided,
    /// Of more than two arms, one beats every other.
    Best {
        /// Its label.
        best: String,
    },
    /// Of more than two arms, these are not separated from the one that leads.
    BestGroup {
        /// Their labels.
        group: Vec<String>,
    },
    /// The arms cannot be compared.
    Refused {
        /// Why, a sentence each.
        reasons: Vec<String>,
    },
}
