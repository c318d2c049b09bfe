//! Blocks of runs in random order, until every cell is precise enough or the time is spent.

use std::time::{Duration, Instant};

use etalon_engine::{EngineError, TargetPlace};
use etalon_judge::{Goal, judge_cell, needs_more};
use etalon_model::{Cell, Choice, Ended, Order, Run, Verdict};
use etalon_stats::MIN_RUNS_LAB;
use etalon_units::{Bytes, Nanos};
use etalon_workload::measurable::Pass;
use etalon_workload::metadata::MetadataWorkload;

use super::groups::{Group, Step, importance};
use super::length::{floor_of, of_length, share_that_shrinks, shorten, shrinks};
use super::pace::{Open, Pace};
use crate::forecast::{Forecast, PILOT_BLOCKS};
use crate::run::cache::drop_cache;
use crate::run::quiet::{Beneath, Quiet};
use crate::run::{self, Runner, Schedule, repeat};
use crate::witness::tell;
use crate::work_place::WorkPlace;
use crate::{Event, ExperimentError, Witness};

/// The runs made so far and what is left of the time.
pub(crate) struct Session<'a> {
    runner: &'a Runner<'a>,
    work_place: &'a WorkPlace,
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
    /// What was unwritten before the session wrote anything.
    unwritten_at_first: Bytes,
    /// Lets the devices come to rest behind rows that write; none where there is nothing to write to.
    quiet: Option<Quiet<Beneath<'a>>>,
    /// What the first blocks promised.
    pub(crate) forecast: Option<Forecast>,
}

/// Longest time spent on reading the same blocks twice, and the shortest budget that has room for it.
const PROBE: Duration = Duration::from_millis(800);
const PROBED_BUDGET: Nanos = Nanos::secs(30);

