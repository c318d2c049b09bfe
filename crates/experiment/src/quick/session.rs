//! Blocks of runs in random order, until every cell is precise enough or the time is spent.

use std::time::{Duration, Instant};

use etalon_engine::{EngineError, TargetPlace};
use etalon_judge::{Goal, judge_cell, needs_more};
use etalon_model::{Cell, End, Ended, IoWorkload, Order, Run, Verdict};
use etalon_stats::MIN_RUNS_LAB;
use etalon_units::{Bytes, Nanos};
use etalon_workload::measurable::Pass;

use super::groups::{Group, Step, importance};
use super::pace::{Open, Pace};
use super::pilot::Grounds;
use super::sizing::SHORTEST_RUN;
use crate::forecast::{Forecast, PILOT_BLOCKS};
use crate::run::cache::drop_cache;
use crate::run::{self, Runner, Schedule, repeat};
use crate::witness::tell;
use crate::{Event, ExperimentError, Witness};

/// The runs made so far and what is left of the time.
pub(crate) struct Session<'a> {
    runner: &'a Runner<'a>,
    grounds: &'a Grounds,
    goal: &'a Goal,
    seed: u64,
    begun: Instant,
    budget: Nanos,
    groups: Vec<Group>,
    runs: Vec<Run>,
    /// Whether the same blocks were read twice to find caches below the devices.
    probed: bool,
    /// How long the runs of the next block are.
    pace: Pace,
    /// When the block under way began, and its number.
    block: (Instant, u32),
    /// What the first blocks promised.
    pub(crate) forecast: Option<Forecast>,
}

/// Longest time spent on reading the same blocks twice, and the shortest budget that has room for it.
const PROBE: Duration = Duration::from_millis(800);
const PROBED_BUDGET: Nanos = Nanos::secs(30);
/// Fewest files of a metadata pass: their names still fill some blocks of a directory.
const FEWEST_FILES: u64 = 20;
/// Fewest bytes of a stream that ends after so many.
const SHORTEST_STREAM: Bytes = Bytes::mib(4);
/// Share of a pass that ends after so many bytes or files which gets shorter with their number.
const SHRINKING: f64 = 0.8;

