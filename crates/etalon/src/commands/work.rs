//! `etalon work NAME [TARGET]`.

use etalon_exchange::{DocumentFormat, Envelope, ListedParameter, ListedWork, WorksBody};
use etalon_experiment::{Repeat, WorkRequest, work, works};
use etalon_model::ExperimentKind;
use etalon_report::{described, paragraph};
use etalon_tools::Exit;
use etalon_work::{Parameter, Values};

use super::subcommand::{Activity, Subcommand};
use crate::bench::{Bench, seed};
use crate::cli::WorkArgs;
use crate::exit::BadUsage;
use crate::output;

impl Subcommand for WorkArgs {
    const NAME: &'static str = "work";
    const ACTIVITY: Activity = Activity::MakesFiles;

    fn run(&self) -> anyhow::Result<Exit> {
        run(self)
    }
}

fn run(args: &WorkArgs) -> anyhow::Result<Exit> {
    if args.name == "list" {
        let json = args.repeat.session.json;
        match json {
            true => output::print(&document()?)?,
            false => output::print_page(&list())?,
        }
        return Ok(Exit::Done);
    }
    let request = request(args)?;
    let session = &args.repeat.session;
    let settings = serde_json::json!({
        "runs": args.repeat.runs,
        "precision": args.repeat.precision,
        "work": args.name,
        "set": args.set,
    });
    let seed = request.repeat.seed;
    let mut bench = Bench::open(ExperimentKind::Work, &session.store, seed, settings)?;
    bench.strict = session.strict;
    let control = bench.control(session.wait)?;
    let outcome = work(&request, &control, &mut bench);
    bench.close_task(outcome, session.json)
}

pub(super) fn request(args: &WorkArgs) -> Result<WorkRequest<'static>, BadUsage> {
    let names = || {
        works()
            .map(|work| work.name())
            .collect::<Vec<_>>()
            .join(", ")
    };
    let work = works()
        .find(|work| work.name() == args.name)
        .ok_or_else(|| {
            BadUsage(format!(
                "unknown workload '{}'; available: {} (`etalon work list` shows their parameters)",
                args.name,
                names()
            ))
        })?;
    let given = given(&args.set)?;
    let values = Values::parse(work.parameters(), &given).map_err(|e| BadUsage(e.to_string()))?;
    work.check(&values).map_err(|e| BadUsage(e.to_string()))?;
    Ok(WorkRequest {
        repeat: Repeat {
            target: args.target.clone(),
            runs: args.repeat.runs,
            precision: args.repeat.precision,
            seed: seed(args.repeat.session.seed),
        },
        work,
        given,
    })
}

fn given(set: &[String]) -> Result<Vec<(String, String)>, BadUsage> {
    let pairs = set.iter().map(|text| match text.split_once('=') {
        Some((name, value)) => Ok((name.to_owned(), value.to_owned())),
        None => Err(BadUsage(format!("--set '{text}': write NAME=VALUE"))),
    });
    pairs.collect()
}

/// Before each parameter.
const INDENT: &str = "    ";

/// Every workload with its parameters.
fn list() -> String {
    let width = output::width();
    let mut text = String::new();
    for work in works() {
        text.push_str(&paragraph(
            &format!("{}: {}", work.name(), work.summary()),
            width,
        ));
        let row = |parameter: &Parameter| {
            let default = match parameter.default {
                "" => String::new(),
                value => format!(" [default: {value}]"),
            };
            (parameter.name, format!("{}{default}", parameter.help))
        };
        let rows: Vec<_> = work.parameters().iter().map(row).collect();
        text.push_str(&described(INDENT, &rows, width));
    }
    text
}

fn document() -> anyhow::Result<String> {
    let works = works().map(|work| ListedWork {
        name: work.name(),
        about: work.summary(),
        parameters: work.parameters().iter().map(listed).collect(),
    });
    let body = WorksBody {
        works: works.collect(),
    };
    Ok(Envelope::new(DocumentFormat::Works, "work", body).to_text()?)
}

fn listed(parameter: &Parameter) -> ListedParameter {
    ListedParameter {
        name: parameter.name,
        about: parameter.help,
        default: Some(parameter.default).filter(|default| !default.is_empty()),
    }
}
