//! Blocks of runs in random order, until every cell is decided or the time is spent.

use std::time::{Duration, Instant};

use etalon_engine::{EngineError, TargetPlace};
use etalon_judge::{Goal, judge_cell, needs_more};
use etalon_model::{Cell, End, Ended, IoWorkload, Order, Run};
use etalon_units::{Bytes, Nanos};
use etalon_workload::measurable::Pass;

use super::groups::Group;
use super::pilot::Grounds;
use super::sizing::{SHORTEST_RUN, SMALLEST_FILE};
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
    /// Length of a run in units of the planned one; shrinks where blocks take longer than planned.
    scale: f64,
    /// What the first blocks promised.
    pub(crate) forecast: Option<Forecast>,
}

/// Longest time spent on reading the same blocks twice, and the shortest budget that has room for it.
const PROBE: Duration = Duration::from_millis(800);
const PROBED_BUDGET: Nanos = Nanos::secs(30);
/// Blocks that the time should suffice for: the stopping rule's second look.
const WANTED_BLOCKS: u32 = 8;

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
            scale: 1.0,
            forecast: None,
        }
    }

    /// Repeats blocks of the open groups.
    pub(crate) fn blocks(
        &mut self,
        groups: Vec<Group>,
        witness: &mut dyn Witness,
    ) -> Result<(), ExperimentError> {
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

    /// Every cell that has a run, in the order of the table.
    pub(crate) fn cells(&self) -> Vec<Cell> {
        self.cells_of(&self.runs)
    }

    fn cells_of(&self, runs: &[Run]) -> Vec<Cell> {
        let steps = self.groups.iter().flatten();
        steps
            .filter_map(|step| self.cell(&step.name, runs))
            .collect()
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
        let groups: Vec<&Group> = open.iter().map(|&at| &self.groups[at]).collect();
        let cells = groups.iter().map(|group| group.len()).sum();
        let (takes, left) = (next_block(runs, &groups), self.left());
        if open.is_empty() || (block > 0 && takes > left) {
            return Ok(Vec::new());
        }
        self.scale *= fit(takes, block, left);
        if block == PILOT_BLOCKS {
            self.foresee(takes, left, runs, witness)?;
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
        let step = self.groups[step.group][step.step].clone();
        tell(witness, Event::Running { cell: &step.name })?;
        let mut workload = step.workload.clone();
        shorten(&mut workload, self.scale);
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
        Ok(vec![run])
    }
}

/// By how much the runs to come are shortened where the blocks so far would not let enough of them
/// happen.
fn fit(takes: Nanos, block: u32, left: Nanos) -> f64 {
    let wanted = f64::from(WANTED_BLOCKS.saturating_sub(block));
    let forecast = takes.as_secs_f64() * wanted;
    if block > 0 && forecast > left.as_secs_f64() {
        left.as_secs_f64() / forecast
    } else {
        1.0
    }
}

/// What one more run of each open cell will take, from the mean of its runs so far.
fn next_block(runs: &[Run], open: &[&Group]) -> Nanos {
    let of_cell = |name: &str| {
        let own = runs.iter().filter(|run| run.cell == name);
        let spans: Vec<u64> = own.map(|run| run.elapsed.get()).collect();
        spans.iter().sum::<u64>() / (spans.len() as u64).max(1)
    };
    let steps = open.iter().flat_map(|group| group.iter());
    Nanos(steps.map(|step| of_cell(&step.name)).sum())
}

/// Shortens what a run does, but never below what is worth measuring.
fn shorten(workload: &mut IoWorkload, scale: f64) {
    let scaled = |whole: u64, least: u64| ((whole as f64 * scale) as u64).max(least.min(whole));
    workload.warm_up = Nanos(scaled(workload.warm_up.get(), 0));
    workload.end = match workload.end {
        End::Time(time) => End::Time(Nanos(scaled(time.get(), SHORTEST_RUN.get()))),
        End::Bytes(bytes) => {
            let bytes = Bytes(scaled(bytes.get(), SMALLEST_FILE.get()));
            End::Bytes(bytes.round_down(workload.block_size))
        }
        End::Pass => End::Pass,
    };
}
