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
    /// What failed first, in the words of dd.
    pub failure: Option<String>,
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

    /// Whether all that was asked for was copied: a rate is that of such a copy only.
    pub(super) fn is_whole(&self) -> bool {
        !self.interrupted && self.fault().is_none()
    }

    /// What keeps its output from being a copy of its input, in a sentence without its full stop.
    pub(super) fn fault(&self) -> Option<String> {
        let failure = self.failure.as_ref();
        failure
            .map(|what| format!("the copy failed: {what}"))
            .or_else(|| self.unread())
    }

    /// The reads that `conv=noerror` passed over, and what stands in the output instead.
    pub(super) fn unread(&self) -> Option<String> {
        let instead = match self.settings.conversions.sync {
            true => "padding stands for what they did not bring",
            false => "what they did not bring is missing and the rest has moved up",
        };
        match self.counts.failed_in {
            0 => None,
            1 => Some(format!("1 read failed; {instead}")),
            more => Some(format!("{more} reads failed; {instead}")),
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
