//! `etalon list`.

use etalon_exchange::{DocumentFormat, Envelope, ListBody, ListedExperiment};
use etalon_store::{ExperimentSummary, Store};
use etalon_units::visible;
use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::subcommand::Subcommand;
use crate::cli::ListArgs;
use crate::exit::Exit;
use crate::output;
use crate::stores;

impl Subcommand for ListArgs {
    const NAME: &'static str = "list";

    fn run(&self) -> anyhow::Result<Exit> {
        run(self)
    }
}

fn run(args: &ListArgs) -> anyhow::Result<Exit> {
    let (experiments, exit) = match stores::open_read_only(&args.store) {
        Ok(store) => stores::sound(Store::list_sound(&store)?),
        // Without --store, a store that was never begun is an empty one.
        Err(error) if args.store.store.is_none() && stores::is_missing(&error) => {
            (Vec::new(), Exit::Done)
        }
        Err(error) => return Err(error),
    };
    let text = if args.json {
        document(&experiments)?
    } else if experiments.is_empty() && exit == Exit::Done {
        "nothing has been measured yet; `etalon` measures the storage beneath this directory\n"
            .to_owned()
    } else {
        experiments.iter().map(line).collect()
    };
    output::print(&text)?;
    Ok(exit)
}

/// `7  2026-11-21 10:15  quick  finished  7 of 9 valid  63 runs  /srv`
fn line(experiment: &ExperimentSummary) -> String {
    format!(
        "{:>5}  {}  {:8} {:11} {} of {} valid  {:>4} runs  {}\n",
        experiment.id,
        local_time(experiment.started_unix_ns),
        experiment.kind,
        experiment.state,
        experiment.valid_cells,
        experiment.cells,
        experiment.runs,
        visible(&experiment.target_path),
    )
}

fn local_time(unix_ns: i64) -> String {
    Timestamp::from_nanosecond(i128::from(unix_ns)).map_or_else(
        |_| "at no known time".to_owned(),
        |time| {
            time.to_zoned(TimeZone::system())
                .strftime("%Y-%m-%d %H:%M")
                .to_string()
        },
    )
}

fn document(experiments: &[ExperimentSummary]) -> anyhow::Result<String> {
    let rows: Vec<_> = experiments
        .iter()
        .map(|e| ListedExperiment {
            id: e.id,
            kind: e.kind,
            state: e.state,
            started_unix_ns: e.started_unix_ns,
            ended_unix_ns: e.ended_unix_ns,
            target_path: e.target_path.clone(),
            runs: e.runs,
            cells: e.cells,
            valid_cells: e.valid_cells,
        })
        .collect();
    let body = ListBody { experiments: rows };
    Ok(Envelope::new(DocumentFormat::List, "list", body).to_text()?)
}
