//! Tasks: operations on names and real work, carried out whole, repeated, and judged part by part.

mod brackets;
mod metadata;
mod pass;
mod work;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use etalon_engine::Control;
use etalon_factor::{Journal, Scratch, ScratchError, TargetLock};
use etalon_judge::{Goal, judge_cells};
use etalon_model::{Cell, Run, Verdict};
use etalon_stats::{DEFAULT_LOOKS, MAX_RUNS};
use etalon_units::{Nanos, Percent};

use crate::around::Around;
use crate::measure::MIN_RUNS;
use crate::witness::tell;
use crate::{Event, ExperimentError, Outcome, Site, SiteKind, Witness};
use pass::{Passed, Repeatable, pass};

pub use metadata::{MetadataRequest, metadata};
pub use work::{WorkRequest, work};

/// How long passes are added for the sake of precision.
const PATIENCE: Duration = Duration::from_secs(120);

/// On what a task is carried out, and how often.
#[derive(Debug, Clone, PartialEq)]
pub struct Repeat {
    /// A directory.
    pub target: PathBuf,
    /// How often, at least once; `None` for six times, and then until every figure is as precise
    /// as wanted, up to thirty times, but no more once two minutes have passed.
    pub runs: Option<usize>,
    /// The relative half width that makes a figure valid.
    pub precision: Percent,
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

/// A private directory on the target, which goes away with it, and the lock on the target.
struct Place {
    scratch: Scratch,
    _lock: TargetLock,
}

impl Place {
    fn on(site: &Site) -> Result<Place, ExperimentError> {
        if site.kind != SiteKind::Directory {
            let path = site.path.clone();
            return Err(ScratchError::NotADirectory { path }.into());
        }
        Ok(Place {
            _lock: TargetLock::acquire(site.device)?,
            scratch: Scratch::create(&Journal::open()?, &site.path)?,
        })
    }
}

/// Looks at the target, makes room on it, and repeats what `task` makes of the room.
fn on_target<T: Repeatable>(
    repeat: &Repeat,
    control: &Control,
    witness: &mut dyn Witness,
    task: impl FnOnce(&std::path::Path) -> T,
) -> Result<TaskOutcome<T::Record>, ExperimentError> {
    let begun = Instant::now();
    // All parts end with the same pass: for each of them that is the last look.
    let goal = Goal::new(repeat.precision, MIN_RUNS, MIN_RUNS)?;
    let site = Site::look(&repeat.target)?;
    let at_most = Nanos(u64::MAX);
    let target = &site.record;
    tell(witness, Event::Begun { target, at_most })?;
    let place = Place::on(&site)?;
    let task = task(&place.scratch.held_path());
    let series = Series {
        repeat,
        goal,
        begun,
        control,
    };
    let done = series.make(&task, &site, witness);
    let mut done = done.map_err(ExperimentError::shown)?;
    let cells = judge_cells(&done.runs, &series.goal);
    if cells.is_empty() && !control.stopped() {
        done.notes.extend(done.failure);
        let why = done.notes.join(" ");
        return Err(ExperimentError::NothingMeasured { why });
    }
    Ok(TaskOutcome {
        records: done.records,
        outcome: Outcome {
            target: site.record.clone(),
            choices: done.notes,
            forecast: None,
            cells,
            runs: done.runs,
            seed: repeat.seed,
            elapsed: begun.elapsed().into(),
            interrupted: control.stopped(),
            failure: done.failure,
        },
    })
}

/// Passes one after the other.
struct Series<'a> {
    repeat: &'a Repeat,
    goal: Goal,
    begun: Instant,
    control: &'a Control,
}

/// What the passes left.
struct Done<R> {
    records: Vec<R>,
    runs: Vec<Run>,
    notes: Vec<String>,
    failure: Option<String>,
}

impl Series<'_> {
    fn make<T: Repeatable>(
        &self,
        task: &T,
        site: &Site,
        witness: &mut dyn Witness,
    ) -> Result<Done<T::Record>, ExperimentError> {
        let around = Around::new(site, true);
        let mut done = Done {
            records: Vec::new(),
            runs: Vec::new(),
            notes: Vec::new(),
            failure: None,
        };
        for index in 0.. {
            self.tell_of(index, &done.runs, witness)?;
            let position = done.runs.len() as u32;
            match pass(task, index, position, (site, &around)) {
                Ok(passed) => keep(passed, &mut done, witness)?,
                // What had ended before is worth its verdict.
                Err(error) if !done.runs.is_empty() => {
                    done.failure = Some(format!("{}.", error.shown()))
                }
                Err(error) => return Err(error),
            }
            if let Some(failure) = &mut done.failure {
                *failure = format!("Run {}: {failure}", index + 1);
                break;
            }
            if self.control.stopped() || !self.goes_on(index as usize + 1, &done.runs) {
                break;
            }
        }
        Ok(done)
    }

    /// Of the first pass nothing is known yet.
    fn tell_of(
        &self,
        index: u32,
        runs: &[Run],
        witness: &mut dyn Witness,
    ) -> Result<(), ExperimentError> {
        if index == 0 {
            return Ok(());
        }
        let cells = judge_cells(runs, &self.goal);
        let event = Event::Block {
            number: index + 1,
            open: cells.iter().filter(|cell| !cell.verdict.is_valid()).count(),
            left: Nanos(u64::MAX),
        };
        tell(witness, event)
    }

    /// Without a number of passes: looks at fixed counts whether another could still help.
    fn goes_on(&self, made: usize, runs: &[Run]) -> bool {
        if let Some(asked) = self.repeat.runs {
            return made < asked;
        }
        let is_undecided = |cell: &Cell| matches!(cell.verdict, Verdict::Undecided { .. });
        let is_late = made >= MAX_RUNS || self.begun.elapsed() > PATIENCE;
        let is_open = || judge_cells(runs, &self.goal).iter().any(is_undecided);
        made < MIN_RUNS || (!is_late && (!DEFAULT_LOOKS.contains(&made) || is_open()))
    }
}

fn keep<R>(
    passed: Passed<R>,
    done: &mut Done<R>,
    witness: &mut dyn Witness,
) -> Result<(), ExperimentError> {
    for run in passed.runs {
        tell(witness, Event::Ended { run: &run })?;
        done.runs.push(run);
    }
    for sentence in passed.notes {
        if !done.notes.contains(&sentence) {
            done.notes.push(sentence);
        }
    }
    done.records.push(passed.record);
    done.failure = passed.failure;
    Ok(())
}

#[cfg(test)]
mod tests;
