//! Blocks of runs in random order, until every cell is precise enough or the time is spent.

use std::time::{Duration, Instant};

use etalon_engine::{EngineError, TargetPlace};
use etalon_judge::{Goal, judge_cell, needs_more};
use etalon_model::{Cell, Choice, Ended, Order, Run, Verdict};
use etalon_units::{Bytes, Nanos};
use etalon_workload::metadata::MetadataWorkload;

use super::failed::FailedPasses;
use super::groups::{Group, QuickStep, importance};
use super::lacking::{self, Time};
use super::length::{floor_of, of_length, pays, share_that_shrinks, shorten, shrinks};
use super::pace::{Open, Pace};
use crate::forecast::{Forecast, PILOT_BLOCKS};
use crate::run::cache::drop_cache;
use crate::run::quiet::Rest;
use crate::run::{self, BegunPass, Runner, Schedule, repeat};
use crate::witness::tell;
use crate::work_place::WorkPlace;
use crate::{Event, ExperimentError, Witness};

/// The runs made so far and what is left of the time.
pub(crate) struct QuickSession<'a> {
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
    /// Lets the devices come to rest behind rows that write.
    rest: Rest,
    /// What went by before the first block.
    setup: Nanos,
    /// Passes over names that failed.
    failed: FailedPasses,
    /// What was told last of rows without the runs of an interval.
    lacking: Option<Choice>,
    /// What the first blocks promised.
    pub(crate) forecast: Option<Forecast>,
}

/// Longest time spent on reading the same blocks twice, and the shortest budget that has room for it.
const PROBE: Duration = Duration::from_millis(800);
const PROBED_BUDGET: Nanos = Nanos::secs(30);

