//! Cells put side by side.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Estimate, Headline, Sentence, Unit};

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
    /// What figures of one storage vary by from session to session, as the standard deviation of their logarithms; `None`
    /// unless the arms are of several sessions and memory decides the figure. Ratios and verdicts allow for it.
    #[serde(default)]
    pub session_spread: Option<f64>,
    /// How easily chance alone parts the arms; `None` where nothing was compared or runs are too few, and in documents of
    /// older versions.
    #[serde(default)]
    pub chance: Option<Chance>,
    /// In what the workloads of the arms differ although they are compared: what was declared, and
    /// what is within the tolerance.
    pub differences: Vec<WorkloadDifference>,
    /// The verdict.
    pub verdict: ComparisonVerdict,
}

impl Comparison {
    /// Whether a ratio comes from too few runs for an interval.
    pub fn lacks_an_interval(&self) -> bool {
        self.arms.iter().any(ComparisonArm::has_too_few_runs)
    }

    /// Whether the row would tell its arms apart if it were the only one, and does not among the others.
    pub fn is_told_apart_alone(&self) -> bool {
        let is_undecided = self.verdict == ComparisonVerdict::Undecided;
        let chance = self.chance.filter(|_| is_undecided);
        chance.is_some_and(|chance| chance.p < Chance::ALPHA)
    }
}

/// Of a row compared: the probability that arms which are equal lie at least as far apart.
///
/// Of ten rows that are equal at the level of 95 % one or more look different on four pages in ten, so that a difference
/// counts only where it stands among all pairs of arms of all rows that are compared at once.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Chance {
    /// Two-sided p of the row by itself; of more than two arms the least of all pairs, adjusted by Holm's method.
    pub p: f64,
    /// The least of all pairs adjusted for those of all rows: by Holm's method, and by that of Benjamini and Hochberg in a
    /// screen. Where it stands the other pairs of the row still have to.
    pub adjusted_p: f64,
    /// How many rows were compared at once.
    pub rows: u32,
}

impl Chance {
    /// More rows than these are a screen: of the differences that count about one in twenty may be by chance, where of
    /// fewer rows there is one on a page in twenty.
    pub const MOST_ROWS: u32 = 20;

    /// A difference counts where its p is below this, among all rows.
    pub const ALPHA: f64 = 0.05;

    /// Whether so many rows were compared that single ones are to be looked at again.
    pub fn is_of_screen(&self) -> bool {
        self.rows > Chance::MOST_ROWS
    }
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
    /// The ratio of geometric means to the baseline; `None` for the baseline itself, and where it is left out.
    pub of_baseline: Option<Estimate>,
    /// Arms that share a letter are not separated; empty where it is left out, or where its runs alone are too few.
    pub letters: String,
    /// True only where it beats every other arm, by more than the margin.
    pub is_best: bool,
    /// Standard deviation over the runs, in the comparison's unit; `None` for a single run.
    pub sd: Option<f64>,
    /// The standard deviation as a share of the mean; `None` for a single run or a mean of zero.
    pub cv: Option<f64>,
    /// How it does against the baseline; `None` for the baseline itself, and where it is left out.
    pub standing: Option<Standing>,
    /// Why it is compared with nothing although the others are, in a sentence; `None` where it is compared, and in documents
    /// of older versions.
    #[serde(default)]
    pub left_out: Option<Sentence>,
}

impl ComparisonArm {
    /// Whether a ratio to the baseline exists and its runs are too few for an interval: then neither a difference nor its
    /// absence can be told, whatever the runs measured.
    pub fn has_too_few_runs(&self) -> bool {
        self.of_baseline.is_some_and(|of| of.interval.is_none())
    }
}

/// How an arm does against the baseline. Of times the shorter one is the faster.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Standing {
    /// A difference is shown, and it is the better one.
    Faster,
    /// A difference is shown, and it is the worse one.
    Slower,
    /// The two differ by less than the margin.
    Equal,
    /// Neither a difference nor its absence is shown.
    NotShown,
}

/// One condition of the workload in which arms differ.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WorkloadDifference {
    /// What differs, as `compare --by` takes it: `file-size`.
    pub condition: String,
    /// Its value in each arm, in the words of the options and in the order of the arms; what an arm has not is `off`,
    /// `none` or `any` there. `None` only in documents of older versions.
    pub values: Vec<Option<String>>,
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
    /// Of more than two arms, these are not separated from the one that leads, or differ from it by less than the margin.
    BestGroup {
        /// Their labels.
        group: Vec<String>,
    },
    /// The arms cannot be compared.
    Refused {
        /// Why, a sentence each.
        reasons: Vec<Sentence>,
        /// The conditions that `--by` would have to declare for the arms to be comparable; empty
        /// where no declaration helps.
        declare: Vec<String>,
    },
}
