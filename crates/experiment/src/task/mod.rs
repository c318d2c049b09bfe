//! Tasks: operations on names and real work, carried out whole, repeated, and judged part by part.

mod metadata;
mod work;

use std::path::PathBuf;
use std::time::Instant;

use etalon_engine::Control;
use etalon_judge::{Goal, judge_cells};
use etalon_model::{Choice, Run};
use etalon_stats::MIN_RUNS_LAB;
use etalon_units::{Nanos, Percent};
use etalon_workload::Measurable;

use crate::claim::claim_for;
use crate::run::quiet::Rest;
use crate::run::{self, BegunPass, Observed, Observer, Schedule, Session, Step, Until};
use crate::witness::tell;
use crate::work_place::{WorkPlace, insist_on_directory};
use crate::{Event, ExperimentError, Outcome, Site, Witness};

pub use metadata::{MetadataRequest, metadata};
pub(crate) use work::{TaskSteps, elsewhere};
pub use work::{WorkRequest, work, works};

/// On what a task is carried out, and how often.
#[derive(Debug, Clone, PartialEq)]
pub struct Repeat {
    /// A directory.
    pub target: PathBuf,
    /// How often, at least once; `None` for six times, and then until every figure has an interval and
    /// is as precise as was asked for, up to thirty times, but no more once two minutes have passed.
    pub runs: Option<usize>,
    /// The relative half width that is asked for, if any is.
    pub precision: Option<Percent>,
    /// Decides every random choice.
    pub seed: u64,
}

/// What is left at the end of a repeated task.
#[derive(Debug, Clone, PartialEq)]
pub struct TaskOutcome<R> {
    /// A cell for each part of the task, with everything else.
    pub outcome: Outcome,
    /// The task's own record of each pass that has ended.
    pub records: Vec<R>,
}

/// Looks at the target, makes room on it, and repeats what `task` makes of the room.
fn on_target<T>(
    repeat: &Repeat,
    control: &Control,
    witness: &mut dyn Witness,
    task: impl FnOnce(&std::path::Path) -> T,
) -> Result<(Outcome, T), ExperimentError>
where
    T: Measurable,
    ExperimentError: From<T::Error>,
{
    // All parts end with the same pass: for each of them that is the last look.
    let goal = Goal::new(repeat.precision, MIN_RUNS_LAB, MIN_RUNS_LAB)?;
    let site = Site::look(&repeat.target)?;
    let at_most = Nanos(u64::MAX);
    let target = &site.record;
    tell(witness, Event::Begun { target, at_most })?;
    insist_on_directory(&site)?;
    let lock = claim_for(&[&site], control, witness)?;
    let begun = Instant::now();
    let work_place = WorkPlace::in_directory(&site)?.locked(Some(lock));
    let mut passes = Passes {
        task: task(work_place.path()),
        place: (&site, &work_place),
        control,
        rest: Rest::within(None),
        observer: Observer::new([&site], true),
        goal: &goal,
        until: Until::new(repeat.runs, &goal, begun),
        notes: Vec::new(),
        failure: None,
    };
    let mut runs = Vec::new();
    let stop = &control.stop;
    let made = run::repeat(&mut passes, Schedule::Rows, stop, witness, &mut runs);
    made.map_err(ExperimentError::shown)?;
    let Passes {
        task,
        mut notes,
        failure,
        ..
    } = passes;
    let cells = judge_cells(&runs, &goal);
    if cells.is_empty() && !control.stopped() {
        notes.extend(failure);
        let why = notes.join(" ");
        return Err(ExperimentError::NothingMeasured { why });
    }
    let outcome = Outcome {
        target: site.record.clone(),
        choices: notes.into_iter().map(Choice::note).collect(),
        forecast: None,
        cells,
        runs,
        seed: repeat.seed,
        elapsed: begun.elapsed().into(),
        interrupted: control.stopped(),
        failure,
    };
    Ok((outcome, task))
}

/// Passes over one task.
struct Passes<'a, T> {
    task: T,
    place: (&'a Site, &'a WorkPlace),
    control: &'a Control,
    /// Lets the devices come to rest behind each pass.
    rest: Rest,
    observer: Observer<'a>,
    goal: &'a Goal,
    until: Until<'a>,
    notes: Vec<String>,
    failure: Option<String>,
}

impl<T: Measurable> Passes<'_, T>
where
    ExperimentError: From<T::Error>,
{
    fn observed(&mut self, begun: BegunPass) -> Result<Observed, ExperimentError> {
        let before = Rest::unwritten();
        self.observer.keep_aftermath(self.rest.left());
        self.task.get_ready(begun.pass)?;
        let observed = self.observer.observe(&mut self.task, begun, None)?;
        let rest = &self.rest;
        rest.behind(self.place, self.control, before, Nanos::ZERO);
        Ok(observed)
    }
}

impl<T: Measurable> Session for Passes<'_, T>
where
    ExperimentError: From<T::Error>,
{
    fn open(
        &mut self,
        block: u32,
        runs: &[Run],
        witness: &mut dyn Witness,
    ) -> Result<Vec<usize>, ExperimentError> {
        if !self.until.goes_on(block as usize, runs) {
            return Ok(Vec::new());
        }
        let cells = judge_cells(runs, self.goal);
        let open = cells.iter().filter(|cell| !cell.verdict.is_valid());
        self.until.tell_block(block, open.count(), witness)?;
        Ok(vec![0])
    }

    fn pass(
        &mut self,
        step: Step,
        _witness: &mut dyn Witness,
    ) -> Result<Vec<Run>, ExperimentError> {
        let mut observed = match self.observed(step.begun) {
            Ok(observed) => observed,
            // What had ended before is worth its verdict.
            Err(error) if step.begun.pass.position > 0 => Observed {
                failure: Some(format!("{}.", error.shown())),
                ..Observed::default()
            },
            Err(error) => return Err(error),
        };
        for sentence in observed.notes.drain(..) {
            if !self.notes.contains(&sentence) {
                self.notes.push(sentence);
            }
        }
        let failure = observed.failure.take();
        self.failure =
            failure.map(|failure| format!("Run {}: {failure}", step.begun.pass.block + 1));
        Ok(observed.runs)
    }

    fn is_over(&self) -> bool {
        self.failure.is_some()
    }
}

#[cfg(test)]
mod tests;
