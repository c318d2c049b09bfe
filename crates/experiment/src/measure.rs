//! One workload, or a grid of them, repeated.

use std::path::PathBuf;
use std::time::Instant;

use etalon_engine::{Control, EngineError, Plan};
use etalon_factor::condition::FactorError;
use etalon_judge::{Goal, judge_cell};
use etalon_model::{CacheMode, Cell, IoWorkload, Run};
use etalon_stats::{MAX_RUNS, MIN_RUNS_LAB, StoppingRuleError};
use etalon_units::{Bytes, Nanos, Percent};

use crate::claim::claim_for;
use crate::earlier::{elapsed, same_conditions, told};
use crate::grid::{Grid, workload_name};
use crate::latency::{LatencyTarget, climb};
use crate::run::quiet::Rest;
use crate::run::{Runner, Schedule, Until, cache, repeat};
use crate::witness::tell;
use crate::work_place::{self, WorkPlace};
use crate::{Event, ExperimentError, Outcome, Site, Witness};

/// What is measured.
#[derive(Debug, Clone, PartialEq)]
pub struct MeasureRequest {
    /// A directory, an existing file or a block device.
    pub target: PathBuf,
    /// What is done, each a cell; at least one. All of them have one backend and one state of the
    /// cache. File sizes of zero let this room choose one for all.
    pub workloads: Vec<IoWorkload>,
    /// How often, at least once; `None` for six times, and then until the figure has an interval and is
    /// as precise as was asked for, up to thirty times, but no more once two minutes have passed.
    pub runs: Option<usize>,
    /// The relative half width that is asked for, if any is.
    pub precision: Option<Percent>,
    /// Whether the machine is watched during the runs, which costs next to nothing.
    pub watch: bool,
    /// Whether to fail where `O_DIRECT` is refused, instead of going through the page cache.
    pub direct_or_nothing: bool,
    /// To look for the highest queue depth of the one workload, or the highest rate where it has one, at
    /// which a latency stays below a limit, instead of measuring it as it stands.
    pub latency: Option<LatencyTarget>,
    /// Runs of the same that stand already and are counted; the machine must not have changed since.
    pub earlier: Vec<Run>,
    /// What the sessions took that made these.
    pub earlier_took: Nanos,
    /// The serial number or by-id name of a block device whose content is given up.
    pub destroy: Option<String>,
}

impl MeasureRequest {
    /// As often as a figure with an interval needs, at no asked precision, and nobody watches the machine meanwhile.
    pub fn new(target: PathBuf, workloads: Vec<IoWorkload>) -> MeasureRequest {
        MeasureRequest {
            target,
            workloads,
            runs: None,
            precision: None,
            watch: false,
            direct_or_nothing: false,
            latency: None,
            earlier: Vec::new(),
            earlier_took: Nanos::ZERO,
            destroy: None,
        }
    }
}

