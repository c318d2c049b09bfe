//! The command that measures one check like another, whose target was too slow for the same files.

use etalon_experiment::Likeness;
use etalon_model::{Experiment, ExperimentKind};
use etalon_units::{Bytes, shell_word};

use crate::arms::NamedArm;
use crate::cli::StoreArgs;
use crate::commands::quick::size_in;

/// Repeats the check with the largest files as the one with the smallest was made; `None` where that changes nothing, or
/// an arm is no check that writes, of the store that `--like` reads.
pub(super) fn command(named: &[NamedArm], store: &StoreArgs) -> Option<String> {
    let sizes: Option<Vec<(SizeAndDepth, &NamedArm)>> = named
        .iter()
        .map(|arm| Some((load(arm).filter(|_| is_of_own_store(arm))?, arm)))
        .collect();
    let sizes = sizes?;
    let (least, small) = sizes.iter().min_by_key(|(load, _)| *load)?;
    let (most, large) = sizes.iter().max_by_key(|(load, _)| *load)?;
    (least != most).then(|| {
        let (large, small) = (&large.experiment.header, &small.experiment.header);
        let place = shell_word(&large.begun.target.path);
        format!("etalon quick {place} --like {}{}", small.id, store.typed())
    })
}

/// Size of the files and depth of the streams.
type SizeAndDepth = (Bytes, u32);

fn load(arm: &NamedArm) -> Option<SizeAndDepth> {
    let experiment = &arm.experiment;
    let is_check = experiment.header.begun.kind == ExperimentKind::Quick && writes(experiment);
    let size = size_in(experiment).filter(|_| is_check)?;
    let depth = Likeness::of(&experiment.runs).stream_depth;
    Some((size, depth.unwrap_or(1)))
}

fn writes(experiment: &Experiment) -> bool {
    let workloads = experiment
        .cells
        .iter()
        .filter_map(|cell| cell.workload.io());
    workloads.into_iter().any(|io| io.operation.writes())
}

/// A number alone, with a row or runs of it.
pub(super) fn is_of_own_store(arm: &NamedArm) -> bool {
    let number = arm.typed.split(['/', '@']).next().unwrap_or_default();
    number.parse::<i64>().is_ok()
}
