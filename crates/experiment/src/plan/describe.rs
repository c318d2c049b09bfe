//! What a plan would do, told without doing it.

use std::fs::File;
use std::path::{Path, PathBuf};

use etalon_factor::Journal;
use etalon_factor::condition::{Description, Ground, Need, makes_the_target};
use etalon_factor::guard::{Refusal, lost_on, may_write};
use etalon_model::{Backend, End, FileLayout};
use etalon_units::{Bytes, Nanos};

use super::arrange::{Arrangement, arrange};
use super::request::PlanRequest;
use super::task::PlannedTask;
use crate::{ExperimentError, Site, SiteKind, work_place};

/// What looking around, laying out and setting levels take beside each run, as first blocks show.
const BESIDE_A_RUN: f64 = 0.6;
/// What a run without a set length is taken for.
const UNTIMED_RUN: f64 = 10.0;

/// What would happen.
#[derive(Debug)]
pub struct PlanDescription {
    /// Cells and plots.
    pub arrangement: Arrangement,
    /// Each level by its factor and name, with what it would do.
    pub levels: Vec<(String, Description)>,
    /// What is lost for good of devices that runs write to, a line each.
    pub destroys: Vec<String>,
    /// What the guard will refuse, a sentence each.
    pub refusals: Vec<String>,
    /// What it refuses of devices that levels build on, which is met only once their turn comes.
    pub refused_levels: Vec<String>,
    /// What is missing.
    pub needs: Vec<Need>,
    /// Space for files, at most: what was asked for, or what would be chosen now.
    pub space: Bytes,
    /// Time for one block.
    pub block: Nanos,
    /// What one run of each workload takes, in the order of the workloads.
    pub runs: Vec<RunTime>,
    /// Blocks, as far as that is known before.
    pub blocks: usize,
}

/// What one run takes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum RunTime {
    /// The workload says so.
    Given(Nanos),
    /// A pilot run took so long.
    Pilot(Nanos),
    /// The workload ends by bytes, after a pass or with its last step: ten seconds are taken for it.
    NotKnown,
}

impl RunTime {
    fn of(task: &PlannedTask, pilot: Option<Nanos>) -> RunTime {
        match (task.io().map(|io| io.end), pilot) {
            (Some(End::Time(time)), _) => RunTime::Given(time),
            (_, Some(time)) => RunTime::Pilot(time),
            (_, None) => RunTime::NotKnown,
        }
    }

    fn seconds(self) -> f64 {
        match self {
            RunTime::Given(time) => BESIDE_A_RUN + time.as_secs_f64(),
            // It was looked around too.
            RunTime::Pilot(time) => time.as_secs_f64(),
            RunTime::NotKnown => BESIDE_A_RUN + UNTIMED_RUN,
        }
    }
}

/// Finds out what a plan would do and what is missing for it. `pilots` are the times of runs that were made to know
/// them, in the order of the workloads; none where none was made.
///
/// # Errors
/// When a target cannot be looked at.
pub fn describe(
    request: &PlanRequest,
    pilots: &[Option<Nanos>],
) -> Result<PlanDescription, ExperimentError> {
    let arrangement = arrange(request);
    let journal = Journal::open()?;
    let (mut levels, mut needs): (Vec<(String, Description)>, Vec<Need>) = Default::default();
    let (mut destroys, mut refusals, mut refused_levels) = (Vec::new(), Vec::new(), Vec::new());
    for target in &request.targets {
        let site = Site::look(target)?;
        let path: PathBuf = site.path.clone();
        if request.writes_target(&site) {
            destroys.extend(lost_on(&path));
            refusals.extend(refusal(&path, &request.destroy));
        }
        let mut ground = Ground::of(&journal, &path, &path)?;
        ground.destroy.clone_from(&request.destroy);
        for chosen in &request.factors {
            for level in &chosen.levels {
                // What stands on what an expensive factor makes cannot be looked at before.
                if !stands_on_made(request, chosen.factor.depth()) {
                    needs.extend(level.needs(&ground));
                }
                let described = level.describe(&ground).unwrap_or_default();
                let built_on = described.writes.iter();
                refused_levels.extend(built_on.filter_map(|d| refusal(d, &request.destroy)));
                let name = format!("{} {}", chosen.factor.name(), level.name());
                levels.push((name, described));
            }
        }
    }
    let writes_one = !destroys.is_empty() || request.makes_the_target();
    if request.precondition.is_any() && !writes_one {
        let text = "precondition takes a block device and a workload that writes to it: name one as the target";
        needs.push(Need::Decision(text.to_owned()));
    }
    refused_levels.sort();
    refused_levels.dedup();
    needs.sort();
    needs.dedup();
    let setting: f64 = levels.iter().map(|(_, level)| level.seconds).sum();
    let workloads = request.workloads.iter().enumerate();
    let runs = workloads.map(|(number, named)| {
        let pilot = pilots.get(number).copied().flatten();
        RunTime::of(&named.task, pilot)
    });
    let runs: Vec<RunTime> = runs.collect();
    let block = arrangement.cells.iter();
    let block: f64 = block.map(|cell| runs[cell.workload].seconds()).sum();
    Ok(PlanDescription {
        space: space(request, &levels)?,
        runs,
        block: Nanos::from_secs_f64(block + setting),
        blocks: request.blocks.unwrap_or(super::session::USUAL_BLOCKS),
        arrangement,
        levels,
        destroys,
        refusals,
        refused_levels,
        needs,
    })
}

/// What the guard says of a device that is to be written; it is only read here.
fn refusal(device: &Path, destroy: &[String]) -> Option<String> {
    let file = match File::open(device) {
        Ok(file) => file,
        Err(error) => return Some(format!("cannot open '{}': {error}", device.display())),
    };
    let refused = may_write(&file, device, None).err()?;
    let mut others = Vec::new();
    for typed in destroy {
        match may_write(&file, device, Some(typed)) {
            Ok(()) => return None,
            Err(other @ Refusal::OtherDevice { .. }) => others.push(other),
            Err(other) => return Some(other.to_string()),
        }
    }
    Some(refused.by_none_of(&others).to_string())
}

fn stands_on_made(request: &PlanRequest, depth: etalon_factor::condition::Depth) -> bool {
    let factors = request.factors.iter().map(|chosen| chosen.factor);
    factors
        .filter(|factor| makes_the_target(*factor))
        .any(|factor| factor.depth() < depth)
}

/// The largest files of any workload with the largest of what is made. Files of no size are counted as those that would be
/// chosen on the filesystem as it is.
fn space(
    request: &PlanRequest,
    levels: &[(String, Description)],
) -> Result<Bytes, ExperimentError> {
    let mut most = 0;
    // Files on what a factor makes take no more than that.
    let targets = request
        .targets
        .iter()
        .filter(|_| !request.makes_the_target());
    for target in targets {
        let site = Site::look(target)?;
        for workload in &request.io() {
            let is_imagined = matches!(workload.backend, Backend::Null | Backend::Fake);
            if site.kind != SiteKind::Directory || is_imagined {
                continue;
            }
            let files = match workload.layout {
                FileLayout::Shared => 1,
                FileLayout::PerJob => u64::from(workload.jobs.max(1)),
            };
            let size = match workload.file_size {
                Bytes::ZERO => work_place::usual_size(&site.path, files)?,
                size => size,
            };
            most = most.max(size.get().saturating_mul(files));
        }
    }
    let made = levels.iter().map(|(_, level)| level.space.get()).max();
    Ok(Bytes(most + made.unwrap_or_default()))
}
