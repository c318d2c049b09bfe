//! Whether the machine is as it was at the first run of each cell, also where another process made that.

use std::collections::HashMap;
use std::sync::Arc;

use etalon_model::stack::ManifestChange;
use etalon_model::{EnvironmentRecord, Run};

use super::arrange::Arrangement;
use crate::changes::Changes;
use crate::witness::tell;
use crate::{Event, ExperimentError, Witness};

/// The environments of the first runs of a plan's cells.
#[derive(Debug, Default)]
pub(super) struct FirstEnvironments {
    of_cells: HashMap<usize, Arc<EnvironmentRecord>>,
    /// What was told of the machine.
    told: Vec<ManifestChange>,
}

impl FirstEnvironments {
    /// Of runs that stand already, in the order in which they were made.
    pub(super) fn of(arrangement: &Arrangement, runs: &[Run]) -> FirstEnvironments {
        let mut first = FirstEnvironments::default();
        for run in runs {
            if let Some(cell) = arrangement.cell_of(&run.cell) {
                first.keep(cell, run);
            }
        }
        first
    }

    /// That of a cell; none before its first run has ended.
    pub(super) fn of_cell(&self, cell: usize) -> Option<&Arc<EnvironmentRecord>> {
        self.of_cells.get(&cell)
    }

    fn keep(&mut self, cell: usize, run: &Run) {
        let mark = run.circumstances.environment.as_ref();
        if let Some(found) = mark.and_then(|mark| mark.record.as_ref()) {
            let first = self.of_cells.entry(cell);
            first.or_insert_with(|| Arc::clone(found));
        }
    }

    /// Takes the runs of a pass, and tells what has changed since the first, each change once.
    pub(super) fn made(
        &mut self,
        cell: usize,
        runs: &[Run],
        witness: &mut dyn Witness,
    ) -> Result<(), ExperimentError> {
        let Some(run) = runs.first() else {
            return Ok(());
        };
        self.keep(cell, run);
        let mark = run.circumstances.environment.iter();
        let mut changes: Vec<ManifestChange> = mark.flat_map(|mark| mark.changes.clone()).collect();
        changes.retain(|change| !change.is_memory_space() && !self.told.contains(change));
        if changes.is_empty() {
            return Ok(());
        }
        self.told.extend(changes.clone());
        tell(witness, Event::Changed(&Changes(changes)))
    }
}
