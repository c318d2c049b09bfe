//! One workload, repeated.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use etalon_engine::{Control, EngineError};
use etalon_factor::CacheLimit;
use etalon_judge::{Goal, judge_cell};
use etalon_model::{CacheMode, Ended, Fallback, IoWorkload, Run};
use etalon_units::{Nanos, Percent};

use crate::cache;
use crate::ground::{self, Ground};
use crate::runner::{Runner, Slot};
use crate::witness::tell;
use crate::{Event, ExperimentError, Outcome, Site, Witness};

/// Longest time spent on reading the same blocks twice, before the first run.
pub(crate) const PROBE: Duration = Duration::from_secs(2);
/// Fewest runs with which a figure can be valid.
pub(crate) const MIN_RUNS: usize = 6;

/// What is measured.
#[derive(Debug, Clone, PartialEq)]
pub struct MeasureRequest {
    /// A directory, an existing file or a block device.
    pub target: PathBuf,
    /// What is done; a file size of zero lets this room choose.
    pub workload: IoWorkload,
    /// How often, at least once.
    pub runs: usize,
    /// The relative half width that makes the figure valid.
    pub precision: Percent,
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
    let goal = Goal::new(request.precision, MIN_RUNS, request.runs.max(MIN_RUNS))?;
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
    let _lock = ground::lock(&site, &request.workload)?;
    let ground = Ground::new(&site, &request.workload)?;
    let mut workload = request.workload.clone();
    let choices = ground.size(&mut workload, &request.target, 1)?;
    let mut runs: Vec<Run> = Vec::new();
    let name = name_of(&workload);
    for index in 0..request.runs {
        let mut this = workload.clone();
        this.seed = workload.seed.wrapping_add(index as u64);
        let how = How {
            name: &name,
            index: index as u32,
            direct_or_nothing: request.direct_or_nothing || this.cache == CacheMode::Direct,
            limit: limit.as_ref(),
        };
        let made = one_run(&runner, &ground, &this, how, witness);
        match made {
            Ok(run) => runs.push(run),
            Err(ExperimentError::Engine(EngineError::Stopped)) => break,
            Err(error) => return Err(error.shown()),
        }
        if control.stopped() {
            break;
        }
    }
    let all: Vec<&Run> = runs.iter().collect();
    Ok(Outcome {
        target: site.record.clone(),
        choices,
        forecast: None,
        cells: judge_cell(&name, &all, &goal).into_iter().collect(),
        runs,
        seed: request.workload.seed,
        elapsed: begun.elapsed().into(),
        interrupted: control.stopped(),
        failure: None,
    })
}

/// What one run is called and how strict it is.
#[derive(Clone, Copy)]
struct How<'a> {
    name: &'a str,
    index: u32,
    direct_or_nothing: bool,
    limit: Option<&'a CacheLimit>,
}

fn one_run(
    runner: &Runner<'_>,
    ground: &Ground,
    workload: &IoWorkload,
    how: How<'_>,
    witness: &mut dyn Witness,
) -> Result<Run, ExperimentError> {
    let whole = Instant::now();
    let prepared = runner.ready(workload, &ground.place)?;
    if how.direct_or_nothing {
        insist_on_direct(&runner.site.path, prepared.plan().fallbacks())?;
    }
    if how.index == 0 {
        runner.probe_below(&prepared, PROBE);
    }
    tell(witness, Event::Running { cell: how.name })?;
    let slot = Slot {
        cell: how.name,
        block: how.index,
        position: how.index,
    };
    cache::set(workload.cache, prepared.plan().files())?;
    let inside = how.limit.map(CacheLimit::inside).transpose()?;
    let mut run = runner.run(slot, &prepared)?;
    drop(inside);
    run.elapsed = whole.elapsed().into();
    if run.measurement.ended == Ended::Interrupted && run.measurement.operations() == 0 {
        return Err(EngineError::Stopped.into());
    }
    tell(witness, Event::Ended { run: &run })?;
    Ok(run)
}

pub(crate) fn insist_on_direct(
    target: &Path,
    fallbacks: &[Fallback],
) -> Result<(), ExperimentError> {
    let refused = |fallback: &&Fallback| matches!(fallback, Fallback::DirectRefused { .. });
    match fallbacks.iter().find(refused) {
        Some(_) => Err(ExperimentError::DirectRefused {
            target: target.to_owned(),
        }),
        None => Ok(()),
    }
}

/// What a cell of this workload is called.
pub(crate) fn name_of(workload: &IoWorkload) -> String {
    if workload.operation.is_metadata() {
        return format!("{} {} files", workload.operation, workload.files);
    }
    let mut name = format!("{} {}", workload.operation, workload.block_size);
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
