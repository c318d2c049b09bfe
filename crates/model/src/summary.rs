//! An experiment and its cells without their records: what a list needs.

use schemars::JsonSchema;
use serde::Serialize;

use crate::{Cell, ExperimentKind, ExperimentState, RunId, Unit};

/// One line of the list of experiments.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ExperimentSummary {
    /// Its number in its store.
    pub id: RunId,
    /// The command that made it.
    pub kind: ExperimentKind,
    /// How far it got.
    pub state: ExperimentState,
    /// When it was begun, in nanoseconds since 1970-01-01 UTC.
    pub started_unix_ns: i64,
    /// When it ended; `null` while it runs.
    pub ended_unix_ns: Option<i64>,
    /// The path that was measured.
    pub target_path: String,
    /// Number of runs.
    pub runs: u32,
    /// Number of cells.
    pub cells: u32,
    /// Of them valid.
    pub valid_cells: u32,
    /// The process that makes it, as [`NewExperiment::owner`](crate::NewExperiment::owner).
    #[serde(skip)]
    pub owner: Option<String>,
}

/// The headline of one cell.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct CellSummary {
    /// Its name.
    pub name: String,
    /// The unit of the median.
    pub unit: Unit,
    /// Median over the runs; its interval stands in the experiment.
    pub median: f64,
    /// `valid`, `invalid` or `undecided`.
    pub verdict: String,
}

impl CellSummary {
    /// The headline of `cell`.
    #[must_use]
    pub fn of(cell: &Cell) -> CellSummary {
        CellSummary {
            name: cell.name.clone(),
            unit: cell.unit,
            median: cell.median.value,
            verdict: cell.verdict.word().to_owned(),
        }
    }
}
