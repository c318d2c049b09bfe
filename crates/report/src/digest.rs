//! What a page says of the runs of an experiment, gathered once: the records of ten thousand runs take seconds to read.

use std::collections::BTreeMap;

use etalon_model::{Cell, Run, TaskFigure, TotalTime};
use etalon_units::Nanos;
use serde::{Deserialize, Serialize};

use crate::beside_facts::BesideFacts;
use crate::checks_done::ExperimentChecks;

/// Of an experiment whose page says nothing of single runs but what is gathered here.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PageDigest {
    /// Which checks there are, and what a page says, is that of a version.
    version: String,
    /// Runs that were made of each cell, also those that are left out of its figures.
    made: BTreeMap<String, u32>,
    checks: ExperimentChecks,
    /// What the passes took together.
    elapsed_ns: Nanos,
    pub(crate) beside: BesideFacts,
}

impl PageDigest {
    /// `None` where the page looks at each run: the levels of a plan have facts of their own, and steps of tasks have times
    /// beside their figure.
    pub fn of(cells: &[Cell], runs: &[Run]) -> Option<PageDigest> {
        let has_levels = |run: &Run| !run.circumstances.levels.is_empty();
        let is_time = |cell: &Cell| {
            (cell.workload.task()).is_some_and(|task| task.figure == TaskFigure::Time)
        };
        if cells.iter().any(is_time) || runs.iter().any(has_levels) {
            return None;
        }
        let mut made: BTreeMap<String, u32> = BTreeMap::new();
        for run in runs {
            // Most follow another of their cell, whose name is not copied again.
            match made.get_mut(&run.cell) {
                Some(count) => *count += 1,
                None => drop(made.insert(run.cell.clone(), 1)),
            }
        }
        Some(PageDigest {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            made,
            checks: ExperimentChecks::of(cells, runs),
            elapsed_ns: TotalTime::of(runs),
            beside: BesideFacts::of(runs),
        })
    }

    /// What [`PageDigest::to_text`] wrote; `None` of another version's, which is made anew.
    pub fn from_text(text: &str) -> Option<PageDigest> {
        let digest: PageDigest = serde_json::from_str(text).ok()?;
        (digest.version == env!("CARGO_PKG_VERSION")).then_some(digest)
    }

    /// As it is kept.
    ///
    /// # Errors
    /// Those of JSON, which this record does not meet.
    pub fn to_text(&self) -> serde_json::Result<String> {
        serde_json::to_string(self)
    }

    /// What became of the checks.
    pub fn checks(&self) -> &ExperimentChecks {
        &self.checks
    }

    /// How long the experiment took, as its runs tell.
    pub fn elapsed(&self) -> Nanos {
        self.elapsed_ns
    }

    pub(crate) fn made(&self, cell: &str) -> u32 {
        self.made.get(cell).copied().unwrap_or(0)
    }
}