impl<'a> Session<'a> {
    pub(crate) fn new(
        runner: &'a Runner<'a>,
        work_place: &'a WorkPlace,
        goal: &'a Goal,
        seed: u64,
        begun: Instant,
        budget: Nanos,
    ) -> Session<'a> {
        let quiet = work_place.quiet(runner, budget);
        Session {
            runner,
            work_place,
            goal,
            seed,
            begun,
            budget,
            groups: Vec::new(),
            runs: Vec::new(),
            probed: false,
            pace: Pace::new([], 0),
            block: (begun, 0),
            unwritten_at_first: quiet.as_ref().map(Quiet::unwritten).unwrap_or_default(),
            quiet,
            forecast: None,
        }
    }

    /// Counts runs that stand already.
    pub(crate) fn count(&mut self, earlier: Vec<Run>) {
        self.runs = earlier;
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
        // Pilot and files that were laid out leave as much behind as a row that writes.
        self.settle(self.unwritten_at_first);
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
        group.cells().into_iter().any(|name| {
            let made = runs.iter().filter(|run| run.cell == name).count();
            self.cell(name, runs)
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
        self.cells_in(kept.map(|at| &self.groups[at]), &self.runs)
    }

    /// The groups of which the time did not suffice for an interval, unless that holds for all.
    fn dropped_groups(&self) -> Vec<usize> {
        let lacks = |name: &str| {
            let cell = self.cell(name, &self.runs);
            let made = self.runs.iter().filter(|run| run.cell == name);
            made.count() < MIN_RUNS_LAB
                || cell.is_none_or(|cell| matches!(cell.verdict, Verdict::Undecided { .. }))
        };
        let all = 0..self.groups.len();
        let dropped: Vec<usize> = all
            .filter(|&at| self.groups[at].cells().into_iter().any(lacks))
            .collect();
        let is_stopped = self.runner.control.stopped();
        match is_stopped || dropped.len() == self.groups.len() {
            true => Vec::new(),
            false => dropped,
        }
    }

    /// Which rows were dropped and why; empty without any.
    pub(crate) fn dropped(&self) -> Option<Choice> {
        let dropped = self.dropped_groups();
        let names = dropped.iter().flat_map(|&at| self.groups[at].cells());
        let rows: Vec<String> = names.map(str::to_owned).collect();
        if rows.is_empty() {
            return None;
        }
        let least = dropped.iter().filter_map(|&at| self.pace.least(at));
        let block = least.fold(0, |sum, least| sum + least.get());
        let needed = Nanos(block.saturating_mul(MIN_RUNS_LAB as u64));
        let whole = Nanos(self.budget.get().saturating_add(needed.get()));
        let minutes = (whole.as_secs_f64() / 60.0).ceil().max(2.0);
        Some(Choice::Dropped {
            rows,
            least_runs: MIN_RUNS_LAB as u32,
            needed_ns: needed,
            budget_ns: Nanos::from_secs_f64(minutes * 60.0),
        })
    }

    fn cells_of(&self, runs: &[Run]) -> Vec<Cell> {
        self.cells_in(&self.groups, runs)
    }

    fn cells_in<'s>(&self, groups: impl IntoIterator<Item = &'s Group>, runs: &[Run]) -> Vec<Cell> {
        let names = groups.into_iter().flat_map(Group::cells);
        names.filter_map(|name| self.cell(name, runs)).collect()
    }

    /// The group as the pace sees it: by its cell with the fewest runs that count. More runs do not
    /// make true what is invalid.
    fn as_open(&self, row: usize, runs: &[Run]) -> Open {
        let usable = |name: &str| match self.cell(name, runs) {
            Some(cell) if cell.verdict.is_invalid() => {
                runs.iter().filter(|run| run.cell == name).count()
            }
            cell => cell.map_or(0, |cell| cell.estimate().runs as usize),
        };
        let usable = self.groups[row].cells().into_iter().map(usable).min();
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
        let cells = open.iter().map(|&at| self.groups[at].cells().len()).sum();
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

    fn pass(
        &mut self,
        step: run::Step,
        pass: Pass,
        witness: &mut dyn Witness,
    ) -> Result<Vec<Run>, ExperimentError> {
        let row = step.group;
        let group = self.groups[row].clone();
        let cell = group.cells().first().copied().unwrap_or_default();
        tell(witness, Event::Running { cell })?;
        // Other offsets in every run, all decided by the one seed.
        let seed = self.seed.wrapping_add(u64::from(pass.position) + 1);
        match group {
            Group::Io(step) => self.io_pass(row, &step, seed, pass),
            Group::Names(names) => self.names_pass(row, &names, seed, pass),
        }
    }

    /// What does not fit the time is not begun; the first block is whole in any case.
    fn is_over(&self) -> bool {
        self.block.1 > 0 && self.left() == Nanos::ZERO
    }
}

impl Session<'_> {
    /// One run of a workload of the engine.
    fn io_pass(
        &mut self,
        row: usize,
        step: &Step,
        seed: u64,
        pass: Pass,
    ) -> Result<Vec<Run>, ExperimentError> {
        let mut workload = step.workload.clone();
        shorten(&mut workload, self.pace.scale(row));
        workload.seed = seed;
        let place = self.work_place.place_for(step.place)?;
        let whole = Instant::now();
        let before = self.unwritten();
        let mut work = self.runner.ready(&step.name, &workload, &place)?;
        if let (TargetPlace::Directory(path), false, true) =
            (&place, workload.direct, workload.operation.reads())
        {
            drop_cache(&[path.join("f0")]);
        }
        if !self.probed
            && self.budget >= PROBED_BUDGET
            && workload.operation.order() == Order::Random
        {
            self.probed = workload.operation.reads();
            self.runner.probe_below(&work, PROBE);
        }
        let run = self.runner.run(&mut work, (pass, whole), None)?;
        if run.measurement.ended == Ended::Interrupted {
            return Err(EngineError::Stopped.into());
        }
        let shrinks = shrinks(&workload, whole.elapsed().into());
        if workload.operation.writes() {
            self.settle(before);
        }
        self.pace.passed(row, whole.elapsed().into(), shrinks);
        Ok(vec![run])
    }

    /// One pass over the files, with a run of each of its cells.
    fn names_pass(
        &mut self,
        row: usize,
        names: &MetadataWorkload,
        seed: u64,
        pass: Pass,
    ) -> Result<Vec<Run>, ExperimentError> {
        let names = of_length(names, self.pace.scale(row), seed)?;
        let whole = Instant::now();
        let before = self.unwritten();
        let runs = self.work_place.names(self.runner, names, (pass, whole))?;
        self.work_place.pay_debts(self.runner.control)?;
        let elapsed = Nanos::from(whole.elapsed());
        self.settle(before);
        let shrinks = share_that_shrinks(elapsed);
        self.pace.passed(row, whole.elapsed().into(), shrinks);
        Ok(runs)
    }

    /// What was unwritten before a row.
    fn unwritten(&self) -> Bytes {
        self.quiet
            .as_ref()
            .map(Quiet::unwritten)
            .unwrap_or_default()
    }

    /// Waits until what a row wrote is on the devices; what remains stands in the record of the next run.
    fn settle(&self, before: Bytes) {
        let left = self.quiet.as_ref().map(|quiet| quiet.settle(before));
        self.runner.keep_aftermath(left);
    }
}
