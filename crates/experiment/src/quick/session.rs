//! Blocks of runs in random order, until every cell is decided or the time is spent.

use std::time::{Duration, Instant};

use etalon_engine::TargetPlace;
use etalon_judge::{Goal, judge_cell, needs_more};
use etalon_model::{Cell, End, Ended, IoWorkload, Order, Run};
use etalon_units::{Bytes, Nanos};

use super::groups::{Group, Step};
use super::pilot::Grounds;
use super::sizing::{SHORTEST_RUN, SMALLEST_FILE};
use crate::forecast::{Forecast, PILOT_BLOCKS};
use crate::order::order_of_block;
use crate::runner::{Runner, Slot, drop_cache};
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
    names: Vec<String>,
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
            names: Vec::new(),
            runs: Vec::new(),
            probed: false,
            scale: 1.0,
            forecast: None,
        }
    }

    /// Repeats blocks of the open groups.
    pub(crate) fn blocks(
        &mut self,
        groups: &[Group],
        witness: &mut dyn Witness,
    ) -> Result<(), ExperimentError> {
        self.names = groups
            .iter()
            .flatten()
            .map(|step| step.name.clone())
            .collect();
        for block in 0.. {
            let open: Vec<&Group> = groups.iter().filter(|group| self.is_open(group)).collect();
            let left = self.left();
            if open.is_empty() || (block > 0 && self.next_block(&open) > left) {
                break;
            }
            self.fit(&open, block, left);
            if block == PILOT_BLOCKS {
                self.foresee(&open, left, witness)?;
            }
            tell(
                witness,
                Event::Block {
                    number: block + 1,
                    open: open.iter().map(|group| group.len()).sum(),
                    left,
                },
            )?;
            for index in order_of_block(open.len(), block, self.seed) {
                for step in open[index] {
                    self.step(step, block, witness)?;
                }
            }
        }
        Ok(())
    }

    fn step(
        &mut self,
        step: &Step,
        block: u32,
        witness: &mut dyn Witness,
    ) -> Result<(), ExperimentError> {
        tell(witness, Event::Running { cell: &step.name })?;
        let position = u32::try_from(self.runs.len()).unwrap_or(u32::MAX);
        let mut workload = step.workload.clone();
        shorten(&mut workload, self.scale);
        // Other offsets in every run, all decided by the one seed.
        workload.seed = self.seed.wrapping_add(u64::from(position) + 1);
        let place = self.grounds.place(step.place)?;
        let whole = Instant::now();
        let prepared = self.runner.ready(&workload, &place)?;
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
            self.runner.probe_below(&prepared, PROBE);
        }
        let slot = Slot {
            cell: &step.name,
            block,
            position,
        };
        let mut run = self.runner.run(slot, &prepared)?;
        run.elapsed = whole.elapsed().into();
        if run.measurement.ended == Ended::Interrupted {
            return Err(etalon_engine::EngineError::Stopped.into());
        }
        tell(witness, Event::Ended { run: &run })?;
        self.runs.push(run);
        Ok(())
    }

    /// Shortens the runs to come where the blocks so far would not let enough of them happen.
    fn fit(&mut self, open: &[&Group], block: u32, left: Nanos) {
        let wanted = f64::from(WANTED_BLOCKS.saturating_sub(block));
        let forecast = self.next_block(open).as_secs_f64() * wanted;
        if block > 0 && forecast > left.as_secs_f64() {
            self.scale *= left.as_secs_f64() / forecast;
        }
    }

    /// Tells what the budget will be able to show.
    fn foresee(
        &mut self,
        open: &[&Group],
        left: Nanos,
        witness: &mut dyn Witness,
    ) -> Result<(), ExperimentError> {
        let block = self.next_block(open);
        let more = left.get().checked_div(block.get()).unwrap_or(0);
        let values: Vec<Vec<f64>> = self.cells().into_iter().map(|cell| cell.values).collect();
        self.forecast = Forecast::new(&values, block, PILOT_BLOCKS as usize + more as usize);
        match &self.forecast {
            Some(forecast) => tell(witness, Event::Forecast(forecast)),
            None => Ok(()),
        }
    }

    fn cell(&self, name: &str) -> Option<Cell> {
        let runs: Vec<&Run> = self.runs.iter().filter(|run| run.cell == name).collect();
        judge_cell(name, &runs, self.goal)
    }

    fn is_open(&self, group: &Group) -> bool {
        group.iter().any(|step| {
            let made = self.runs.iter().filter(|run| run.cell == step.name).count();
            self.cell(&step.name)
                .is_none_or(|cell| needs_more(&cell, made, self.goal))
        })
    }

    fn left(&self) -> Nanos {
        self.budget.saturating_sub(self.begun.elapsed().into())
    }

    /// What one more run of each open cell will take, from the mean of its runs so far.
    fn next_block(&self, open: &[&Group]) -> Nanos {
        let of_cell = |name: &str| {
            let spans: Vec<u64> = self
                .runs
                .iter()
                .filter(|run| run.cell == name)
                .map(|run| run.elapsed.get())
                .collect();
            spans.iter().sum::<u64>() / (spans.len() as u64).max(1)
        };
        let steps = open.iter().flat_map(|group| group.iter());
        Nanos(steps.map(|step| of_cell(&step.name)).sum())
    }

    /// Every cell that has a run, in the order of the table.
    pub(crate) fn cells(&self) -> Vec<Cell> {
        self.names
            .iter()
            .filter_map(|name| self.cell(name))
            .collect()
    }

    /// The runs in the order in which they were made.
    pub(crate) fn into_runs(self) -> Vec<Run> {
        self.runs
    }
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
