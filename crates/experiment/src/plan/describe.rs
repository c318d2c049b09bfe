//! What a plan would do, told without doing it.

use std::path::PathBuf;

use etalon_factor::Journal;
use etalon_factor::condition::{Cost, Description, Ground, Need};
use etalon_model::End;
use etalon_units::{Bytes, Nanos};

use super::arrange::{Arrangement, arrange};
use super::request::PlanRequest;
use crate::{ExperimentError, Site};

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
    /// What is missing.
    pub needs: Vec<Need>,
    /// Space for files, at most.
    pub space: Bytes,
    /// Time for one block.
    pub block: Nanos,
    /// Blocks, as far as that is known before.
    pub blocks: usize,
}

/// Finds out what a plan would do and what is missing for it.
///
/// # Errors
/// When a target cannot be looked at.
pub fn describe(request: &PlanRequest) -> Result<PlanDescription, ExperimentError> {
    let arrangement = arrange(request);
    let journal = Journal::open()?;
    let (mut levels, mut needs): (Vec<(String, Description)>, Vec<Need>) = Default::default();
    for target in &request.targets {
        let path: PathBuf = Site::look(target)?.path;
        let mut ground = Ground::of(&journal, &path, &path)?;
        ground.destroy.clone_from(&request.destroy);
        for chosen in &request.factors {
            for level in &chosen.levels {
                // What stands on what an expensive factor makes cannot be looked at before.
                if !stands_on_made(request, chosen.factor.depth()) {
                    needs.extend(level.needs(&ground));
                }
                let described = level.describe(&ground).unwrap_or_default();
                let name = format!("{} {}", chosen.factor.name(), level.name());
                levels.push((name, described));
            }
        }
    }
    needs.sort();
    needs.dedup();
    let setting: f64 = levels.iter().map(|(_, level)| level.seconds).sum();
    let block = arrangement.cells.iter().map(|cell| {
        let workload = &request.workloads[cell.workload].workload;
        BESIDE_A_RUN
            + match workload.end {
                End::Time(time) => time.as_secs_f64(),
                End::Bytes(_) | End::Pass => UNTIMED_RUN,
            }
    });
    Ok(PlanDescription {
        space: space(request, &levels),
        block: Nanos::from_secs_f64(block.sum::<f64>() + setting),
        blocks: request.blocks.unwrap_or(super::session::USUAL_BLOCKS),
        arrangement,
        levels,
        needs,
    })
}

fn stands_on_made(request: &PlanRequest, depth: etalon_factor::condition::Depth) -> bool {
    let factors = request.factors.iter().map(|chosen| chosen.factor);
    factors
        .filter(|factor| factor.cost() == Cost::Expensive)
        .any(|factor| factor.depth() < depth)
}

fn space(request: &PlanRequest, levels: &[(String, Description)]) -> Bytes {
    let files = request.workloads.iter().map(|named| {
        let size = named.workload.file_size.get().max(1 << 20);
        size * u64::from(named.workload.jobs.max(1))
    });
    let made = levels.iter().map(|(_, level)| level.space.get()).max();
    Bytes(files.max().unwrap_or_default() + made.unwrap_or_default())
}