impl<'a> QuickSession<'a> {
    pub(crate) fn new(
        runner: &'a Runner<'a>,
        work_place: &'a WorkPlace,
        goal: &'a Goal,
        seed: u64,
        begun: Instant,
        budget: Nanos,
    ) -> QuickSession<'a> {
        QuickSession {
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
            unwritten_at_first: Rest::unwritten(),
            rest: Rest::within(Some(budget)),
            setup: Nanos::ZERO,
            failed: FailedPasses::default(),
            lacking: None,
            forecast: None,
        }
    }

    /// Counts runs that stand already.
    pub(crate) fn count(&mut self, earlier: Vec<Run>) {
        self.runs = earlier;
    }

    /// Repeats blocks of the open groups, about as many as are wanted; passes over names are expected to
    /// take `names_take`, in the order of their groups.
    pub(crate) fn blocks(
        &mut self,
        groups: Vec<Group>,
        (wanted, names_take): (usize, [Nanos; 2]),
        witness: &mut dyn Witness,
    ) -> Result<(), ExperimentError> {
        let row = |(at, group): (usize, &Group)| (importance(at), floor_of(group));
        let pace = Pace::new(groups.iter().enumerate().map(row), wanted);
        self.pace = pace.with_least(self.goal.min_runs());
        let names = (0..groups.len()).filter(|&row| groups[row].step().is_none());
        for (row, takes) in names.zip(names_take) {
            self.pace.guess(row, takes, share_that_shrinks(takes));
        }
        self.groups = groups;
        // Pilot and files that were laid out leave as much behind as a row that writes.
        self.settle(self.unwritten_at_first, Nanos::ZERO);
        self.setup = self.begun.elapsed().into();
        let mut runs = std::mem::take(&mut self.runs);
        let schedule = Schedule::Shuffled(self.seed);
        let runner = self.runner;
        let stop = &runner.control.stop;
        let made = repeat(self, schedule, stop, witness, &mut runs);
        self.runs = runs;
        made?;
        let lacking = self.lacking_groups();
        self.tell_lacking(&lacking, witness)
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

    /// Whether the row is to have another pass. One that has failed so often will fail again.
    fn is_open(&self, row: usize, runs: &[Run]) -> bool {
        let wants_more = |name: &str| {
            self.cell(name, runs)
                .is_none_or(|cell| needs_more(&cell, made(name, runs), self.goal))
        };
        self.failed.of(row) < self.goal.min_runs()
            && self.groups[row].cells().into_iter().any(wants_more)
    }

    fn left(&self) -> Nanos {
        self.budget.saturating_sub(self.begun.elapsed().into())
    }

    /// Every cell that has a run, in the order of the table.
    pub(crate) fn cells(&self) -> Vec<Cell> {
        self.cells_of(&self.runs)
    }

    /// The groups for whose interval the time did not suffice. More of it would give nothing to those that have all the
    /// runs that they may have, or whose passes fail.
    fn lacking_groups(&self) -> Vec<usize> {
        let lacks = |name: &str| {
            let (cell, made) = (self.cell(name, &self.runs), made(name, &self.runs));
            let is_short = made < self.goal.min_runs()
                || cell
                    .as_ref()
                    .is_none_or(|cell| is_undecided(cell) || self.goal.wants_replacement(cell));
            is_short && !self.goal.is_spent(made)
        };
        if self.runner.control.stopped() {
            return Vec::new();
        }
        let all = 0..self.groups.len();
        all.filter(|&at| self.failed.of(at) == 0)
            .filter(|&at| self.groups[at].cells().into_iter().any(lacks))
            .collect()
    }

    /// Tells which rows will have no interval and what time would do, unless just that was told.
    fn tell_lacking(
        &mut self,
        groups: &[usize],
        witness: &mut dyn Witness,
    ) -> Result<(), ExperimentError> {
        let rows = groups.iter().flat_map(|&at| self.groups[at].cells());
        let rows: Vec<String> = rows.map(str::to_owned).collect();
        let told = self.lacking.as_ref().map_or(&[][..], Choice::dropped_rows);
        if rows == told {
            return Ok(());
        }
        let time = Time {
            least_runs: self.goal.min_runs(),
            budget: self.budget,
            setup: self.setup,
            interval: self.pace.interval_of(groups),
            interval_of_all: self.pace.interval_of_all(),
        };
        self.lacking = lacking::choice(rows, time);
        match &self.lacking {
            Some(choice) => tell(witness, Event::Lacking(choice)),
            None => Ok(()),
        }
    }

    /// The rows that have no interval though they have all the runs that they may have.
    fn left_out(&self) -> Option<Choice> {
        if self.goal.replaces_runs() {
            return None;
        }
        let of = |cell: Cell| {
            let made = made(&cell.name, &self.runs);
            let kept = cell.estimate().runs as usize;
            (is_undecided(&cell) && self.goal.is_spent(made)).then_some((cell.name, made, kept))
        };
        lacking::left_out(self.cells().into_iter().filter_map(of).collect())
    }

    /// Which rows have no interval, and why: want of time, as it was told, runs that were left out, or passes that
    /// failed.
    pub(crate) fn shortfalls(&self) -> Vec<Choice> {
        let rows = self.groups.iter().enumerate();
        let failed = rows.filter_map(|(row, group)| {
            let cells = group.cells();
            self.failed.choice(row, &cells, &self.runs)
        });
        let counted = self.lacking.clone().into_iter().chain(self.left_out());
        counted.chain(failed).collect()
    }

    fn cells_of(&self, runs: &[Run]) -> Vec<Cell> {
        let names = self.groups.iter().flat_map(Group::cells);
        names.filter_map(|name| self.cell(name, runs)).collect()
    }

    /// The group as the pace sees it: by its cell with the fewest runs that count. More runs do not
    /// make true what is invalid.
    fn as_open(&self, row: usize, runs: &[Run]) -> Open {
        let usable = |name: &str| match self.cell(name, runs) {
            Some(cell) if cell.verdict.is_invalid() => made(name, runs),
            cell => cell.map_or(0, |cell| cell.estimate().runs as usize),
        };
        let usable = self.groups[row].cells().into_iter().map(usable).min();
        Open {
            row,
            usable: usable.unwrap_or(0).max(self.failed.of(row)),
        }
    }

    /// How many runs there are, with those that stood before.
    pub(crate) fn made(&self) -> usize {
        self.runs.len()
    }

    /// The runs in the order in which they were made.
    pub(crate) fn into_runs(self) -> Vec<Run> {
        self.runs
    }
}

