//! One workload, repeated.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use etalon_engine::{Control, EngineError};
use etalon_factor::CacheLimit;
use etalon_judge::{Goal, judge_cell};
use etalon_model::{CacheMode, Fallback, IoWorkload, Run};
use etalon_stats::{MAX_RUNS, MIN_RUNS_LAB, StoppingRuleError};
use etalon_units::{Nanos, Percent};
use etalon_workload::measurable::Pass;
use etalon_workload::{Measurable as _, PlainIo};

use crate::claim::claim_for;
use crate::ground::{self, Ground};
use crate::run::{Runner, Schedule, Session, Step, Until, cache, repeat};
use crate::witness::tell;
use crate::{Event, ExperimentError, Outcome, Site, Witness};

/// Longest time spent on reading the same blocks twice, before the first run.
pub(crate) const PROBE: Duration = Duration::from_secs(2);

/// What is measured.
#[derive(Debug, Clone, PartialEq)]
pub struct MeasureRequest {
    /// A directory, an existing file or a block device.
    pub target: PathBuf,
    /// What is done; a file size of zero lets this room choose.
    pub workload: IoWorkload,
    /// How often, at least once; `None` for six times, and then until the figure has an interval and is
    /// as precise as was asked for, up to thirty times, but no more once two minutes have passed.
    pub runs: Option<usize>,
    /// The relative half width that is asked for, if any is.
    pub precision: Option<Percent>,
    /// Whether the machine is watched during the runs, which costs next to nothing.
    pub watch: bool,
    /// Whether to fail where `O_DIRECT` is refused, instead of going through the page cache.
    pub direct_or_nothing: bool,
}

/// Repeats one workload and judges it.
///
/// In a directory the files are made in a private directory and removed at the end; a file or a
/// block device is only read.
///
/// # Errors
/// [`ExperimentError`] when nothing could be measured.
pub fn measure(
    request: &MeasureRequest,
    control: &Control,
    witness: &mut dyn Witness,
) -> Result<Outcome, ExperimentError> {
    let begun = Instant::now();
    let goal = goal_of(request.precision, request.runs)?;
    let site = Site::look(&request.target)?;
    tell(
        witness,
        Event::Begun {
            target: &site.record,
            at_most: Nanos(u64::MAX),
        },
    )?;
    let limit = cache::limit(request.workload.cache)?;
    let runner = Runner::new(&site, control, request.watch);
    let _lock = match ground::needs_lock(&site, &request.workload)? {
        true => Some(claim_for(&[&site], control, witness)?),
        false => None,
    };
    let ground = Ground::new(&site, &request.workload)?;
    let mut workload = request.workload.clone();
    let choices = ground.size(&mut workload, &request.target, 1)?;
    let mut session = OneWorkload {
        name: name_of(&workload),
        direct_or_nothing: request.direct_or_nothing || workload.cache == CacheMode::Direct,
        until: Until::new(request.runs, &goal, begun),
        runner,
        ground,
        workload,
        limit,
    };
    let mut runs: Vec<Run> = Vec::new();
    let schedule = Schedule::Rows;
    or_stopped(repeat(
        &mut session,
        schedule,
        &control.stop,
        witness,
        &mut runs,
    ))?;
    let all: Vec<&Run> = runs.iter().collect();
    Ok(Outcome {
        target: site.record.clone(),
        choices,
        forecast: None,
        cells: judge_cell(&session.name, &all, &goal).into_iter().collect(),
        runs,
        seed: request.workload.seed,
        elapsed: begun.elapsed().into(),
        interrupted: control.stopped(),
        failure: None,
    })
}

/// What so many runs are judged by, or as many as [`Until`] adds where no number is asked for.
pub(crate) fn goal_of(
    precision: Option<Percent>,
    runs: Option<usize>,
) -> Result<Goal, StoppingRuleError> {
    let most = runs.map_or(MAX_RUNS, |runs| runs.max(MIN_RUNS_LAB));
    Goal::new(precision, MIN_RUNS_LAB, most)
}

/// A stop is no failure: what was made until then counts.
pub(crate) fn or_stopped(made: Result<(), ExperimentError>) -> Result<(), ExperimentError> {
    match made {
        Err(ExperimentError::Engine(EngineError::Stopped)) => Ok(()),
        other => other.map_err(ExperimentError::shown),
    }
}

/// One cell, with all that its runs need.
struct OneWorkload<'a> {
    name: String,
    runner: Runner<'a>,
    ground: Ground,
    workload: IoWorkload,
    direct_or_nothing: bool,
    limit: Option<CacheLimit>,
    until: Until<'a>,
}

impl Session for OneWorkload<'_> {
    type Error = ExperimentError;

    fn open(
        &mut self,
        block: u32,
        runs: &[Run],
        witness: &mut dyn Witness,
    ) -> Result<Vec<usize>, ExperimentError> {
        if !self.until.goes_on(block as usize, runs) {
            return Ok(Vec::new());
        }
        self.until.tell_block(block, 1, witness)?;
        Ok(vec![0])
    }

    fn pass(
        &mut self,
        _step: Step,
        pass: Pass,
        witness: &mut dyn Witness,
    ) -> Result<Vec<Run>, ExperimentError> {
        tell(witness, Event::Running { cell: &self.name })?;
        let whole = Instant::now();
        let mut workload = self.workload.clone();
        workload.seed = workload.seed.wrapping_add(u64::from(pass.block));
        let mut work = self
            .runner
            .ready(&self.name, &workload, &self.ground.place)?;
        if self.direct_or_nothing {
            insist_on_direct(&self.runner.site.path, &work)?;
        }
        if pass.block == 0 {
            self.runner.probe_below(&work, PROBE);
        }
        tell(witness, Event::Running { cell: &self.name })?;
        cache::set(workload.cache, &work.files(0))?;
        let run = self
            .runner
            .run(&mut work, (pass, whole), self.limit.as_ref())?;
        Ok(vec![run])
    }
}

pub(crate) fn insist_on_direct(target: &Path, work: &PlainIo<'_>) -> Result<(), ExperimentError> {
    let refused = |fallback: &Fallback| matches!(fallback, Fallback::DirectRefused { .. });
    let fallbacks = work.prepared().map(|ready| ready.plan().fallbacks());
    match fallbacks.is_some_and(|all| all.iter().any(refused)) {
        true => Err(ExperimentError::DirectRefused {
            target: target.to_owned(),
        }),
        false => Ok(()),
    }
}

/// What a cell of this workload is called.
pub(crate) fn name_of(workload: &IoWorkload) -> String {
    if workload.operation.is_metadata() {
        return format!("{} {} files", workload.operation, workload.files);
    }
    let mut name = format!("{} {}", workload.operation, workload.sizes());
    if workload.queue_depth > 1 {
        name.push_str(&format!(", depth {}", workload.queue_depth));
    }
    if !matches!(workload.cache, CacheMode::AsFound | CacheMode::Direct) {
        name.push_str(&format!(", {} cache", workload.cache));
    }
    if workload.jobs > 1 {
        name.push_str(&format!(", {} jobs", workload.jobs));
    }
    name
}
