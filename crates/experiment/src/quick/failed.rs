//! Rows of files whose passes failed: what failed is told of them, since no time would mend it.

use std::collections::{BTreeMap, BTreeSet};

use etalon_factor::shown;
use etalon_model::{Choice, Run};

/// The passes that failed, by row.
#[derive(Debug, Default)]
pub(crate) struct FailedPasses(BTreeMap<usize, Failure>);

#[derive(Debug)]
struct Failure {
    passes: usize,
    /// Of the first of them, a sentence.
    why: String,
}

impl FailedPasses {
    /// A pass of the row failed.
    pub(crate) fn add(&mut self, row: usize, why: &str) {
        let first = || Failure {
            passes: 0,
            why: shown(why),
        };
        self.0.entry(row).or_insert_with(first).passes += 1;
    }

    /// How many passes of the row failed.
    pub(crate) fn of(&self, row: usize) -> usize {
        self.0.get(&row).map_or(0, |failure| failure.passes)
    }

    /// Why the row lacks runs: its cells are those named, of which some have runs.
    pub(crate) fn choice(&self, row: usize, cells: &[&str], runs: &[Run]) -> Option<Choice> {
        let failure = self.0.get(&row)?;
        let made: BTreeSet<&str> = runs.iter().map(|run| run.cell.as_str()).collect();
        let bare = cells.iter().copied().filter(|cell| !made.contains(cell));
        let bare: Vec<&str> = bare.collect();
        Some(Choice::note(match (bare.is_empty(), failure.passes) {
            (false, _) => format!("{}: not measured. {}", bare.join(", "), failure.why),
            (true, 1) => format!("{}: one pass failed. {}", cells.join(", "), failure.why),
            (true, n) => format!("{}: {n} passes failed. {}", cells.join(", "), failure.why),
        }))
    }
}