impl<'a> Session<'a> {
    pub(crate) fn new(
        runner: &'a Runner<'a>,
        grounds: &'a Grounds,
        goal: &'a Goal,
        seed: u64,
        begun: Instant,
        budget: Nanos,
    ) -> Session<'a> {
        Session {
            runner,
            grounds,
            goal,
            seed,
            begun,
            budget,
            groups: Vec::new(),
            runs: Vec::new(),
            probed: false,
            pace: Pace::new([], 0),
            block: (begun, 0),
            forecast: None,
        }
    }

    /// Repeats blocks of the open groups, about as many as are wanted.
    pub(crate) fn blocks(
        &mut self,
        groups: Vec<Group>,
        wanted: usize,
        witness: &mut dyn Witness,
    ) -> Result<(), ExperimentError> {
        let row = |(at, group): (usize, &Group)| (importance(at), floor_of(group));
        self.pace = Pace::new(groups.iter().enumerate().map(row), wanted);
        self.groups = groups;
        let mut runs = std::mem::take(&mut self.runs);
        let schedule = Schedule::Shuffled(self.seed);
        let runner = self.runner;
        let stop = &runner.control.stop;
        let made = repeat(self, schedule, stop, witness, &mut runs);
        self.runs = runs;
        made
    }

    /// Tells what the budget will be able to show.
    fn foresee(
        &mut self,
        block: Nanos,
        left: Nanos,
        runs: &[Run],
        witness: &mut dyn Witness,
    ) -> Result<(), ExperimentError> {
        let more = left.get().checked_div(block.get()).unwrap_or(0);
        let values: Vec<Vec<f64>> = self
            .cells_of(runs)
            .into_iter()
            .map(|cell| cell.values)
            .collect();
        self.forecast = Forecast::new(&values, block, PILOT_BLOCKS as usize + more as usize);
        match &self.forecast {
            Some(forecast) => tell(witness, Event::Forecast(forecast)),
            None => Ok(()),
        }
    }

    fn cell(&self, name: &str, runs: &[Run]) -> Option<Cell> {
        let runs: Vec<&Run> = runs.iter().filter(|run| run.cell == name).collect();
        judge_cell(name, &runs, self.goal)
    }

    fn is_open(&self, group: &Group, runs: &[Run]) -> bool {
        group.iter().any(|step| {
            let made = runs.iter().filter(|run| run.cell == step.name).count();
            self.cell(&step.name, runs)
                .is_none_or(|cell| needs_more(&cell, made, self.goal))
        })
    }

    fn left(&self) -> Nanos {
        self.budget.saturating_sub(self.begun.elapsed().into())
    }

    /// Every cell that has a run, in the order of the table, but for those that are dropped.
    pub(crate) fn cells(&self) -> Vec<Cell> {
        let dropped = self.dropped_groups();
        let kept = |at: &usize| !dropped.contains(at);
        let kept = (0..self.groups.len()).filter(kept);
        self.cells_in(kept.flat_map(|at| &self.groups[at]), &self.runs)
    }

    /// The groups of which the time did not suffice for an interval, unless that holds for all.
    fn dropped_groups(&self) -> Vec<usize> {
        let lacks = |step: &Step| {
            let cell = self.cell(&step.name, &self.runs);
            let made = self.runs.iter().filter(|run| run.cell == step.name);
            made.count() < MIN_RUNS_LAB
                || cell.is_none_or(|cell| matches!(cell.verdict, Verdict::Undecided { .. }))
        };
        let all = 0..self.groups.len();
        let dropped: Vec<usize> = all
            .filter(|&at| self.groups[at].iter().any(lacks))
            .collect();
        let is_stopped = self.runner.control.stopped();
        match is_stopped || dropped.len() == self.groups.len() {
            true => Vec::new(),
            false => dropped,
        }
    }

    /// Which rows were dropped and why; empty without any.
    pub(crate) fn dropped(&self) -> Option<String> {
        let dropped = self.dropped_groups();
        let names = dropped.iter().flat_map(|&at| &self.groups[at]);
        let names: Vec<&str> = names.map(|step| step.name.as_str()).collect();
        if names.is_empty() {
            return None;
        }
        let least = dropped.iter().filter_map(|&at| self.pace.least(at));
        let block = least.fold(0, |sum, least| sum + least.get());
        let needed = Nanos(block.saturating_mul(MIN_RUNS_LAB as u64));
        let whole = Nanos(self.budget.get().saturating_add(needed.get()));
        let minutes = (whole.as_secs_f64() / 60.0).ceil().max(2.0);
        Some(format!(
            "Dropped: {}. Fewer than {MIN_RUNS_LAB} of their runs count, which take about {needed}; --budget {minutes}m would do.",
            names.join(", ").replace("streaming", "sequential")
        ))
    }

    fn cells_of(&self, runs: &[Run]) -> Vec<Cell> {
        self.cells_in(self.groups.iter().flatten(), runs)
    }

    fn cells_in<'s>(&self, steps: impl Iterator<Item = &'s Step>, runs: &[Run]) -> Vec<Cell> {
        steps
            .filter_map(|step| self.cell(&step.name, runs))
            .collect()
    }

    /// The group as the pace sees it: by its cell with the fewest runs that count. More runs do not
    /// make true what is invalid.
    fn as_open(&self, row: usize, runs: &[Run]) -> Open {
        let usable = |step: &Step| match self.cell(&step.name, runs) {
            Some(cell) if matches!(cell.verdict, Verdict::Invalid { .. }) => {
                runs.iter().filter(|run| run.cell == step.name).count()
            }
            cell => cell.map_or(0, |cell| cell.estimate().runs as usize),
        };
        let usable = self.groups[row].iter().map(usable).min();
        Open {
            row,
            usable: usable.unwrap_or(0),
        }
    }

    /// The runs in the order in which they were made.
    pub(crate) fn into_runs(self) -> Vec<Run> {
        self.runs
    }
}

