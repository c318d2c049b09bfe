//! Several workloads at once, each with its own figures, and the same ones alone for comparison.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use etalon_engine::{Control, EngineError, Prepared};
use etalon_factor::TargetLock;
use etalon_judge::{Goal, judge_cell};
use etalon_model::{CacheMode, Cell, Company, Ended, Measurement, Run, TargetRecord, Workload};
use etalon_units::{Nanos, Percent};
use etalon_workload::together::{StreamRecord, StreamResult, TogetherRecord, run_prepared};

use crate::cache;
use crate::ground::{self, Ground};
use crate::measure::{MIN_RUNS, PROBE, insist_on_direct, name_of};
use crate::order::order_of_block;
use crate::runner::{Runner, Slot};
use crate::traffic::apportion;
use crate::witness::tell;
use crate::{Event, ExperimentError, Outcome, Site, Witness};

/// One of several workloads.
#[derive(Debug, Clone, PartialEq)]
pub struct StreamRequest {
    /// What it is called; `None` for its number and what it does.
    pub name: Option<String>,
    /// A directory, an existing file or a block device.
    pub target: PathBuf,
    /// What is done; a file size of zero lets this room choose.
    pub workload: Workload,
    /// Whether to fail where `O_DIRECT` is refused, instead of going through the page cache.
    pub direct_or_nothing: bool,
}

/// What is measured.
#[derive(Debug, Clone, PartialEq)]
pub struct TogetherRequest {
    /// The workloads, at least one.
    pub streams: Vec<StreamRequest>,
    /// How often, at least once.
    pub runs: usize,
    /// The relative half width that makes a figure valid.
    pub precision: Percent,
    /// Whether each is also measured alone, in random order among the runs together.
    pub alone: bool,
    /// Decides every random choice.
    pub seed: u64,
}

/// What is left at the end.
#[derive(Debug, Clone, PartialEq)]
pub struct TogetherOutcome {
    /// The cells together, then the cells alone, with everything else.
    pub outcome: Outcome,
    /// The workloads in the order in which they were named.
    pub streams: Vec<StreamCells>,
}

/// The cells of one workload.
#[derive(Debug, Clone, PartialEq)]
pub struct StreamCells {
    /// Its target.
    pub target: TargetRecord,
    /// Name of its cell together with the others.
    pub together: String,
    /// Name of its cell alone.
    pub alone: String,
}

/// Repeats several workloads at once and judges each.
///
/// Every block holds one run of all of them together, and with `alone` one run of each by itself,
/// in random order. What devices that several share moved is divided among them by what each asked
/// for.
///
/// # Errors
/// [`ExperimentError`] when nothing could be measured.
pub fn together(
    request: &TogetherRequest,
    control: &Control,
    witness: &mut dyn Witness,
) -> Result<TogetherOutcome, ExperimentError> {
    let begun = Instant::now();
    let goal = Goal::new(request.precision, MIN_RUNS, request.runs.max(MIN_RUNS))?;
    let names = names(request)?;
    let sites: Vec<Site> = request
        .streams
        .iter()
        .map(|stream| Site::look(&stream.target))
        .collect::<Result<_, _>>()?;
    let target = all_targets(&sites);
    let at_most = Nanos(u64::MAX);
    tell(
        witness,
        Event::Begun {
            target: &target,
            at_most,
        },
    )?;
    let _locks = lock_each(request, &sites)?;
    let (streams, choices) = Stream::all(request, &sites, &names, control)?;
    let mut runs = Vec::new();
    let made = repeat(request, &streams, control, witness, &mut runs);
    if !matches!(made, Err(ExperimentError::Engine(EngineError::Stopped))) {
        made?;
    }
    let cells = names.iter().map(|n| &n.together);
    let alone = names.iter().map(|n| &n.alone).filter(|_| request.alone);
    let cells: Vec<Cell> = cells
        .chain(alone)
        .filter_map(|name| {
            let own: Vec<&Run> = runs.iter().filter(|run| run.cell == *name).collect();
            judge_cell(name, &own, &goal)
        })
        .collect();
    let streams = sites.iter().zip(names).map(|(site, names)| StreamCells {
        target: site.record.clone(),
        together: names.together,
        alone: names.alone,
    });
    Ok(TogetherOutcome {
        streams: streams.collect(),
        outcome: Outcome {
            target,
            choices,
            forecast: None,
            cells,
            runs,
            seed: request.seed,
            elapsed: begun.elapsed().into(),
            interrupted: control.stopped(),
        },
    })
}

