//! One pass of a task: what is known of its parts becomes a run for each.

use std::time::Instant;

use etalon_judge::{Facts, check_run};
use etalon_model::{Backend, Circumstances, Measurement, Run, Workload};
use etalon_units::Nanos;
use etalon_workload::PartWitness;

use super::brackets::{Bracket, Brackets};
use crate::around::Around;
use crate::runner::unix_ns;
use crate::traffic::traffic;
use crate::{ExperimentError, Site};

/// A task that is carried out whole, as often as wanted.
pub(super) trait Repeatable {
    /// What one pass gives.
    type Record;

    /// Carries it out once; `index` counts the passes from 0.
    fn carry_out(
        &self,
        index: u32,
        witness: &(dyn PartWitness + Sync),
    ) -> Result<Self::Record, ExperimentError>;

    /// What came of it; `brackets` are the parts that were begun.
    fn told(&self, record: &Self::Record, brackets: &[Bracket]) -> Told;
}

/// What one pass tells.
#[derive(Debug, Default)]
pub(super) struct Told {
    /// The parts that have a figure.
    pub(super) parts: Vec<Part>,
    /// What was worked on, and which parts have no figure, a sentence each.
    pub(super) notes: Vec<String>,
    /// What ended the pass before its end, in a sentence.
    pub(super) failure: Option<String>,
}

/// One part with its figure; its cell is named after the task's step.
#[derive(Debug)]
pub(super) struct Part {
    pub(super) step: String,
    pub(super) workload: Workload,
    pub(super) measurement: Measurement,
}

/// One pass that has ended.
pub(super) struct Passed<R> {
    pub(super) record: R,
    pub(super) runs: Vec<Run>,
    pub(super) notes: Vec<String>,
    pub(super) failure: Option<String>,
}

/// Carries a task out once and judges its parts. The machine is watched over the whole pass, since
/// a part may be over within a tick of its clocks; the counters are looked at around each part.
pub(super) fn pass<T: Repeatable>(
    task: &T,
    index: u32,
    position: u32,
    (site, around): (&Site, &Around<'_>),
) -> Result<Passed<T::Record>, ExperimentError> {
    let clock = Instant::now();
    let brackets = Brackets::new(&site.tree);
    let before = around.before(&[]);
    let record = task.carry_out(index, &brackets);
    let over = around.end(before, &[]);
    let record = record?;
    let elapsed = clock.elapsed().into();
    let mut seen = around.after(over, &[], Backend::Sync);
    let brackets = brackets.into_closed();
    let told = task.told(&record, &brackets);
    let mut runs = Vec::new();
    for part in told.parts {
        let bracket = brackets.iter().find(|bracket| bracket.part == part.step);
        let Some(bracket) = bracket else { continue };
        let slot = (index, position + runs.len() as u32, elapsed);
        runs.push(judged(part, bracket, slot, &seen, site));
        // The series of the pass stand in its first run.
        seen.recording = None;
    }
    Ok(Passed {
        record,
        runs,
        notes: told.notes,
        failure: told.failure,
    })
}

fn judged(
    part: Part,
    bracket: &Bracket,
    (block, position, elapsed): (u32, u32, Nanos),
    seen: &Circumstances,
    site: &Site,
) -> Run {
    let (device, leaves) = traffic(&site.tree, &bracket.delta);
    let mut run = Run {
        cell: part.step,
        block,
        position,
        started_unix_ns: unix_ns(bracket.started),
        elapsed,
        workload: part.workload,
        measurement: part.measurement,
        device,
        leaves,
        circumstances: Circumstances {
            counters: Some(bracket.delta.clone()),
            ..seen.clone()
        },
        findings: Vec::new(),
    };
    run.findings = check_run(&Facts {
        run: &run,
        null_ns_per_operation: None,
    });
    run
}
