//! A plan's runs, through the one loop.

use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

use etalon_engine::Control;
use etalon_factor::Journal;
use etalon_factor::condition::{Cost, FactorError, Ground, ManualSteps};
use etalon_judge::{Goal, judge_cells};
use etalon_model::{Cell, Choice, IoWorkload, Run};
use etalon_units::{Bytes, Nanos};
use etalon_workload::Measurable as _;
use etalon_workload::measurable::Pass;

use super::arrange::{Arrangement, arrange};
use super::commands::{done, due, set_up};
use super::complete::USUAL_BLOCKS;
use super::course::Course;
use super::machine::FirstEnvironments;
use super::precondition::{Preconditioned, precondition, time_before};
use super::request::PlanRequest;
use super::standing::{InForce, Standing, hold};
use super::task::{PlannedTask, PlannedWork, WorkPass};
use crate::claim::claim_for;
use crate::earlier::elapsed;
use crate::measure::{goal_of, needs_lock, or_stopped};
use crate::run::quiet::Rest;
use crate::run::{BegunPass, Observed, Runner, Schedule, Session, Step, cache, repeat};
use crate::witness::tell;
use crate::work_place::{self, WorkPlace};
use crate::{Event, ExperimentError, Outcome, Site, Witness};

/// A filesystem that is still sending cannot be unmounted, which is the next that a plan may do with it.
const SENT: Nanos = Nanos::secs(60);

/// Carries out a plan. `made` are the runs that an earlier process made of it, which are not made
/// again.
///
/// # Errors
/// [`ExperimentError`] when nothing could be measured; what was changed is put back.
pub fn carry_out(
    request: &PlanRequest,
    made: Vec<Run>,
    control: &Control,
    witness: &mut dyn Witness,
) -> Result<Outcome, ExperimentError> {
    let goal = goal_of(request.precision, request.blocks)?;
    let arrangement = arrange(request);
    let sites = request.targets.iter().map(|target| Site::look(target));
    let sites = sites.collect::<Result<Vec<Site>, _>>()?;
    let first = sites.first().ok_or(ExperimentError::NoWorkload)?;
    let event = Event::Begun {
        target: &first.record,
        at_most: Nanos(u64::MAX),
    };
    tell(witness, event)?;
    let _lock = match needs_any_lock(request, &sites)? {
        true => Some(claim_for(
            &sites.iter().collect::<Vec<_>>(),
            control,
            witness,
        )?),
        false => None,
    };
    // What was waited for is no part of the budget.
    let begun = Instant::now();
    refuse_what_may_not_be_written(request, &sites)?;
    let grounds = grounds(request, &sites, control)?;
    let cleanup = due(&request.cleanup)?;
    let mut runs = made;
    // A session that was killed told nothing, and its runs still took their time.
    let spent = time_before(&runs) + arrangement.time_taken(&runs);
    let spent = spent.max(request.earlier_took.into());
    let mut session = PlanSession {
        request,
        arrangement: &arrangement,
        course: Course {
            request,
            arrangement: &arrangement,
            goal: &goal,
        },
        control,
        grounds,
        begun,
        spent,
        done: runs
            .iter()
            .filter(|run| !run.is_cut())
            .filter_map(|run| Some((run.block, arrangement.cell_of(&run.cell)?)))
            .collect(),
        open: BTreeSet::new(),
        is_part: false,
        failure: None,
        standing: None,
        told: HashSet::new(),
        preconditioned: Preconditioned::default(),
        choices: Vec::new(),
        rest: Rest::within(None),
        first: FirstEnvironments::of(&arrangement, &runs),
    };
    let schedule = request.schedule();
    let made = set_up(&request.setup, &control.stop)
        .and_then(|()| repeat(&mut session, schedule, &control.stop, witness, &mut runs));
    let ended = session.end();
    let choices = std::mem::take(&mut session.choices);
    let failure = session.failure.take();
    drop(session);
    let cleaned = done(cleanup);
    or_stopped(made)?;
    ended?;
    cleaned?;
    Ok(Outcome {
        target: first.record.clone(),
        choices,
        forecast: None,
        cells: judged(&arrangement, &runs, &goal),
        runs,
        seed: request.seed,
        elapsed: elapsed(request.earlier_took, begun),
        interrupted: control.stopped(),
        failure,
    })
}