/// What the two cells of a workload are called.
struct Names {
    together: String,
    alone: String,
}

fn names(request: &TogetherRequest) -> Result<Vec<Names>, ExperimentError> {
    let mut names: Vec<Names> = Vec::new();
    for (at, stream) in request.streams.iter().enumerate() {
        let together = match &stream.name {
            Some(name) => name.clone(),
            None => format!("{} {}", at + 1, name_of(&stream.workload)),
        };
        let alone = format!("{together}, alone");
        let taken = |names: &Names| [&names.together, &names.alone].contains(&&together);
        if names.iter().any(taken) {
            return Err(ExperimentError::SameName { name: together });
        }
        names.push(Names { together, alone });
    }
    Ok(names)
}

/// All targets as one, for the page and the store.
fn all_targets(sites: &[Site]) -> TargetRecord {
    let mut all: Vec<&TargetRecord> = Vec::new();
    for site in sites {
        if !all.contains(&&site.record) {
            all.push(&site.record);
        }
    }
    let joined = |of: fn(&TargetRecord) -> &str| {
        let parts: Vec<&str> = all.iter().map(|record| of(record)).collect();
        parts.join(" and ")
    };
    let mut devices: Vec<String> = all.iter().flat_map(|r| r.devices.clone()).collect();
    devices.sort();
    devices.dedup();
    TargetRecord {
        path: joined(|record| &record.path),
        beneath: joined(|record| &record.beneath),
        devices,
    }
}

/// One lock for each filesystem or device.
fn lock_each(
    request: &TogetherRequest,
    sites: &[Site],
) -> Result<BTreeMap<u64, TargetLock>, ExperimentError> {
    let mut locks = BTreeMap::new();
    for (stream, site) in request.streams.iter().zip(sites) {
        if locks.contains_key(&site.device) {
            continue;
        }
        if let Some(lock) = ground::lock(site, &stream.workload)? {
            locks.insert(site.device, lock);
        }
    }
    Ok(locks)
}

/// A workload with all that its runs need.
struct Stream<'a> {
    names: &'a Names,
    runner: Runner<'a>,
    ground: Ground,
    workload: Workload,
    direct_or_nothing: bool,
}

impl<'a> Stream<'a> {
    /// All workloads, and what was chosen for them.
    fn all(
        request: &TogetherRequest,
        sites: &'a [Site],
        names: &'a [Names],
        control: &'a Control,
    ) -> Result<(Vec<Stream<'a>>, Vec<String>), ExperimentError> {
        let (mut streams, mut choices) = (Vec::new(), Vec::new());
        for ((stream, site), names) in request.streams.iter().zip(sites).zip(names) {
            let same = |other: &&Site| other.device == site.device;
            let sharers = sites.iter().filter(same).count() as u64;
            let ground = Ground::new(site, &stream.workload)?;
            let mut workload = stream.workload.clone();
            let chosen = ground.size(&mut workload, &stream.target, sharers)?;
            choices.extend(
                chosen
                    .iter()
                    .map(|text| format!("{}: {text}", names.together)),
            );
            let cache = workload.cache;
            streams.push(Stream {
                names,
                runner: Runner::new(site, control, true),
                ground,
                workload,
                direct_or_nothing: stream.direct_or_nothing || cache == CacheMode::Direct,
            });
        }
        Ok((streams, choices))
    }

    /// Lays out what a run needs and sets the state of the cache.
    fn ready(&self, block: u32) -> Result<Prepared, ExperimentError> {
        let mut workload = self.workload.clone();
        workload.seed = workload.seed.wrapping_add(u64::from(block));
        let prepared = self.runner.ready(&workload, &self.ground.place)?;
        if self.direct_or_nothing {
            insist_on_direct(&self.runner.site.path, prepared.plan().fallbacks())?;
        }
        cache::set(workload.cache, prepared.plan().files())?;
        Ok(prepared)
    }
}

