//! What one run of an operation came to, and all its runs.

use etalon_file_ops::{FileOp, Pass};
use etalon_model::Ended;
use etalon_stats::Sample;
use etalon_units::{Bytes, Nanos, per_second};

/// One run of one operation, on one file or on several.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Measured {
    pub(crate) passes: Vec<Pass>,
    /// From the start to the last worker's end.
    pub(crate) elapsed: Nanos,
}

impl Measured {
    /// The workers' rates added up, in bytes per second.
    pub(crate) fn rate(&self) -> f64 {
        self.worker_rates().iter().sum()
    }

    /// Each worker's rate over its own time.
    pub(crate) fn worker_rates(&self) -> Vec<f64> {
        self.passes
            .iter()
            .map(|pass| per_second(pass.bytes.get(), pass.elapsed()))
            .collect()
    }

    /// All bytes over the time from the common start to the last end.
    pub(crate) fn parent_rate(&self) -> f64 {
        per_second(self.bytes().get(), self.elapsed)
    }

    pub(crate) fn bytes(&self) -> Bytes {
        Bytes(self.passes.iter().map(|pass| pass.bytes.get()).sum())
    }

    pub(crate) fn cpu(&self) -> Nanos {
        Nanos(self.passes.iter().map(|pass| pass.cpu.0).sum())
    }

    /// The first worker's trouble.
    pub(crate) fn cut(&self) -> Option<Ended> {
        self.passes
            .iter()
            .map(|pass| &pass.ended)
            .find(|ended| **ended != Ended::Complete)
            .cloned()
    }
}

/// All runs of one operation at one size.
#[derive(Debug, Clone)]
pub(crate) struct Series {
    pub(crate) op: FileOp,
    pub(crate) measured: Vec<Measured>,
    /// Whether it is to be measured again.
    pub(crate) open: bool,
}

impl Series {
    pub(crate) fn new(op: FileOp) -> Series {
        Series {
            op,
            measured: Vec::new(),
            open: true,
        }
    }

    /// The rates of its runs; `None` before the first.
    pub(crate) fn sample(&self) -> Option<Sample> {
        Sample::new(self.measured.iter().map(Measured::rate).collect()).ok()
    }

    /// How its last run ended, where it did not end well.
    pub(crate) fn cut(&self) -> Option<Ended> {
        self.measured.last().and_then(Measured::cut)
    }
}