/// The cells of runs that were made in parts, judged as those of [`carry_out`] are.
///
/// # Errors
/// [`ExperimentError`] where the precision cannot be asked for.
pub fn judge_parts(request: &PlanRequest, runs: &[Run]) -> Result<Vec<Cell>, ExperimentError> {
    let goal = goal_of(request.precision, request.blocks)?;
    Ok(judged(&arrange(request), runs, &goal))
}

/// A device that must not be written is refused before anything of the plan is done.
fn refuse_what_may_not_be_written(
    request: &PlanRequest,
    sites: &[Site],
) -> Result<(), ExperimentError> {
    for site in sites {
        if request.writes_target(site) {
            WorkPlace::claimed(site, &request.destroy)?;
        } else if request.precondition.is_any() && !request.makes_the_target() {
            let target = site.path.clone();
            return Err(ExperimentError::NoDeviceToPrecondition { target });
        }
    }
    Ok(())
}

/// Whether anything of the plan touches a target.
fn needs_any_lock(request: &PlanRequest, sites: &[Site]) -> Result<bool, ExperimentError> {
    let all = request.io();
    let mut needed = request.has_work();
    for site in sites {
        // What a device takes of writing is judged by the guard, not by whoever only reads.
        needed |= request.writes_target(site) || needs_lock(site, &all)?;
    }
    Ok(needed)
}

impl PlanRequest {
    fn schedule(&self) -> Schedule {
        match self.is_shuffled {
            true => Schedule::Shuffled(self.seed),
            false => Schedule::Rows,
        }
    }
}

fn grounds(
    request: &PlanRequest,
    sites: &[Site],
    control: &Control,
) -> Result<Vec<Ground>, ExperimentError> {
    let journal = Journal::open()?;
    let mut grounds = Vec::new();
    let manual = ManualSteps::default();
    if request.manual_step_is_done {
        manual.next_is_done();
    }
    for site in sites {
        let workshop = match site.path.is_dir() {
            true => &site.path,
            false => site.path.parent().unwrap_or(&site.path),
        };
        let mut ground = Ground::of(&journal, &site.path, workshop)?;
        ground.destroy.clone_from(&request.destroy);
        ground.part.clone_from(&request.part);
        ground.stop = Arc::clone(&control.stop);
        ground.manual = manual.clone();
        grounds.push(ground);
    }
    Ok(grounds)
}

/// The cells as they are judged, in the order of the table.
fn judged(arrangement: &Arrangement, runs: &[Run], goal: &Goal) -> Vec<Cell> {
    let mut found = judge_cells(runs, goal);
    let place = |cell: &Cell| arrangement.cell_of(&cell.name);
    found.sort_by_key(place);
    found
}

struct PlanSession<'a> {
    request: &'a PlanRequest,
    arrangement: &'a Arrangement,
    course: Course<'a>,
    control: &'a Control,
    grounds: Vec<Ground>,
    begun: Instant,
    /// What earlier sessions took.
    spent: Duration,
    /// What was made before.
    done: HashSet<(u32, usize)>,
    /// The cells of the block under way.
    open: BTreeSet<usize>,
    /// Whether they were not all of the plan's.
    is_part: bool,
    /// What ended a real work before its last step.
    failure: Option<String>,
    /// The plot in force, with its number and the block for which it was made.
    standing: Option<(usize, u32, Standing)>,
    /// Devices of which it was told what lies on them.
    told: HashSet<u64>,
    preconditioned: Preconditioned,
    choices: Vec<Choice>,
    /// Lets the devices come to rest behind runs that write.
    rest: Rest,
    /// What the machine was at the first run of each cell.
    first: FirstEnvironments,
}

