//! `etalon passport [TARGET]`.

use etalon_exchange::{DocumentFormat, Envelope, PassportBody};
use etalon_experiment::{Outcome, QuickRequest, quick};
use etalon_judge::passports;
use etalon_model::{Experiment, ExperimentKind, ExperimentState, RunId, TargetRecord};
use etalon_report::{PassportPage, paragraph};
use etalon_stats::PASSPORT_RUNS;
use etalon_store::Store;
use etalon_tools::Exit;

use super::subcommand::{Activity, Subcommand};
use crate::bench::{Bench, seed};
use crate::cli::PassportArgs;
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
    print(
        &outcome,
        bench.kept_as(),
        earlier.as_ref(),
        args.session.json,
    )
}

fn print(
    outcome: &Outcome,
    id: Option<RunId>,
    earlier: Option<&Experiment>,
    json: bool,
) -> anyhow::Result<Exit> {
    let passports = passports(&outcome.cells, &outcome.runs, earlier);
    if json {
        let body = PassportBody {
            passports: &passports,
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
        let missing = outcome.cells.len() - passports.len();
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
    Ok(match outcome.interrupted {
        true => Exit::Interrupted,
        false if passports.len() == outcome.cells.len() => Exit::Done,
        false => Exit::NotValid,
    })
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