/// Repeats workloads, several of them in random order within each block, and judges each.
///
/// In a directory the files are made in a private directory and removed at the end; a file is only
/// read; a block device is written where a workload writes and the guard allows it.
///
/// # Errors
/// [`ExperimentError`] when nothing could be measured.
pub fn measure(
    request: &MeasureRequest,
    control: &Control,
    witness: &mut dyn Witness,
) -> Result<Outcome, ExperimentError> {
    let goal = goal_of(request.precision, request.runs)?;
    let site = Site::look(&request.target)?;
    same_conditions(&request.earlier, &site)?;
    tell(
        witness,
        Event::Begun {
            target: &site.record,
            at_most: Nanos(u64::MAX),
        },
    )?;
    let largest = largest(&request.workloads)?;
    let limit = cache::limit(largest.cache)?;
    let writes_device = work_place::writes_device(&site, &request.workloads);
    let lock = match writes_device || needs_lock(&site, &request.workloads)? {
        true => Some(claim_for(&[&site], control, witness)?),
        false => None,
    };
    // What was waited for is no part of the time for the precision.
    let begun = Instant::now();
    let held = match writes_device {
        true => Some(WorkPlace::writable(
            &site,
            request.destroy.as_deref(),
            witness,
        )?),
        false => None,
    };
    // What is refused does not wait for a look at the disks, which comes before anything is made on them.
    let runner = Runner::by(largest.backend, &site, control, request.watch);
    let work_place = match held {
        Some(held) => held,
        None => WorkPlace::new(&site, &largest)?,
    };
    let work_place = work_place.locked(lock);
    let mut sized = largest.clone();
    let chosen = work_place.size(&mut sized, &request.target, 1)?;
    let cells = cells(&request.workloads, sized.file_size, &work_place)?;
    let schedule = match cells.len() {
        1 => Schedule::Rows,
        _ => Schedule::Shuffled(largest.seed),
    };
    let mut session = Grid {
        rows: (0..cells.len()).collect(),
        cells,
        direct_or_nothing: request.direct_or_nothing || largest.cache == CacheMode::Direct,
        until: Until::new(request.runs, &goal, begun),
        runner,
        work_place,
        limit,
        probed: false,
        rest: Rest::within(None),
    };
    let choices = chosen.into_iter().chain(told(&request.earlier)).collect();
    let mut runs: Vec<Run> = request.earlier.clone();
    let stop = &control.stop;
    let made = match request.latency {
        None => repeat(&mut session, schedule, stop, witness, &mut runs),
        Some(target) => climb(
            &mut session,
            (target, request.runs),
            stop,
            witness,
            &mut runs,
        ),
    };
    let failure = ended_early(made, runs.len() > request.earlier.len())?;
    Ok(Outcome {
        target: site.record.clone(),
        choices,
        forecast: None,
        cells: judged(&session.cells, &runs, &goal),
        runs,
        seed: largest.seed,
        elapsed: elapsed(request.earlier_took, begun),
        interrupted: control.stopped(),
        failure,
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

/// The workload with the largest operations, the most jobs and so the largest files of all.
pub(crate) fn largest(workloads: &[IoWorkload]) -> Result<IoWorkload, ExperimentError> {
    let mut all = workloads.iter();
    let mut largest = all.next().ok_or(ExperimentError::NoWorkload)?.clone();
    for workload in all {
        if workload.block_size.largest() > largest.block_size.largest() {
            largest.block_size = workload.block_size.clone();
        }
        largest.jobs = largest.jobs.max(workload.jobs);
    }
    Ok(largest)
}

pub(crate) fn needs_lock(site: &Site, workloads: &[IoWorkload]) -> Result<bool, ExperimentError> {
    let mut needed = false;
    for workload in workloads {
        needed |= work_place::needs_lock(site, workload)?;
    }
    Ok(needed)
}

/// Every workload with its name and its files' size. What the place refuses is refused here, before
/// the first run of any.
fn cells(
    workloads: &[IoWorkload],
    file_size: Bytes,
    work_place: &WorkPlace,
) -> Result<Vec<(String, IoWorkload)>, ExperimentError> {
    let mut cells = Vec::new();
    for workload in workloads {
        let mut workload = workload.clone();
        workload.file_size = file_size;
        let plan = Plan::resolve(&workload, &work_place.place);
        plan.map_err(|error| ExperimentError::from(error).shown())?;
        cells.push((workload_name(&workload), workload));
    }
    Ok(cells)
}

/// The cells as they are judged, in the order in which they were asked for.
fn judged(cells: &[(String, IoWorkload)], runs: &[Run], goal: &Goal) -> Vec<Cell> {
    let names = cells.iter().map(|(name, _)| name);
    let judged = names.filter_map(|name| {
        let own: Vec<&Run> = runs.iter().filter(|run| run.cell == *name).collect();
        judge_cell(name, &own, goal)
    });
    judged.collect()
}

/// A stop is no failure: what was made until then counts.
pub(crate) fn or_stopped(made: Result<(), ExperimentError>) -> Result<(), ExperimentError> {
    match made {
        Err(
            ExperimentError::Engine(EngineError::Stopped)
            | ExperimentError::Factor(FactorError::Stopped),
        ) => Ok(()),
        other => other.map_err(ExperimentError::shown),
    }
}

/// What ended the work early, in a sentence, where it `has_runs`: what had ended before is worth its verdict.
///
/// # Errors
/// What stood in the way of any run, and that a run could not be kept.
pub(crate) fn ended_early(
    made: Result<(), ExperimentError>,
    has_runs: bool,
) -> Result<Option<String>, ExperimentError> {
    match or_stopped(made) {
        Ok(()) => Ok(None),
        Err(error) if has_runs && !matches!(error.cause(), ExperimentError::NotKept(_)) => {
            Ok(Some(format!("{error}.")))
        }
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_ends_the_work_is_told_beside_its_runs_and_without_any_it_is_an_error() {
        let failed = || Err(ExperimentError::NoWorkload);
        let told = ended_early(failed(), true).unwrap().unwrap();
        assert!(
            told.starts_with("no workload is given") && told.ends_with('.'),
            "{told}"
        );
        assert!(ended_early(failed(), false).is_err());
        let stopped = Err(EngineError::Stopped.into());
        assert_eq!(ended_early(stopped, true).unwrap(), None);
        let not_kept = Err(ExperimentError::NotKept("the store is full".into()));
        assert!(ended_early(not_kept, true).is_err());
    }
}