/// Every block, as long as nobody stops it.
fn repeat(
    request: &TogetherRequest,
    streams: &[Stream<'_>],
    control: &Control,
    witness: &mut dyn Witness,
    runs: &mut Vec<Run>,
) -> Result<(), ExperimentError> {
    let all: Vec<usize> = (0..streams.len()).collect();
    let mut groups = vec![all.clone()];
    if request.alone {
        groups.extend(all.into_iter().map(|at| vec![at]));
    }
    for block in 0..request.runs as u32 {
        for group in order_of_block(groups.len(), block, request.seed) {
            if control.stopped() {
                return Ok(());
            }
            let group: Vec<&Stream<'_>> = groups[group].iter().map(|&at| &streams[at]).collect();
            let is_alone = group.len() == 1 && streams.len() > 1;
            let position = runs.len() as u32;
            let trial = Trial {
                block,
                position,
                is_alone,
            };
            for run in trial.run(&group, control, witness)? {
                tell(witness, Event::Ended { run: &run })?;
                runs.push(run);
            }
        }
    }
    Ok(())
}

/// One go of one or several workloads.
struct Trial {
    block: u32,
    position: u32,
    is_alone: bool,
}

impl Trial {
    fn run(
        &self,
        group: &[&Stream<'_>],
        control: &Control,
        witness: &mut dyn Witness,
    ) -> Result<Vec<Run>, ExperimentError> {
        let whole = Instant::now();
        let cells: Vec<&str> = group.iter().map(|stream| self.cell(stream)).collect();
        let ready: Vec<Prepared> = group
            .iter()
            .map(|stream| stream.ready(self.block))
            .collect::<Result<_, _>>()?;
        for (stream, prepared) in group.iter().zip(&ready).filter(|_| self.block == 0) {
            stream.runner.probe_below(prepared, PROBE);
        }
        for cell in &cells {
            tell(witness, Event::Running { cell })?;
        }
        let begun: Vec<_> = group
            .iter()
            .zip(&ready)
            .map(|(stream, prepared)| stream.runner.begin(prepared))
            .collect();
        let named: Vec<(&str, &Prepared)> = cells.iter().copied().zip(&ready).collect();
        let record = run_prepared(&named, &Arc::clone(&control.stop))?;
        let mut runs = Vec::new();
        for (at, begun) in begun.into_iter().enumerate() {
            let slot = Slot {
                cell: cells[at],
                block: self.block,
                position: self.position + at as u32,
            };
            let measurement = measured(&record.streams[at])?;
            let mut run = group[at].runner.end(slot, &ready[at], begun, measurement);
            run.circumstances.company = company(&record, at);
            run.elapsed = whole.elapsed().into();
            runs.push(run);
        }
        let none = |run: &Run| {
            run.measurement.ended == Ended::Interrupted && run.measurement.operations() == 0
        };
        if runs.iter().any(none) {
            return Err(EngineError::Stopped.into());
        }
        apportion(&mut runs);
        for (stream, run) in group.iter().zip(&mut runs) {
            stream.runner.judge(run);
        }
        Ok(runs)
    }

    fn cell<'s>(&self, stream: &'s Stream<'_>) -> &'s str {
        if self.is_alone {
            &stream.names.alone
        } else {
            &stream.names.together
        }
    }
}

fn measured(record: &StreamRecord) -> Result<Measurement, ExperimentError> {
    match &record.result {
        StreamResult::Io(measurement) => Ok((**measurement).clone()),
        StreamResult::Failed { message } => Err(ExperimentError::Stream {
            name: record.name.clone(),
            message: message.clone(),
        }),
        // Only workloads of the engine are begun here.
        StreamResult::Metadata(_) => Err(EngineError::Stopped.into()),
    }
}

/// Who else was there, and for how long; `None` for a workload alone.
fn company(record: &TogetherRecord, at: usize) -> Option<Company> {
    let own = &record.streams[at];
    let others: Vec<String> = record
        .streams
        .iter()
        .filter(|stream| stream.name != own.name)
        .map(|stream| stream.name.clone())
        .collect();
    (!others.is_empty()).then(|| Company {
        others,
        span: own.end.saturating_sub(own.begin),
        shared: record.overlap,
    })
}
