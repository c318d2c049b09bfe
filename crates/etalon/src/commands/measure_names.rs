//! `etalon measure DIR --op create`: a metadata operation alone, with the options of `measure`.

use anyhow::bail;
use etalon_experiment::{MetadataRequest, Repeat, metadata};
use etalon_model::{ExperimentKind, Operation};
use etalon_tools::Exit;
use etalon_workload::metadata::{MetadataOperation, MetadataWorkload};

use crate::bench::{Bench, seed};
use crate::cli::{GivenWork, MeasureArgs, MeasuredOperation};
use crate::exit::BadUsage;

/// The options of a workload that a metadata operation has.
const APPLY: [&str; 4] = ["files", "jobs", "one-pass", "seed"];

/// What `--op` asks for.
#[derive(Debug, PartialEq)]
pub(crate) enum Chosen {
    /// Operations of the engine, a cell or more for each.
    Io(Vec<Operation>),
    /// One operation on names.
    Names(MetadataOperation),
}

/// The operations on data, or the one on names.
///
/// # Errors
/// [`BadUsage`] where an operation on names is one of several.
pub(crate) fn chosen(operations: &[MeasuredOperation]) -> anyhow::Result<Chosen> {
    if let &[MeasuredOperation::Names(operation)] = operations {
        return Ok(Chosen::Names(operation));
    }
    let on_data = |operation: &MeasuredOperation| match operation {
        MeasuredOperation::Io(operation) => Ok(*operation),
        MeasuredOperation::Names(operation) => Err(*operation),
    };
    let data: Result<_, MetadataOperation> = operations.iter().map(on_data).collect();
    let Err(names) = data else {
        return Ok(data.map_or_else(Chosen::Names, Chosen::Io));
    };
    let all: Vec<&str> = operations
        .iter()
        .map(|operation| operation.name())
        .collect();
    bail!(BadUsage(format!(
        "--op {}: {names} is a metadata operation and is measured by itself; give --op {names} alone, or several to `etalon metadata --operations`",
        all.join(",")
    )))
}

/// Measures the operation, with a cell that is called after what it works on.
pub(crate) fn measure(args: &MeasureArgs, operation: MetadataOperation) -> anyhow::Result<Exit> {
    let workload = names_workload(operation, &args.work)?;
    let settings = serde_json::json!({ "runs": args.runs, "precision": args.precision });
    let request = MetadataRequest {
        repeat: Repeat {
            target: args.target.clone(),
            runs: args.runs,
            precision: args.precision,
            seed: workload.seed,
        },
        cells: vec![(operation, workload.headline())],
        workload,
    };
    let seed = request.repeat.seed;
    let mut bench = Bench::open(ExperimentKind::Measure, &args.store, seed, settings)?;
    bench.strict = args.strict;
    let control = bench.control(args.wait)?;
    let outcome = metadata(&request, &control, &mut bench).map(|task| task.outcome);
    bench.close(outcome, args.json)
}

/// The workload that the options describe.
///
/// # Errors
/// [`BadUsage`] where an option has no meaning for names, with what to use, or a figure is out of
/// range.
pub(crate) fn names_workload(
    operation: MetadataOperation,
    work: &GivenWork,
) -> anyhow::Result<MetadataWorkload> {
    let mut typed = work.typed().iter().map(String::as_str);
    if let Some(option) = typed.find(|option| !APPLY.contains(option)) {
        bail!(BadUsage(format!(
            "--{option} does not go with --op {operation}, a metadata operation: {}",
            instead(option)
        )));
    }
    let &[jobs] = work.jobs.as_slice() else {
        let all: Vec<String> = work.jobs.iter().map(u32::to_string).collect();
        bail!(BadUsage(format!(
            "--jobs {} does not go with --op {operation}: commas make a sweep of operations on data; give one number of jobs",
            all.join(",")
        )));
    };
    let made = MetadataWorkload::of_one(operation, work.files, jobs, seed(work.seed));
    Ok(made.map_err(|error| BadUsage(error.to_string()))?)
}

/// What to use for an option that has no meaning here.
fn instead(option: &str) -> &'static str {
    match option {
        "time" | "bytes" | "range" => {
            "names are worked through once, so leave it out and say by --files how many"
        }
        "block-size" | "file-size" | "verify" => {
            "leave it out; `etalon metadata --operations write --file-size SIZE` writes into files"
        }
        "sync" | "fsync" => {
            "leave it out; `etalon metadata --durability phase` or `each` makes names durable"
        }
        "shared" => "leave it out; `etalon metadata --shared` lets all jobs work in one tree",
        "queue-depth" | "batch" => "leave it out and use --jobs for several at a time",
        _ => "leave it out",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::IoWorkloadArgs;
    use clap::{Args as _, Command, FromArgMatches as _};

    fn given(words: &str) -> GivenWork {
        let command = IoWorkloadArgs::augment_args(Command::new("x").no_binary_name(true));
        let matches = command.get_matches_from(words.split_whitespace());
        GivenWork::from_arg_matches(&matches).unwrap()
    }

    #[test]
    fn options_of_data_are_refused_by_name_even_with_their_default() {
        for (words, option, way_out) in [
            ("--time 10s", "--time", "--files"),
            ("-b 4k", "--block-size", "etalon metadata"),
            ("--fsync end", "--fsync", "--durability"),
            ("--files 5 -q 1", "--queue-depth", "--jobs"),
            ("--rate 5", "--rate", "leave it out"),
        ] {
            let made = names_workload(MetadataOperation::Create, &given(words));
            let text = made.unwrap_err().to_string();
            for part in [option, way_out, "--op create"] {
                assert!(text.contains(part), "{text}");
            }
        }
    }

    #[test]
    fn an_operation_on_names_is_neither_swept_nor_mixed_with_data() {
        let list = |words: &str| -> Vec<MeasuredOperation> {
            words.split(',').map(|word| word.parse().unwrap()).collect()
        };
        let data = Chosen::Io(vec![Operation::Read, Operation::RandRead]);
        assert_eq!(chosen(&list("read,randread")).unwrap(), data);
        let names = Chosen::Names(MetadataOperation::Stat);
        assert_eq!(chosen(&list("stat")).unwrap(), names);
        for words in ["read,stat", "stat,unlink"] {
            let text = chosen(&list(words)).unwrap_err().to_string();
            for part in [words, "--op stat alone", "etalon metadata"] {
                assert!(text.contains(part), "{text}");
            }
        }
        let made = names_workload(MetadataOperation::Create, &given("-j 1,2"));
        let text = made.unwrap_err().to_string();
        assert!(
            text.contains("--jobs 1,2") && text.contains("one number"),
            "{text}"
        );
    }

    #[test]
    fn number_jobs_and_seed_apply() {
        let given = given("--files 70 -j 3 --seed 9 --one-pass");
        let made = names_workload(MetadataOperation::Stat, &given).unwrap();
        let figures = (made.total_files(), made.jobs, made.seed);
        assert_eq!(figures, (70, 3, 9));
    }
}