impl run::Session for QuickSession<'_> {
    fn open(
        &mut self,
        block: u32,
        runs: &[Run],
        witness: &mut dyn Witness,
    ) -> Result<Vec<usize>, ExperimentError> {
        let all = 0..self.groups.len();
        let open: Vec<usize> = all.filter(|&at| self.is_open(at, runs)).collect();
        let left = self.left();
        let took = self.block.0.elapsed();
        self.block = (Instant::now(), block);
        let open: Vec<Open> = open.iter().map(|&at| self.as_open(at, runs)).collect();
        let open = self.pace.next_block(&open, took.into(), left);
        if open.is_empty() {
            return Ok(open);
        }
        let cells = open.iter().map(|&at| self.groups[at].cells().len()).sum();
        // Rows that are left out are not foreseen, and the page speaks of them.
        if block == PILOT_BLOCKS && open.len() == self.groups.len() {
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
        witness: &mut dyn Witness,
    ) -> Result<Vec<Run>, ExperimentError> {
        let (row, begun) = (step.group, step.begun);
        let group = self.groups[row].clone();
        let cell = group.cells().first().copied().unwrap_or_default();
        tell(witness, Event::Running { cell })?;
        let seed = begun.pass.seed(self.seed);
        match group {
            Group::Io(step) => self.io_pass(row, &step, seed, begun),
            Group::Names(names) => self.names_pass(row, &names, seed, begun),
        }
    }

    /// What does not fit the time is not begun; the first block is whole in any case.
    fn is_over(&self) -> bool {
        self.block.1 > 0 && self.left() == Nanos::ZERO
    }
}

impl QuickSession<'_> {
    /// One run of a workload of the engine.
    fn io_pass(
        &mut self,
        row: usize,
        step: &QuickStep,
        seed: u64,
        begun: BegunPass,
    ) -> Result<Vec<Run>, ExperimentError> {
        let mut workload = step.workload.clone();
        shorten(&mut workload, self.pace.scale(row));
        workload.seed = seed;
        let place = self.work_place.place_for(step.place)?;
        let before = Rest::unwritten();
        let mut work = self.runner.ready(&step.name, &workload, &place)?;
        if let (TargetPlace::Directory(path), false, true) =
            (&place, workload.direct, workload.operation.reads())
        {
            drop_cache(&[path.join("f0")]);
        }
        let probing = Instant::now();
        if !self.probed
            && self.budget >= PROBED_BUDGET
            && workload.operation.order() == Order::Random
        {
            self.probed = workload.operation.reads();
            self.runner.probe_below(&work, PROBE);
        }
        // Done once, it says nothing of what the row costs.
        let probing = Nanos::from(probing.elapsed());
        let run = self.runner.run(&mut work, begun, None)?;
        if run.measurement.ended == Ended::Interrupted {
            return Err(EngineError::Stopped.into());
        }
        let shrinks = shrinks(&workload, begun.since.elapsed().into());
        if workload.operation.writes() {
            self.settle(before, Nanos::ZERO);
        }
        let elapsed = Nanos::from(begun.since.elapsed()).saturating_sub(probing);
        self.pace.passed(row, elapsed, shrinks);
        Ok(vec![run])
    }

    /// One pass over the files, with a run of each of its cells.
    fn names_pass(
        &mut self,
        row: usize,
        names: &MetadataWorkload,
        seed: u64,
        begun: BegunPass,
    ) -> Result<Vec<Run>, ExperimentError> {
        let names = of_length(names, self.pace.scale(row), seed)?;
        let before = Rest::unwritten();
        let observed = self.work_place.names(self.runner, names, begun)?;
        if let Some(why) = &observed.failure {
            self.failed.add(row, why);
        }
        self.work_place.pay_debts(self.runner.control)?;
        // What it left grows with its files, and would hold back whichever row comes next.
        self.settle(before, pays(self.left()));
        let elapsed = Nanos::from(begun.since.elapsed());
        let shrinks = share_that_shrinks(elapsed);
        self.pace.passed(row, begun.since.elapsed().into(), shrinks);
        Ok(observed.runs)
    }

    /// Waits until what a row wrote is on the devices, for `paid` in its own time; what remains stands in the record of
    /// the next run.
    fn settle(&self, before: Bytes, paid: Nanos) {
        let runner = self.runner;
        let place = (runner.site, self.work_place);
        self.rest.behind(place, runner.control, before, paid);
        runner.keep_aftermath(self.rest.left());
    }
}

