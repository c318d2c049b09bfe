//! `etalon metadata [TARGET]`.

use std::sync::atomic::Ordering;

use etalon_judge::summarise;
use etalon_model::LatencyHistogram;
use etalon_report::{FigureRow, FigureTable};
use etalon_workload::metadata::{
    Directories, MetadataEnd, MetadataOperation, MetadataRecord, MetadataWorkload, Outcome,
    run as work,
};

use crate::bench::seed;
use crate::cli::MetadataArgs;
use crate::exit::{BadUsage, Exit};
use crate::ground::Ground;
use crate::output;

pub(crate) fn run(args: &MetadataArgs) -> anyhow::Result<Exit> {
    let workload = workload(args)?;
    let ground = Ground::on(&args.target)?;
    let mut records = Vec::new();
    for index in 0..args.runs.max(1) {
        let this = MetadataWorkload {
            seed: workload.seed.wrapping_add(index as u64),
            ..workload.clone()
        };
        records.push(work(&this, ground.path(), &ground.stop)?);
        output::note(&format!("run {} of {} done", index + 1, args.runs.max(1)));
        if ground.stop.load(Ordering::Relaxed) {
            break;
        }
    }
    if args.json {
        let document = serde_json::json!({
            "format": "etalon-metadata",
            "schema_version": etalon_model::SCHEMA_VERSION,
            "runs": records,
        });
        output::print(&(serde_json::to_string_pretty(&document)? + "\n"))?;
    } else {
        output::print(&page(&workload, &records))?;
    }
    Ok(exit_of(&records))
}

fn workload(args: &MetadataArgs) -> anyhow::Result<MetadataWorkload> {
    let operations = match &args.operations {
        Some(list) => MetadataOperation::parse_list(list).map_err(|e| BadUsage(e.to_string()))?,
        None => MetadataOperation::ALL.to_vec(),
    };
    let workload = MetadataWorkload {
        operations,
        depth: args.depth,
        breadth: args.breadth,
        files: args.files,
        file_size: args.file_size,
        jobs: args.jobs,
        directories: if args.shared {
            Directories::Shared
        } else {
            Directories::Own
        },
        seed: seed(args.seed),
        ..MetadataWorkload::default()
    };
    workload.check().map_err(|e| BadUsage(e.to_string()))?;
    Ok(workload)
}

fn page(workload: &MetadataWorkload, records: &[MetadataRecord]) -> String {
    let rows: Vec<FigureRow> = workload
        .operations
        .iter()
        .filter_map(|&operation| row(operation, records))
        .collect();
    let mut text = FigureTable {
        what: "operation",
        more: &["p50", "p99", "p99.9"],
        rows: &rows,
    }
    .to_string();
    for (number, record) in records.iter().enumerate() {
        for phase in &record.phases {
            if let Outcome::Unsupported { errno } = phase.outcome {
                let why = std::io::Error::from_raw_os_error(errno);
                text.push_str(&format!(
                    "{}: the filesystem does not have it ({why})\n",
                    phase.operation.name()
                ));
            }
        }
        if record.ended != MetadataEnd::Complete {
            text.push_str(&format!("run {}: {:?}\n", number + 1, record.ended));
        }
    }
    text
}

/// One operation over all runs in which it was done to the end.
fn row(operation: MetadataOperation, records: &[MetadataRecord]) -> Option<FigureRow> {
    let mut latency = LatencyHistogram::new();
    let mut rates = Vec::new();
    for phase in records.iter().filter_map(|record| record.phase(operation)) {
        if phase.outcome == Outcome::Complete {
            latency.merge(&phase.latency);
            rates.push(phase.per_second());
        }
    }
    let (mean, median) = summarise(&rates)?;
    let tail = |q| {
        latency
            .tail_quantile(q)
            .map_or_else(|| "–".to_owned(), |span| span.to_string())
    };
    Some(FigureRow {
        name: operation.name().to_owned(),
        unit: "op/s".to_owned(),
        mean,
        median,
        more: vec![tail(0.5), tail(0.99), tail(0.999)],
    })
}

fn exit_of(records: &[MetadataRecord]) -> Exit {
    let ends: Vec<&MetadataEnd> = records.iter().map(|record| &record.ended).collect();
    if ends.contains(&&MetadataEnd::Interrupted) {
        Exit::Interrupted
    } else if ends.iter().all(|end| **end == MetadataEnd::Complete) {
        Exit::Done
    } else {
        Exit::Failed
    }
}
