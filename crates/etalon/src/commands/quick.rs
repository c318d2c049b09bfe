//! `etalon [TARGET]` and `etalon quick [TARGET]`.

use std::path::Path;

use anyhow::bail;
use etalon_experiment::{FileSize, Likeness, QuickRequest, SizeSource, quick};
use etalon_model::{Experiment, ExperimentKind, ExperimentState, ExperimentSummary};
use etalon_stats::MIN_RUNS_LAB;
use etalon_tools::Exit;
use etalon_units::{Bytes, Nanos};

use super::measure::refuse_zero;
use super::subcommand::{Activity, Subcommand};
use crate::bench::Bench;
use crate::cli::QuickArgs;
use crate::exit::BadUsage;
use crate::stores;

impl Subcommand for QuickArgs {
    const NAME: &'static str = "quick";
    const ACTIVITY: Activity = Activity::MakesFiles;

    fn run(&self) -> anyhow::Result<Exit> {
        run(self)
    }
}

fn run(args: &QuickArgs) -> anyhow::Result<Exit> {
    if args.max_runs < args.min_runs {
        bail!(BadUsage(format!(
            "--max-runs {} is below --min-runs {}; raise the first or lower the second",
            args.max_runs, args.min_runs
        )));
    }
    let request = QuickRequest {
        target: args.target.clone(),
        budget: args.budget,
        precision: args.precision,
        file_size: file_size(args)?,
        min_runs: args.min_runs,
        max_runs: args.max_runs,
        replacements: 0,
        needed_blocks: needed_blocks(args.min_runs),
        seed: crate::bench::seed(args.session.seed),
        earlier: Vec::new(),
        earlier_took: Nanos::ZERO,
    };
    let settings = serde_json::json!({
        "budget_ns": args.budget,
        "precision": args.precision,
        "file_size": args.file_size,
        "like": args.like,
        "min_runs": args.min_runs,
        "max_runs": args.max_runs,
    });
    let mut bench = Bench::open(
        ExperimentKind::Quick,
        &args.session.store,
        request.seed,
        settings,
    )?;
    bench.strict = args.session.strict;
    let control = bench.control(args.session.wait)?;
    let outcome = quick(&request, &control, &mut bench);
    bench.close(outcome, args.session.json)
}

/// A check without the runs that were asked for is worth nothing; one without those of every interval is worth something.
fn needed_blocks(min_runs: usize) -> usize {
    match min_runs {
        ..=MIN_RUNS_LAB => 1,
        asked => asked,
    }
}

/// The size that is asked for, that of a named experiment, or of the last check of the same target; where
/// there is none, of the last of another one, so that the two can be compared.
fn file_size(args: &QuickArgs) -> anyhow::Result<Option<FileSize>> {
    refuse_zero("--file-size", args.file_size)?;
    if let Some(size) = args.file_size {
        return Ok(Some(FileSize {
            size,
            source: SizeSource::AskedFor,
            like: Likeness::default(),
        }));
    }
    let Some(id) = args.like else {
        return Ok(last_size(args));
    };
    let named = stores::open_read_only(&args.session.store)?.experiment(id)?;
    match size_in(&named) {
        Some(size) => Ok(Some(FileSize {
            size,
            source: SizeSource::Experiment,
            like: Likeness::of(&named.runs),
        })),
        None => bail!(BadUsage(format!(
            "--like {id}: that experiment has no file size; name one that `etalon quick` made"
        ))),
    }
}

/// The size of the newest finished check of the same target, else of another one; a store that cannot be
/// read has none.
fn last_size(args: &QuickArgs) -> Option<FileSize> {
    let store = stores::open_read_only(&args.session.store).ok()?;
    let path = std::fs::canonicalize(&args.target).ok()?;
    let mut checks = store.list_sound().ok()?.records;
    checks.retain(|e| e.kind == ExperimentKind::Quick && e.state == ExperimentState::Finished);
    let of_same = |e: &&ExperimentSummary| Path::new(&e.target_path) == path;
    let same = checks.iter().rev().find(of_same);
    let source = match same {
        Some(_) => SizeSource::SameTarget,
        None => SizeSource::OtherTarget,
    };
    let last = store.experiment(same.or(checks.last())?.id).ok()?;
    size_in(&last).map(|size| FileSize {
        size,
        source,
        like: Likeness::of(&last.runs).where_time_allows(),
    })
}

/// The size of the files of a check.
pub(super) fn size_in(experiment: &Experiment) -> Option<Bytes> {
    let workloads = experiment
        .cells
        .iter()
        .filter_map(|cell| cell.workload.io());
    workloads
        .map(|io| io.file_size)
        .find(|size| *size > Bytes::ZERO)
}

/// A word that names no file and could be a command is one that etalon, which has `names`, does not have.
pub(crate) fn refuse_unknown_command<'a>(
    target: &Path,
    names: impl Iterator<Item = &'a str>,
) -> anyhow::Result<()> {
    let is_word = |name: &str| name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
    match target.to_str() {
        Some(name) if !name.is_empty() && is_word(name) && !target.exists() => {
            let meant = crate::usage::nearest(name, names);
            let meant = meant.map_or_else(String::new, |near| format!("did you mean '{near}'? "));
            bail!(BadUsage(format!(
                "unknown command '{name}', and no file or directory of that name; {meant}'etalon --help' lists the commands"
            )))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_must_hold_the_runs_that_were_asked_for() {
        assert_eq!(needed_blocks(MIN_RUNS_LAB), 1);
        assert_eq!(needed_blocks(12), 12);
    }
}
