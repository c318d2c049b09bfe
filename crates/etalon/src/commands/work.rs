//! `etalon work NAME [TARGET]`.

use std::fmt::Write as _;
use std::sync::atomic::Ordering;

use etalon_judge::summarise;
use etalon_report::{FigureRow, FigureTable};
use etalon_units::Nanos;
use etalon_workload::work::{Context, REGISTRY, RealWork, StepRecord, WorkEnd, WorkRecord, find};

use crate::bench::seed;
use crate::cli::WorkloadArgs;
use crate::exit::{BadUsage, Exit};
use crate::ground::Ground;
use crate::output;

pub(crate) fn run(args: &WorkloadArgs) -> anyhow::Result<Exit> {
    if args.name == "list" {
        output::print(&list())?;
        return Ok(Exit::Done);
    }
    let names = || REGISTRY.map(|work| work.name()).join(", ");
    let work = find(&args.name).ok_or_else(|| {
        BadUsage(format!(
            "'{}' is no work; there are {} (`etalon work list` tells their parameters)",
            args.name,
            names()
        ))
    })?;
    let given = given(&args.set)?;
    let ground = Ground::on(&args.target)?;
    let records = repeat(work, args, &given, &ground)?;
    if args.json {
        let document = serde_json::json!({
            "format": "etalon-work",
            "schema_version": etalon_model::SCHEMA_VERSION,
            "runs": records,
        });
        output::print(&(serde_json::to_string_pretty(&document)? + "\n"))?;
    } else {
        output::print(&page(&records))?;
    }
    Ok(exit_of(&records))
}

fn given(set: &[String]) -> Result<Vec<(String, String)>, BadUsage> {
    let pairs = set.iter().map(|text| match text.split_once('=') {
        Some((name, value)) => Ok((name.to_owned(), value.to_owned())),
        None => Err(BadUsage(format!("--set '{text}': write NAME=VALUE"))),
    });
    pairs.collect()
}

fn repeat(
    work: &dyn RealWork,
    args: &WorkloadArgs,
    given: &[(String, String)],
    ground: &Ground,
) -> anyhow::Result<Vec<WorkRecord>> {
    let seed = seed(args.seed);
    let runs = args.runs.max(1);
    let mut records = Vec::new();
    for run in 1..=runs {
        let witness = |step: &str| output::note(&format!("run {run} of {runs}: {step}"));
        records.push(work.run(&Context {
            directory: ground.path(),
            seed,
            given,
            stop: &ground.stop,
            witness: &witness,
        })?);
        if ground.stop.load(Ordering::Relaxed) {
            break;
        }
    }
    Ok(records)
}

/// Every work with its parameters.
fn list() -> String {
    let mut text = String::new();
    for work in REGISTRY {
        let _ = writeln!(text, "{}: {}", work.name(), work.summary());
        for parameter in work.parameters() {
            let default = match parameter.default {
                "" => String::new(),
                value => format!(" [default: {value}]"),
            };
            let _ = writeln!(text, "    {}  {}{default}", parameter.name, parameter.help);
        }
    }
    text
}

fn page(records: &[WorkRecord]) -> String {
    let names: Vec<&str> = records
        .iter()
        .max_by_key(|record| record.steps.len())
        .map(|record| record.steps.iter().map(|step| step.name.as_str()).collect())
        .unwrap_or_default();
    let rows: Vec<FigureRow> = names.iter().filter_map(|name| row(name, records)).collect();
    let mut text = FigureTable {
        what: "step, until durable",
        more: &["returned", "user", "system", "wait"],
        rows: &rows,
    }
    .to_string();
    if let Some(input) = records.first().and_then(|record| record.input.as_ref()) {
        let _ = writeln!(
            text,
            "input: {}, {} files, {}",
            input.source, input.files, input.bytes
        );
    }
    for (number, record) in records.iter().enumerate() {
        match &record.ended {
            WorkEnd::Complete => {}
            WorkEnd::Interrupted => {
                let _ = writeln!(text, "run {}: interrupted", number + 1);
            }
            WorkEnd::DiskFull { message } | WorkEnd::Failed { message } => {
                let _ = writeln!(text, "run {}: {message}", number + 1);
            }
        }
    }
    text
}

/// One step over all runs; the further columns are means.
fn row(name: &str, records: &[WorkRecord]) -> Option<FigureRow> {
    let steps: Vec<&StepRecord> = records.iter().filter_map(|r| r.step(name)).collect();
    let seconds: Vec<f64> = steps.iter().map(|s| s.durable().as_secs_f64()).collect();
    let (mean, median) = summarise(&seconds)?;
    let mean_of = |part: fn(&StepRecord) -> Nanos| {
        let total: u64 = steps.iter().map(|step| part(step).get()).sum();
        Nanos(total / steps.len().max(1) as u64).to_string()
    };
    Some(FigureRow {
        name: name.to_owned(),
        unit: "s".to_owned(),
        mean,
        median,
        more: vec![
            mean_of(|step| step.elapsed),
            mean_of(|step| step.user),
            mean_of(|step| step.system),
            mean_of(|step| step.wait),
        ],
    })
}

fn exit_of(records: &[WorkRecord]) -> Exit {
    let is_stopped = |record: &WorkRecord| record.ended == WorkEnd::Interrupted;
    if records.iter().any(is_stopped) {
        Exit::Interrupted
    } else if records
        .iter()
        .all(|record| record.ended == WorkEnd::Complete)
    {
        Exit::Done
    } else {
        Exit::Failed
    }
}
