//! One copy carried out, and what its cell is called.

use etalon_units::Nanos;
use etalon_workload::copy::{CopyObservation, CopySettings, Counts};
use schemars::JsonSchema;
use serde::Serialize;

use crate::Exit;

/// One copy carried out.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct CopyRun {
    /// What was asked for.
    pub settings: CopySettings,
    /// What was moved.
    pub counts: Counts,
    /// From the first positioning until the end, with fsync where `conv=` asks.
    #[serde(rename = "elapsed_ns", alias = "elapsed")]
    pub elapsed: Nanos,
    /// Whether something failed; what was copied until then is counted.
    pub failed: bool,
    /// Whether the user ended it early.
    pub interrupted: bool,
    /// What dd does not tell.
    pub observed: CopyObservation,
}

impl CopyRun {
    pub(super) fn status(&self) -> Exit {
        match (self.interrupted, self.failed) {
            (true, _) => Exit::Interrupted,
            (_, true) => Exit::Failed,
            _ => Exit::Done,
        }
    }
}

/// What the cell of copy `number` is called.
pub(super) fn cell(number: usize, copies: usize) -> String {
    match copies {
        1 => "copy".to_owned(),
        _ => format!("copy {number}"),
    }
}
