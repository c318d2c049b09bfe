//! `etalon metadata [TARGET]`.

use etalon_experiment::{MetadataRequest, Repeat, metadata};
use etalon_model::ExperimentKind;
use etalon_tools::Exit;
use etalon_workload::metadata::{Directories, MetadataOperation, MetadataWorkload};

use super::subcommand::{Activity, Subcommand};
use crate::bench::{Bench, seed};
use crate::cli::MetadataArgs;
use crate::exit::BadUsage;

impl Subcommand for MetadataArgs {
    const NAME: &'static str = "metadata";
    const ACTIVITY: Activity = Activity::MakesFiles;

    fn run(&self) -> anyhow::Result<Exit> {
        run(self)
    }
}

fn run(args: &MetadataArgs) -> anyhow::Result<Exit> {
    let workload = workload(args)?;
    let settings = serde_json::json!({
        "runs": args.repeat.runs,
        "precision": args.repeat.precision,
        "workload": workload,
    });
    let session = &args.repeat.session;
    let request = MetadataRequest {
        repeat: Repeat {
            target: args.target.clone(),
            runs: args.repeat.runs,
            precision: args.repeat.precision,
            seed: workload.seed,
        },
        workload,
        cells: Vec::new(),
    };
    let seed = request.repeat.seed;
    let mut bench = Bench::open(ExperimentKind::Metadata, &session.store, seed, settings)?;
    bench.strict = session.strict;
    let control = bench.control(session.wait)?;
    let outcome = metadata(&request, &control, &mut bench);
    bench.close_task(outcome, session.json)
}

pub(super) fn workload(args: &MetadataArgs) -> anyhow::Result<MetadataWorkload> {
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
        durability: args.durability,
        seed: seed(args.repeat.session.seed),
        ..MetadataWorkload::default()
    };
    workload.check().map_err(|e| BadUsage(e.to_string()))?;
    Ok(workload)
}