/// Whether too few runs count for an interval.
fn is_undecided(cell: &Cell) -> bool {
    matches!(cell.verdict, Verdict::Undecided { .. })
}

/// How many runs of a cell stand.
fn made(name: &str, runs: &[Run]) -> usize {
    runs.iter().filter(|run| run.cell == name).count()
}

#[cfg(test)]
mod tests {
    use etalon_engine::Control;
    use etalon_model::{
        Finding, IoWorkload, Measurement, OpTotals, Severity, TaskFigure, TaskWorkload, Workload,
    };

    use super::*;
    use crate::Site;

    /// A session over these groups, to which `test` adds what it likes; it makes no run.
    fn session(goal: &Goal, groups: Vec<Group>, test: impl FnOnce(QuickSession<'_>)) {
        let directory = etalon_testbed::in_memory();
        let file = directory.path().join("file");
        std::fs::write(&file, [7; 4096]).unwrap();
        let (site, control) = (Site::look(&file).unwrap(), Control::default());
        let runner = Runner::new(&site, &control, false);
        let work_place = WorkPlace::to_read(&site).unwrap();
        let begun = Instant::now();
        let budget = Nanos::secs(60);
        let mut session = QuickSession::new(&runner, &work_place, goal, 1, begun, budget);
        session.groups = groups;
        test(session);
    }

    fn run(cell: &str, workload: impl Into<Workload>, ended: Ended) -> Run {
        let done = OpTotals {
            operations: 100,
            ..OpTotals::default()
        };
        let measurement = Measurement {
            ended,
            metadata: done.clone(),
            reads: done,
            ..Measurement::of_nothing(Nanos::secs(1))
        };
        Run::of(cell, workload, measurement)
    }

    fn invalid(run: Run, code: &'static str) -> Run {
        let finding = Finding::new(code, Severity::Invalid, "It does not count.", "Repeat.");
        Run {
            findings: vec![finding],
            ..run
        }
    }

    #[test]
    fn a_pass_over_files_that_fails_is_told_and_takes_no_more_time_than_an_interval() {
        let names = Group::Names(MetadataWorkload::life_of_files(100, 1).unwrap());
        let cells: Vec<String> = names.cells().into_iter().map(str::to_owned).collect();
        let goal = Goal::default();
        session(&goal, vec![names], |mut session| {
            for pass in 0..goal.min_runs() {
                assert!(session.is_open(0, &session.runs), "{pass}");
                let create =
                    TaskWorkload::of_texts("metadata", "create", TaskFigure::Rate, [].into());
                let failed = run(&cells[0], create, Ended::DiskFull);
                session.runs.push(invalid(failed, "run-failed"));
                session
                    .failed
                    .add(0, "create of 'f7' failed: Disk quota exceeded.");
            }
            assert!(!session.is_open(0, &session.runs));
            assert_eq!(session.lacking_groups(), [0; 0]);
            let told = "stat files, remove files: not measured. create of 'f7' failed: Disk quota exceeded.";
            assert_eq!(session.shortfalls(), [Choice::note(told)]);
        });
    }

    #[test]
    fn what_the_most_runs_leave_without_an_interval_is_not_told_as_want_of_time() {
        let step = QuickStep {
            name: "random read 4 KiB, depth 1".to_owned(),
            place: super::super::groups::PrivateDirectory::Read,
            workload: IoWorkload::default(),
        };
        let goal = Goal::new(None, 6, 6).unwrap();
        let name = step.name.clone();
        session(&goal, vec![Group::Io(Box::new(step))], |mut session| {
            let read = || run(&name, IoWorkload::default(), Ended::Complete);
            session.runs = (0..6).map(|_| read()).collect();
            session.runs[3] = invalid(read(), "foreign-io");
            assert!(!session.is_open(0, &session.runs));
            assert_eq!(session.lacking_groups(), [0; 0]);
            let left_out = Choice::LeftOut {
                rows: vec![name.clone()],
                enough_runs: 8,
            };
            assert_eq!(session.shortfalls(), [left_out]);
            // With five made, a sixth might be had in more time.
            session.runs.pop();
            assert_eq!(session.lacking_groups(), [0]);
        });
    }
}
