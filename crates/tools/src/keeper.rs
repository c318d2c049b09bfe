//! Who keeps the runs of the tools that print lines of their own.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use etalon_experiment::{Event, Site, Witness, WitnessError};
use etalon_judge::{Goal, judge_cells};
use etalon_model::{Cell, JobTotals, Measurement, Run, TaskWorkload};
use etalon_units::{Bytes, Nanos};
use etalon_workload::measurable::PartReport;

use crate::Exit;

/// Is handed each run once it has ended, outside of its clock. What becomes of it there changes
/// nothing for the tool.
pub trait RunKeeper {
    /// Takes the lock on everything that `sites` stand on, until the tool has ended.
    ///
    /// # Errors
    /// How the tool ends where it cannot be had; the reason has been said.
    fn claim(&mut self, sites: &[&Site]) -> Result<(), Exit>;

    /// One judged run on `target`, a path that stands; its cell is still to be judged.
    fn keep(&mut self, target: &Path, run: Run);

    /// Cells that the tool has judged itself, and their runs.
    fn keep_judged(&mut self, target: &Path, cells: Vec<Cell>, runs: Vec<Run>);
}

/// They are kept in memory, without the cells, and nothing is locked.
impl RunKeeper for Vec<Run> {
    fn claim(&mut self, _sites: &[&Site]) -> Result<(), Exit> {
        Ok(())
    }

    fn keep(&mut self, _target: &Path, run: Run) {
        self.push(run);
    }

    fn keep_judged(&mut self, _target: &Path, _cells: Vec<Cell>, runs: Vec<Run>) {
        self.extend(runs);
    }
}

/// What a tool did as `part` of a pass, in `cell`.
pub(crate) fn part_of(
    (part, cell): (&str, &str),
    workload: TaskWorkload,
    measurement: Measurement,
) -> PartReport {
    PartReport {
        cell: cell.to_owned(),
        ..PartReport::alone(part, workload.into(), measurement)
    }
}

/// Hands the runs of a session on to whoever keeps them.
pub(crate) struct RunForwarder<'a> {
    pub(crate) target: PathBuf,
    pub(crate) keeper: &'a mut dyn RunKeeper,
}

impl Witness for RunForwarder<'_> {
    fn event(&mut self, event: Event<'_>) -> Result<(), WitnessError> {
        if let Event::Ended { run } = event {
            self.keeper.keep(&self.target, run.clone());
        }
        Ok(())
    }
}

/// The cells of a tool's runs, judged as those of every measurement.
pub(crate) fn judged(runs: &[Run]) -> Vec<Cell> {
    judge_cells(runs, &Goal::default())
}

/// A measurement of `elapsed` by one job that did so many operations.
pub(crate) fn by_one_job(operations: u64, bytes: Bytes, elapsed: Nanos) -> Measurement {
    Measurement {
        bytes_with_warm_up: bytes,
        jobs: vec![JobTotals {
            operations,
            bytes,
            duration: elapsed,
        }],
        ..Measurement::of_nothing(elapsed)
    }
}

/// The value of a yes-or-no setting.
pub(crate) fn yes(is_on: bool) -> String {
    if is_on { "yes" } else { "" }.to_owned()
}

/// Settings by name.
pub(crate) fn named<const N: usize>(settings: [(&str, String); N]) -> BTreeMap<String, String> {
    settings
        .map(|(name, value)| (name.to_owned(), value))
        .into()
}
