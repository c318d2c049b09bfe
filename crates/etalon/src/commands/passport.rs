//! `etalon passport [TARGET]`.

use std::collections::BTreeSet;

use etalon_exchange::{DocumentFormat, Envelope, PassportBody};
use etalon_experiment::{Outcome, QuickRequest, quick};
use etalon_judge::passports;
use etalon_model::{Experiment, ExperimentKind, ExperimentState, Passport, RunId, TargetRecord};
use etalon_report::{PassportPage, paragraph};
use etalon_stats::PASSPORT_RUNS;
use etalon_store::Store;
use etalon_tools::Exit;

use super::subcommand::{Activity, Subcommand};
use crate::bench::{Bench, dropped_rows, exit_of, seed};
use crate::cli::{PassportArgs, SessionArgs, StrictArgs};
use crate::output;
use crate::stores;

impl Subcommand for PassportArgs {
    const NAME: &'static str = "passport";
    const ACTIVITY: Activity = Activity::MakesFiles;

    fn run(&self) -> anyhow::Result<Exit> {
        run(self)
    }
}

fn run(args: &PassportArgs) -> anyhow::Result<Exit> {
    let request = QuickRequest {
        target: args.target.clone(),
        budget: args.budget,
        precision: None,
        file_size: None,
        min_runs: PASSPORT_RUNS,
        max_runs: PASSPORT_RUNS,
        needed_blocks: PASSPORT_RUNS,
        seed: seed(args.session.seed),
        earlier: Vec::new(),
    };
    let settings = serde_json::json!({ "budget_ns": args.budget });
    let mut bench = Bench::open(
        ExperimentKind::Passport,
        &args.session.store,
        request.seed,
        settings,
    )?;
    let control = bench.control(args.session.wait)?;
    let outcome = quick(&request, &control, &mut bench);
    let outcome = bench.keep(outcome)?;
    let store = stores::open_read_only(&args.session.store)?;
    let earlier = last_of(&store, &outcome.target, bench.kept_as())?;
    print(&outcome, bench.kept_as(), earlier.as_ref(), &args.session)
}

fn print(
    outcome: &Outcome,
    id: Option<RunId>,
    earlier: Option<&Experiment>,
    session: &SessionArgs,
) -> anyhow::Result<Exit> {
    let passports = passports(&outcome.cells, &outcome.runs, earlier);
    let missing = missing(outcome, &passports);
    if session.json {
        let body = PassportBody {
            passports: &passports,
            dropped: dropped_rows(&outcome.choices),
        };
        let document = Envelope::new(DocumentFormat::Passport, "passport", body);
        output::print(&document.on(&outcome.target).of(id).to_text()?)?;
    } else {
        let page = PassportPage {
            target: &outcome.target,
            passports: &passports,
            cells: &outcome.cells,
            width: output::width(),
        };
        output::print_page(&page.to_string())?;
        if missing > 0 {
            let workloads = match missing {
                1 => "1 workload has".to_owned(),
                n => format!("{n} workloads have"),
            };
            let said = format!(
                "{workloads} fewer than ten valid runs and no passport; give a larger --budget, or see `etalon show` for what disturbed them"
            );
            output::note_lines(&paragraph(&said, output::width()));
        }
    }
    Ok(ended(outcome, missing, session.strict))
}

/// As of every check, where each workload has its passport.
fn ended(outcome: &Outcome, missing: usize, strict: StrictArgs) -> Exit {
    match exit_of(outcome, strict) {
        Exit::Done if missing > 0 => Exit::NotValid,
        exit => exit,
    }
}

/// How many workloads have no passport, also those without any run, which have no cell.
fn missing(outcome: &Outcome, passports: &[Passport]) -> usize {
    let cells = outcome.cells.iter().map(|cell| cell.name.as_str());
    let all: BTreeSet<&str> = cells.chain(dropped_rows(&outcome.choices)).collect();
    let has_one = |name: &&str| passports.iter().any(|passport| passport.name == *name);
    all.into_iter().filter(|name| !has_one(name)).count()
}

/// The newest finished passport of the same target before this one.
fn last_of(
    store: &Store,
    target: &TargetRecord,
    own: Option<i64>,
) -> anyhow::Result<Option<Experiment>> {
    let mut list = store.list_sound()?.records;
    list.retain(|e| {
        e.kind == ExperimentKind::Passport
            && e.state == ExperimentState::Finished
            && Some(e.id) != own
            && e.target_path == target.path
    });
    Ok(match list.last() {
        Some(last) => Some(store.experiment(last.id)?),
        None => None,
    })
}

#[cfg(test)]
mod tests {
    use etalon_model::Choice;
    use etalon_units::Nanos;

    use super::*;

    #[test]
    fn a_workload_without_any_run_has_no_passport_either() {
        let dropped = Choice::Dropped {
            rows: vec!["create files".to_owned()],
            least_runs: 10,
            needed_ns: Nanos::secs(9),
            budget_ns: Nanos::secs(60),
        };
        let outcome = |choices: Vec<Choice>| Outcome {
            target: TargetRecord::default(),
            choices,
            forecast: None,
            cells: Vec::new(),
            runs: Vec::new(),
            seed: 1,
            elapsed: Nanos::secs(1),
            interrupted: false,
            failure: None,
        };
        let exit = |choices| {
            let outcome = outcome(choices);
            let missing = missing(&outcome, &[]);
            ended(&outcome, missing, StrictArgs::default())
        };
        assert_eq!(exit(vec![dropped]), Exit::NotValid);
        assert_eq!(exit(Vec::new()), Exit::Done);
    }
}
