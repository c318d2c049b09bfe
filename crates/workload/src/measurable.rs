//! What everything that can be measured has in common.

use std::path::PathBuf;

use etalon_model::{CacheHeld, ConcurrentRuns, Measurement, Workload};
use etalon_units::Nanos;

use crate::PartWitness;

/// Which pass of an experiment is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Pass {
    /// Its block, from 0.
    pub block: u32,
    /// How many runs were made before it.
    pub position: u32,
}

impl Pass {
    /// The seed of what is random in it, from that of the experiment. Each pass has another: with the same places a run would
    /// find what the run before it read or wrote in the caches of disks, arrays and hosts, and be called faster than it is.
    pub fn seed(self, of_all: u64) -> u64 {
        of_all.wrapping_add(u64::from(self.position) + 1)
    }
}

/// Something that can be measured: one pass over it gives a run for each of its parts.
///
/// Whoever measures calls [`get_ready`](Measurable::get_ready), looks around,
/// [`carry_out`](Measurable::carry_out), looks around again, and asks for the
/// [`report`](Measurable::report). Adding a kind of work means implementing this.
pub trait Measurable {
    /// Why a pass could not be made.
    type Error;

    /// Makes everything stand that a pass needs, outside of any clock; nothing as a rule.
    ///
    /// # Errors
    /// When the work cannot be done here.
    fn get_ready(&mut self, _pass: Pass) -> Result<(), Self::Error> {
        Ok(())
    }

    /// The files that the work on a target reads or writes, once it is ready.
    fn files(&self, _target: usize) -> Vec<PathBuf> {
        Vec::new()
    }

    /// The parts that work on another target than the first, each with its target's number.
    fn parts(&self) -> Vec<(String, usize)> {
        Vec::new()
    }

    /// Does all parts once. `witness` is told where each begins and ends, outside of its clock.
    ///
    /// # Errors
    /// When nothing came of it. What failed in a part after others had ended is said in the report.
    fn carry_out(&mut self, witness: &(dyn PartWitness + Sync)) -> Result<(), Self::Error>;

    /// What the pass gave; `ended` are the parts that were begun, in the order in which they ended.
    fn report(&mut self, ended: &[EndedPart]) -> PassReport;
}

/// A part that has ended, as its witness saw it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EndedPart {
    /// Its name.
    pub part: String,
    /// How long it took.
    pub elapsed: Nanos,
}

/// What one pass gave.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PassReport {
    /// The parts that have a figure.
    pub parts: Vec<PartReport>,
    /// What was worked on, and which parts have no figure, a sentence each.
    pub notes: Vec<String>,
    /// What ended the pass before its end, in a sentence.
    pub failure: Option<String>,
}

/// One part with its figure.
#[derive(Debug, Clone, PartialEq)]
pub struct PartReport {
    /// Its name, as its witness was told.
    pub part: String,
    /// The cell that it is a run of.
    pub cell: String,
    /// Which of the targets it worked on.
    pub target: usize,
    /// What was done.
    pub workload: Workload,
    /// What came of it.
    pub measurement: Measurement,
    /// Who else was at work at the same time.
    pub concurrent: Option<ConcurrentRuns>,
    /// What the page cache held of its files when it began, where it looked itself.
    pub cache_before: Option<CacheHeld>,
}

impl PartReport {
    /// A part alone on the only target, whose cell has its name.
    pub fn alone(part: &str, workload: Workload, measurement: Measurement) -> PartReport {
        PartReport {
            part: part.to_owned(),
            cell: part.to_owned(),
            target: 0,
            workload,
            measurement,
            concurrent: None,
            cache_before: None,
        }
    }
}