impl PlanSession<'_> {
    fn end(&mut self) -> Result<(), ExperimentError> {
        match self.standing.take() {
            Some((_, _, standing)) => Ok(standing.end()?),
            None => Ok(()),
        }
    }

    fn has_expensive(&self) -> bool {
        let factors = self.request.factors.iter();
        factors
            .map(|f| f.factor.cost())
            .any(|cost| cost == Cost::Expensive)
    }

    /// Whether its levels can be in force as long as the machine is not started anew.
    fn is_due(&self, plot: usize) -> bool {
        let plot = &self.arrangement.plots[plot];
        let ground = &self.grounds[plot.target];
        let mut levels = self.request.factors.iter().zip(&plot.levels);
        levels.all(|(chosen, level)| chosen.levels[*level].is_due(ground))
    }

    /// Makes the plot: in each block anew where something of it is made. The time that its devices took to come into their
    /// state is no part of any run's.
    fn stand(
        &mut self,
        plot: usize,
        block: u32,
        witness: &mut dyn Witness,
    ) -> Result<Duration, ExperimentError> {
        let stands = self.standing.as_ref().is_some_and(|(known, of, _)| {
            *known == plot && (*of == block || !self.has_expensive())
        });
        if stands {
            return Ok(Duration::ZERO);
        }
        self.end()?;
        let of = &self.arrangement.plots[plot];
        let mut standing = Standing::new(self.request, of, &self.grounds[of.target])?;
        let (request, control) = (self.request, self.control);
        let left = request
            .budget
            .map(|budget| budget.saturating_sub(self.spent));
        let until = left.map(|left| self.begun + left);
        let mut took = Duration::ZERO;
        standing.precondition = self.preconditioned.of(request, of.target);
        if standing.precondition.is_none() {
            let made = precondition(request, control, &standing, until, &mut self.told, witness)?;
            let kept = made.as_ref();
            took = kept.map_or(took, |made| {
                self.preconditioned.keep(request, of.target, made)
            });
            standing.precondition = made;
        }
        for choice in &standing.choices {
            if !self.choices.contains(choice) {
                self.choices.push(choice.clone());
            }
        }
        self.standing = Some((plot, block, standing));
        Ok(took)
    }

    /// The cells of the block that are still to be made, where they fit into the budget; the outcome says that this has ended
    /// the plan.
    fn open_within_budget(&mut self, block: u32, runs: &[Run]) -> BTreeSet<usize> {
        let open = self.course.open_cells(block, runs);
        let is_made = |cell: &&usize| self.done.contains(&(block, **cell));
        let left: BTreeSet<usize> = open.iter().filter(|cell| !is_made(cell)).copied().collect();
        let spent = self.spent + self.begun.elapsed();
        // What is done once does not come again.
        let repeated = spent.saturating_sub(self.preconditioned.once);
        let end = spent + self.course.time_of(&left, runs, repeated);
        match self.request.budget {
            Some(budget) if block > 0 && !left.is_empty() && end > budget => {
                let text = ended_by_budget(budget.into(), block, self.wanted_blocks());
                self.choices.push(Choice::note(text));
                BTreeSet::new()
            }
            _ => open,
        }
    }

    /// The page says why there are more blocks than were planned, and why workloads have more runs than others.
    fn tell_blocks(&mut self, block: u32) {
        let is_part = self.open.len() < self.arrangement.cells.len();
        let is_made_good = self.wanted_blocks() == Some(USUAL_BLOCKS);
        if is_made_good && block as usize == USUAL_BLOCKS {
            let text = format!(
                "Blocks were added to the {USUAL_BLOCKS} planned, for workloads of which runs were left out."
            );
            self.choices.push(Choice::note(text));
        }
        if !is_made_good && is_part && !self.is_part {
            let text = format!(
                "After block {block} only workloads whose intervals were still too wide were measured."
            );
            self.choices.push(Choice::note(text));
        }
        self.is_part = is_part;
    }

    /// None where the precision decides how many they are.
    fn wanted_blocks(&self) -> Option<usize> {
        let usual = self.request.precision.is_none().then_some(USUAL_BLOCKS);
        self.request.blocks.or(usual)
    }

    /// One pass over a real work: a run of each of its steps.
    fn work_runs(
        &mut self,
        at: usize,
        planned: &PlannedWork,
        begun: BegunPass,
        witness: &mut dyn Witness,
    ) -> Result<Vec<Run>, ExperimentError> {
        let cell = &self.arrangement.cells[at];
        let Some((_, _, standing)) = &mut self.standing else {
            return Err(ExperimentError::NoWorkload);
        };
        let mut ground = standing.factors.clone();
        let mut cheap = InForce::apply(self.request, &cell.levels, Cost::Cheap, &mut ground)?;
        let site = Site::look(&ground.target)?;
        standing.before_run(&mut cheap)?;
        standing.in_force.verify()?;
        cheap.verify()?;
        tell(witness, Event::Running { cell: &cell.name })?;
        let work = WorkPass {
            planned,
            settings: cheap.settings(),
            seed: self.request.seed,
            control: self.control,
            aftermath: self.rest.left(),
            first: self.first.of_cell(at),
        };
        let before = Rest::unwritten();
        let levels = || {
            let set = standing.in_force.records().chain(cheap.records());
            set.collect()
        };
        let observed = work.make(&site, &standing.files, begun, &levels)?;
        let place = (&site, &standing.files);
        self.rest.behind(place, self.control, before, SENT);
        standing.in_force.verify()?;
        cheap.verify()?;
        cheap.restore()?;
        self.told_of(observed, begun.pass)
    }

    /// The runs of a pass, with what it said of itself. Of one that was stopped in the middle nothing is kept: it is made
    /// anew.
    fn told_of(&mut self, observed: Observed, pass: Pass) -> Result<Vec<Run>, ExperimentError> {
        if self.control.stopped() {
            return Err(FactorError::Stopped.into());
        }
        for note in observed.notes.into_iter().map(Choice::note) {
            if !self.choices.contains(&note) {
                self.choices.push(note);
            }
        }
        let failure = observed.failure;
        self.failure = failure.map(|failure| format!("Block {}: {failure}", pass.block + 1));
        Ok(observed.runs)
    }

    fn io_run(
        &mut self,
        at: usize,
        workload: &IoWorkload,
        begun: BegunPass,
        witness: &mut dyn Witness,
    ) -> Result<Run, ExperimentError> {
        let cell = &self.arrangement.cells[at];
        let Some((_, _, standing)) = &mut self.standing else {
            return Err(ExperimentError::NoWorkload);
        };
        let mut ground = standing.factors.clone();
        let mut cheap = InForce::apply(self.request, &cell.levels, Cost::Cheap, &mut ground)?;
        let mut workload = workload.clone();
        workload.seed = begun.pass.seed(self.request.seed);
        if workload.file_size == Bytes::ZERO {
            workload.file_size = standing.file_size;
        }
        for level in standing.in_force.0.iter().chain(&cheap.0) {
            level.applied.adjust(&mut workload);
        }
        let site = Site::look(&ground.target)?;
        let before = Rest::unwritten();
        let runner = Runner::by(workload.backend, &site, self.control, true);
        let writes = work_place::writes_device(&site, std::slice::from_ref(&workload));
        if writes {
            // What is discarded or rebuilt takes the device, which is held alone from then on.
            standing.before_run(&mut cheap)?;
        }
        let held = match writes {
            true => Some(hold(&site, &self.request.destroy, &mut self.told, witness)?),
            false => None,
        };
        let place = held.as_ref().unwrap_or(&standing.files);
        let mut work = runner.ready(&cell.name, &workload, &place.place)?;
        if !writes {
            standing.before_run(&mut cheap)?;
        }
        // What a rebuild has changed of the array is no change during the run.
        let (site_now, runner_now);
        let runner = match standing.in_force.is_rebuilding() {
            false => &runner,
            true => {
                site_now = Site::look(&ground.target)?;
                runner_now = Runner::by(workload.backend, &site_now, self.control, true);
                &runner_now
            }
        };
        cache::set(workload.cache, &work.files(0))?;
        let limit = cache::limit(workload.cache)?;
        standing.in_force.verify()?;
        cheap.verify()?;
        tell(witness, Event::Running { cell: &cell.name })?;
        let levels = || {
            let set = standing.in_force.records().chain(cheap.records());
            standing.precondition.iter().cloned().chain(set).collect()
        };
        runner.keep_aftermath(self.rest.left());
        runner.hold_against(self.first.of_cell(at));
        let run = runner.run_under(&mut work, begun, limit.as_ref(), &levels)?;
        if work_place::writes(&workload) {
            let place = held.as_ref().unwrap_or(&standing.files);
            self.rest.behind((&site, place), self.control, before, SENT);
        }
        standing.in_force.verify()?;
        cheap.verify()?;
        cheap.restore()?;
        Ok(run)
    }
}

