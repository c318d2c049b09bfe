//! Several workloads at once, each with its own figures, and the same ones alone for comparison.

mod stream;
mod trial;

use std::path::PathBuf;
use std::time::Instant;

use etalon_engine::Control;
use etalon_factor::TargetLock;
use etalon_judge::judge_cell;
use etalon_model::{Cell, Run, TargetRecord};
use etalon_units::{Nanos, Percent};

use crate::claim::claim_for;
use crate::measure::{goal_of, or_stopped};
use crate::run::quiet::Rest;
use crate::run::{Schedule, Session, Step, Until, repeat};
use crate::witness::tell;
use crate::work_place::{insist_on_directory, needs_lock};
use crate::{Event, ExperimentError, Outcome, Site, Witness};
pub use stream::StreamWorkload;
use trial::{Trial, TrialStream};

/// One of several workloads.
#[derive(Debug, Clone, PartialEq)]
pub struct StreamRequest {
    /// What it is called; `None` for its number and what it does.
    pub name: Option<String>,
    /// A directory, an existing file or a block device.
    pub target: PathBuf,
    /// What is done.
    pub workload: StreamWorkload,
    /// Whether to fail where `O_DIRECT` is refused, instead of going through the page cache.
    pub direct_or_nothing: bool,
}

/// What is measured.
#[derive(Debug, Clone, PartialEq)]
pub struct TogetherRequest {
    /// The workloads, at least one.
    pub streams: Vec<StreamRequest>,
    /// How often, at least once; `None` as in [`MeasureRequest`](crate::MeasureRequest).
    pub runs: Option<usize>,
    /// The relative half width that is asked for, if any is.
    pub precision: Option<Percent>,
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
    let goal = goal_of(request.precision, request.runs)?;
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
    let _lock = lock_all(request, &sites, control, witness)?;
    // What was waited for is no part of the time for the precision.
    let begun = Instant::now();
    let (streams, choices) = TrialStream::all(request, &sites, &names, control)?;
    let mut runs = Vec::new();
    let mut blocks = Blocks::new(request, &streams, Until::new(request.runs, &goal, begun));
    let schedule = Schedule::Shuffled(request.seed);
    or_stopped(repeat(
        &mut blocks,
        schedule,
        &control.stop,
        witness,
        &mut runs,
    ))?;
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
            None => format!("{} {}", at + 1, stream.workload.headline()),
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
        storage: Some(joined(|record| {
            record.storage.as_deref().unwrap_or_default()
        })),
        devices,
        class: all
            .first()
            .filter(|_| all.len() == 1)
            .and_then(|only| only.class),
    }
}

/// One holder for everything that the workloads stand on.
fn lock_all(
    request: &TogetherRequest,
    sites: &[Site],
    control: &Control,
    witness: &mut dyn Witness,
) -> Result<TargetLock, ExperimentError> {
    let mut touched = Vec::new();
    for (stream, site) in request.streams.iter().zip(sites) {
        let is_touched = match &stream.workload {
            StreamWorkload::Io(io) => needs_lock(site, io)?,
            StreamWorkload::Names(_) => insist_on_directory(site).map(|()| true)?,
        };
        if is_touched {
            touched.push(site);
        }
    }
    claim_for(&touched, control, witness)
}

/// The blocks: all workloads together, and each alone where that is wanted.
struct Blocks<'a> {
    trials: Vec<Trial<'a>>,
    rest: Rest,
    until: Until<'a>,
}

impl<'a> Blocks<'a> {
    fn new(
        request: &TogetherRequest,
        streams: &'a [TrialStream<'a>],
        until: Until<'a>,
    ) -> Blocks<'a> {
        let all: Vec<&TrialStream<'_>> = streams.iter().collect();
        let mut trials = vec![Trial::new(all, false)];
        if request.alone {
            let is_alone = streams.len() > 1;
            trials.extend(streams.iter().map(|one| Trial::new(vec![one], is_alone)));
        }
        let rest = Rest::within(None);
        Blocks {
            trials,
            rest,
            until,
        }
    }
}

impl Session for Blocks<'_> {
    fn open(
        &mut self,
        block: u32,
        runs: &[Run],
        witness: &mut dyn Witness,
    ) -> Result<Vec<usize>, ExperimentError> {
        if !self.until.goes_on(block as usize, runs) {
            return Ok(Vec::new());
        }
        self.until.tell_block(block, self.trials.len(), witness)?;
        Ok((0..self.trials.len()).collect())
    }

    fn pass(&mut self, step: Step, witness: &mut dyn Witness) -> Result<Vec<Run>, ExperimentError> {
        self.trials[step.group].run(step.begun, &self.rest, witness)
    }
}
