//! One workload, repeated.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use etalon_engine::{Control, EngineError, Plan, TargetPlace};
use etalon_factor::{CacheLimit, Journal, Scratch, TargetLock};
use etalon_judge::{Goal, judge_cell};
use etalon_model::{Backend, CacheMode, Ended, Fallback, Run, Workload};
use etalon_units::{Bytes, Nanos, Percent};

use crate::cache;
use crate::runner::{Runner, Slot};
use crate::witness::tell;
use crate::{Event, ExperimentError, Outcome, Site, SiteKind, Witness};

/// Size of a file in a directory where none was asked for, as far as there is room.
const DEFAULT_FILE: Bytes = Bytes::gib(1);
/// Longest time spent on reading the same blocks twice, before the first run.
const PROBE: Duration = Duration::from_secs(2);
/// Fewest runs with which a figure can be valid.
const MIN_RUNS: usize = 6;

/// What is measured.
#[derive(Debug, Clone, PartialEq)]
pub struct MeasureRequest {
    /// A directory, an existing file or a block device.
    pub target: PathBuf,
    /// What is done; a file size of zero lets this room choose.
    pub workload: Workload,
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
    let ground = Ground::new(&site, &request.workload)?;
    let mut workload = request.workload.clone();
    let choices = ground.size(&mut workload, request)?;
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
            Err(error) => return Err(error),
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
    workload: &Workload,
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

fn insist_on_direct(target: &Path, fallbacks: &[Fallback]) -> Result<(), ExperimentError> {
    let refused = |fallback: &&Fallback| matches!(fallback, Fallback::DirectRefused { .. });
    match fallbacks.iter().find(refused) {
        Some(_) => Err(ExperimentError::DirectRefused {
            target: target.to_owned(),
        }),
        None => Ok(()),
    }
}

/// Where the work is done; a private directory goes away with it, and so does the lock.
struct Ground {
    place: TargetPlace,
    scratch: Option<Scratch>,
    lock: Option<TargetLock>,
}

impl Ground {
    fn new(site: &Site, workload: &Workload) -> Result<Ground, ExperimentError> {
        let imagined = matches!(workload.backend, Backend::Null | Backend::Fake);
        let place = match site.kind {
            SiteKind::BlockDevice => TargetPlace::BlockDevice(site.path.clone()),
            SiteKind::File => TargetPlace::File {
                path: site.path.clone(),
                writable: false,
            },
            SiteKind::Directory => TargetPlace::Directory(site.path.clone()),
        };
        if site.kind != SiteKind::Directory {
            // What is refused for good must not first wait for another etalon.
            Plan::resolve(workload, &place)?;
        }
        let mut ground = Ground {
            place,
            scratch: None,
            lock: None,
        };
        if !imagined {
            ground.lock = Some(TargetLock::acquire(site.device)?);
            if site.kind == SiteKind::Directory {
                let scratch = Scratch::create(&Journal::open()?, &site.path)?;
                ground.place = TargetPlace::Directory(scratch.path().to_owned());
                ground.scratch = Some(scratch);
            }
        }
        Ok(ground)
    }

    /// Fixes the size of the files within the space that may be used.
    fn size(
        &self,
        workload: &mut Workload,
        request: &MeasureRequest,
    ) -> Result<Vec<String>, ExperimentError> {
        let Some(scratch) = &self.scratch else {
            return Ok(Vec::new());
        };
        if workload.operation.is_metadata() {
            return Ok(Vec::new());
        }
        let usable = Bytes(scratch.space_allowance()?);
        let files = match workload.layout {
            etalon_model::FileLayout::Shared => 1,
            etalon_model::FileLayout::PerJob => u64::from(workload.jobs.max(1)),
        };
        if workload.file_size == Bytes::ZERO {
            let share = Bytes(usable.get() / 3 / files);
            if share < workload.block_size {
                let all = workload.block_size.get().saturating_mul(files);
                return Err(ExperimentError::NoSpace {
                    target: request.target.clone(),
                    usable,
                    needed: Bytes(all.saturating_mul(3)),
                });
            }
            workload.file_size = DEFAULT_FILE.min(share).round_down(workload.block_size);
            let chosen = format!(
                "File size {}: one GiB, or a third of the usable {usable}.",
                workload.file_size
            );
            return Ok(vec![chosen]);
        }
        let needed = Bytes(workload.file_size.get().saturating_mul(files));
        if needed > usable {
            return Err(ExperimentError::NoSpace {
                target: request.target.clone(),
                usable,
                needed,
            });
        }
        Ok(Vec::new())
    }
}

/// What a cell of this workload is called.
fn name_of(workload: &Workload) -> String {
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
