//! `etalon [TARGET]` and `etalon quick [TARGET]`.

use std::path::Path;

use anyhow::bail;
use etalon_experiment::{QuickRequest, quick};
use etalon_model::ExperimentKind;

use super::subcommand::{Activity, Subcommand};
use crate::bench::Bench;
use crate::cli::QuickArgs;
use crate::exit::{BadUsage, Exit};

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
        min_runs: args.min_runs,
        max_runs: args.max_runs,
        seed: crate::bench::seed(args.session.seed),
    };
    let settings = serde_json::json!({
        "budget_ns": args.budget,
        "precision": args.precision,
        "min_runs": args.min_runs,
        "max_runs": args.max_runs,
    });
    let mut bench = Bench::open(
        ExperimentKind::Quick,
        &args.session.store,
        request.seed,
        settings,
    )?;
    bench.look.ascii |= args.ascii;
    bench.strict = args.session.strict;
    let control = bench.control(args.session.wait)?;
    let outcome = quick(&request, &control, &mut bench);
    bench.close(outcome, args.session.json)
}

/// A word that names no file and could be a command is one that etalon does not have.
pub(crate) fn refuse_unknown_command(target: &Path) -> anyhow::Result<()> {
    let is_word = |name: &str| name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
    match target.to_str() {
        Some(name) if !name.is_empty() && is_word(name) && !target.exists() => {
            bail!(BadUsage(format!(
                "unknown command '{name}', and no file or directory of that name; 'etalon --help' lists the commands"
            )))
        }
        _ => Ok(()),
    }
}