fn ended_by_budget(budget: Nanos, made: u32, wanted: Option<usize>) -> String {
    let of = wanted.map_or_else(String::new, |wanted| format!(" of {wanted}"));
    format!("The budget of {budget} ended the plan after {made}{of} blocks.")
}

impl Session for PlanSession<'_> {
    fn open(
        &mut self,
        block: u32,
        runs: &[Run],
        witness: &mut dyn Witness,
    ) -> Result<Vec<usize>, ExperimentError> {
        self.open = match self.request.only_block {
            Some(only) if only != block => BTreeSet::new(),
            Some(_) => self.course.all_cells(),
            None => self.open_within_budget(block, runs),
        };
        if self.open.is_empty() {
            return Ok(Vec::new());
        }
        self.tell_blocks(block);
        if let (0, Some(blocks)) = (block, self.request.blocks) {
            tell(witness, Event::Planned { blocks })?;
        }
        let event = Event::Block {
            number: block + 1,
            open: self.open.len(),
            left: Nanos(u64::MAX),
        };
        tell(witness, event)?;
        let plots = 0..self.arrangement.plots.len();
        let open = plots.filter(|plot| self.steps(*plot) > 0 && self.is_due(*plot));
        Ok(open.collect())
    }

    /// A kill leaves a block incomplete: what was made is passed over.
    fn first_block(&self, _runs: &[Run]) -> u32 {
        self.request.only_block.unwrap_or(0)
    }

    fn steps(&self, group: usize) -> usize {
        let cells = self.arrangement.plots[group].cells.iter();
        cells.filter(|cell| self.open.contains(cell)).count()
    }

    fn pass(&mut self, step: Step, witness: &mut dyn Witness) -> Result<Vec<Run>, ExperimentError> {
        let (mut begun, pass) = (step.begun, step.begun.pass);
        let order = self.arrangement.within(step.group, pass.block);
        let mut open = order.into_iter().filter(|cell| self.open.contains(cell));
        let not_made = |cell: &usize| !self.done.contains(&(pass.block, *cell));
        let Some(cell) = open.nth(step.step).filter(not_made) else {
            return Ok(Vec::new());
        };
        let name = &self.arrangement.cells[cell].name;
        tell(witness, Event::Running { cell: name })?;
        begun.since += self.stand(step.group, pass.block, witness)?;
        let request = self.request;
        let runs = match &request.workloads[self.arrangement.cells[cell].workload].task {
            PlannedTask::Io(io) => vec![self.io_run(cell, io, begun, witness)?],
            PlannedTask::Work(work) => {
                let arrangement = self.arrangement;
                let runs = self.work_runs(cell, work, begun, witness)?;
                let named = runs.into_iter().map(|run| Run {
                    cell: arrangement.cells[cell].with_step(&run.cell),
                    ..run
                });
                named.collect()
            }
        };
        self.first.made(cell, &runs, witness)?;
        Ok(runs)
    }

    fn is_over(&self) -> bool {
        self.failure.is_some()
    }
}
