//! Who keeps the runs of the tools that print lines of their own.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use etalon_model::{Backend, Cell, Circumstances, JobTotals, Measurement, Run, TaskWorkload};
use etalon_units::{Bytes, Nanos};

/// Is handed each run once it has ended, outside of its clock. What becomes of it there changes
/// nothing for the tool.
pub trait RunKeeper {
    /// One run on `target`, a path that stands; its cell is still to be judged.
    fn keep(&mut self, target: &Path, run: Run);

    /// Cells that the tool has judged itself, and their runs.
    fn keep_judged(&mut self, target: &Path, cells: Vec<Cell>, runs: Vec<Run>);
}

/// They are kept in memory, without the cells.
impl RunKeeper for Vec<Run> {
    fn keep(&mut self, _target: &Path, run: Run) {
        self.push(run);
    }

    fn keep_judged(&mut self, _target: &Path, _cells: Vec<Cell>, runs: Vec<Run>) {
        self.extend(runs);
    }
}

/// What a tool did in one run.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolRun {
    /// The cell's name.
    pub cell: String,
    /// What was done.
    pub workload: TaskWorkload,
    /// Which repetition, from 0.
    pub block: u32,
    /// When the clock stopped.
    pub ended: SystemTime,
    /// What came of it.
    pub measurement: Measurement,
}

impl ToolRun {
    /// The record of it; its place among the runs, its device and its findings are left open.
    pub fn record(self) -> Run {
        let elapsed = self.measurement.duration;
        let since = self.ended.duration_since(UNIX_EPOCH).unwrap_or_default();
        let started = since.as_nanos().saturating_sub(u128::from(elapsed.get()));
        Run {
            cell: self.cell,
            block: self.block,
            position: 0,
            started_unix_ns: i64::try_from(started).unwrap_or(i64::MAX),
            elapsed,
            workload: self.workload.into(),
            measurement: self.measurement,
            device: None,
            leaves: None,
            circumstances: Circumstances::default(),
            findings: Vec::new(),
        }
    }
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
        ..Measurement::of_nothing(Backend::Sync, elapsed)
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
