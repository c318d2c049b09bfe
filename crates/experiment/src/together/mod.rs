//! Several workloads at once, each with its own figures, and the same ones alone for comparison.

mod trial;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Instant;

use etalon_engine::{Control, EngineError};
use etalon_factor::TargetLock;
use etalon_judge::{Goal, judge_cell};
use etalon_model::{Cell, IoWorkload, Run, TargetRecord};
use etalon_units::{Nanos, Percent};

use crate::ground;
use crate::measure::{MIN_RUNS, name_of};
use crate::order::order_of_block;
use crate::witness::tell;
use crate::{Event, ExperimentError, Outcome, Site, Witness};
use trial::{Stream, Trial};

/// One of several workloads.
#[derive(Debug, Clone, PartialEq)]
pub struct StreamRequest {
    /// What it is called; `None` for its number and what it does.
    pub name: Option<String>,
    /// A directory, an existing file or a block device.
    pub target: PathBuf,
    /// What is done; a file size of zero lets this room choose.
    pub workload: IoWorkload,
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
            failure: None,
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
            let made = trial.run(&group, control, witness);
            for run in made.map_err(ExperimentError::shown)? {
                tell(witness, Event::Ended { run: &run })?;
                runs.push(run);
            }
        }
    }
    Ok(())
}