impl run::Session for Session<'_> {
    type Error = ExperimentError;

    fn open(
        &mut self,
        block: u32,
        runs: &[Run],
        witness: &mut dyn Witness,
    ) -> Result<Vec<usize>, ExperimentError> {
        let all = 0..self.groups.len();
        let open: Vec<usize> = all
            .filter(|&at| self.is_open(&self.groups[at], runs))
            .collect();
        let left = self.left();
        let took = self.block.0.elapsed();
        self.block = (Instant::now(), block);
        let open: Vec<Open> = open.iter().map(|&at| self.as_open(at, runs)).collect();
        let open = self.pace.next_block(&open, took.into(), left);
        if open.is_empty() {
            return Ok(open);
        }
        let cells = open.iter().map(|&at| self.groups[at].len()).sum();
        if block == PILOT_BLOCKS {
            self.foresee(took.into(), left, runs, witness)?;
        }
        let event = Event::Block {
            number: block + 1,
            open: cells,
            left,
        };
        tell(witness, event)?;
        Ok(open)
    }

    fn steps(&self, group: usize) -> usize {
        self.groups[group].len()
    }

    fn pass(
        &mut self,
        step: run::Step,
        pass: Pass,
        witness: &mut dyn Witness,
    ) -> Result<Vec<Run>, ExperimentError> {
        let row = step.group;
        let step = self.groups[row][step.step].clone();
        tell(witness, Event::Running { cell: &step.name })?;
        let mut workload = step.workload.clone();
        shorten(&mut workload, self.pace.scale(row));
        // Other offsets in every run, all decided by the one seed.
        workload.seed = self.seed.wrapping_add(u64::from(pass.position) + 1);
        let place = self.grounds.place(step.place)?;
        let whole = Instant::now();
        let mut work = self.runner.ready(&step.name, &workload, &place)?;
        if let (TargetPlace::Directory(path), false, true) =
            (&place, workload.direct, workload.operation.reads())
        {
            drop_cache(&[path.join("f0")]);
        }
        if !self.probed
            && self.budget >= PROBED_BUDGET
            && workload.operation.order() == Some(Order::Random)
        {
            self.probed = workload.operation.reads();
            self.runner.probe_below(&work, PROBE);
        }
        let run = self.runner.run(&mut work, (pass, whole), None)?;
        if run.measurement.ended == Ended::Interrupted {
            return Err(EngineError::Stopped.into());
        }
        let elapsed = Nanos::from(whole.elapsed());
        self.pace.passed(row, elapsed, shrinks(&workload, elapsed));
        Ok(vec![run])
    }

    /// What does not fit the time is not begun; the first block is whole in any case.
    fn is_over(&self) -> bool {
        self.block.1 > 0 && self.left() == Nanos::ZERO
    }
}

/// The smallest length of a group's runs, in units of the planned one, that is worth measuring.
fn floor_of(group: &Group) -> f64 {
    let of = |step: &Step| match step.workload.end {
        End::Time(time) => SHORTEST_RUN.as_secs_f64() / time.as_secs_f64().max(1e-9),
        End::Bytes(bytes) => SHORTEST_STREAM.as_f64() / bytes.as_f64().max(1.0),
        End::Pass => FEWEST_FILES as f64 / step.workload.files.max(1) as f64,
    };
    group.iter().map(of).fold(0.0, f64::max)
}

/// How much of `elapsed` gets shorter with the run.
fn shrinks(workload: &IoWorkload, elapsed: Nanos) -> Nanos {
    match workload.end {
        End::Time(time) => time.min(elapsed),
        End::Bytes(_) | End::Pass => Nanos::from_secs_f64(elapsed.as_secs_f64() * SHRINKING),
    }
}

/// Makes a run `scale` times as long, but never shorter than what is worth measuring.
fn shorten(workload: &mut IoWorkload, scale: f64) {
    let scaled = |whole: u64, least: u64| ((whole as f64 * scale) as u64).max(least.min(whole));
    workload.warm_up = Nanos(scaled(workload.warm_up.get(), 0));
    workload.end = match workload.end {
        End::Time(time) => End::Time(Nanos(scaled(time.get(), SHORTEST_RUN.get()))),
        End::Bytes(bytes) => {
            let bytes = Bytes(scaled(bytes.get(), SHORTEST_STREAM.get()));
            End::Bytes(bytes.round_down(workload.block_size))
        }
        End::Pass => {
            workload.files = scaled(workload.files, FEWEST_FILES);
            End::Pass
        }
    };
}
