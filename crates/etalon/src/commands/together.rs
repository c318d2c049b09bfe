//! `etalon together -- TARGET --op … -- TARGET --op …`.

use std::ffi::OsString;

use anyhow::bail;
use clap::{CommandFactory as _, FromArgMatches as _};
use etalon_exchange::SummaryBody;
use etalon_experiment::{
    StreamCells, StreamRequest, StreamWorkload, TogetherOutcome, TogetherRequest, together,
};
use etalon_judge::{Arm, CONCURRENT, CompareOptions, RowArms, compare_rows};
use etalon_model::{CacheMode, Cell, Comparison, End, ExperimentKind, IoWorkload, Operation, Run};
use etalon_report::{ComparedRow, ComparisonPage, Painted};
use etalon_tools::Exit;
use etalon_workload::metadata::MetadataWorkload;

use super::measure::{refuse_zero, workloads};
use super::measure_names::names_workload;
use super::subcommand::{Activity, Subcommand};
use crate::bench::{Bench, seed, summary};
use crate::cli::{GivenWork, MeasuredOperation, StreamArgs, TogetherArgs};
use crate::effect::refuse_idle;
use crate::exit::BadUsage;
use crate::output;
use crate::usage::one_line;

/// Ratios refer to the second of the two arms.
const ALONE: usize = 1;

impl Subcommand for TogetherArgs {
    const NAME: &'static str = "together";
    const ACTIVITY: Activity = Activity::MakesFiles;

    fn run(&self) -> anyhow::Result<Exit> {
        run(self)
    }
}

fn run(args: &TogetherArgs) -> anyhow::Result<Exit> {
    let seed = seed(args.session.seed);
    let Some(streams) = streams(args, seed)? else {
        return Ok(Exit::Done);
    };
    let request = TogetherRequest {
        streams,
        runs: args.runs,
        precision: args.precision,
        alone: args.alone,
        seed,
    };
    let settings = serde_json::json!({
        "runs": args.runs,
        "precision": args.precision,
        "alone": args.alone,
        "workloads": args.workloads.iter().map(|word| word.to_string_lossy()).collect::<Vec<_>>(),
    });
    let mut bench = Bench::open(
        ExperimentKind::Together,
        &args.session.store,
        seed,
        settings,
    )?;
    bench.strict = args.session.strict;
    let control = bench.control(args.session.wait)?;
    let (outcome, streams) = match together(&request, &control, &mut bench) {
        Ok(TogetherOutcome { outcome, streams }) => (Ok(outcome), streams),
        Err(error) => (Err(error), Vec::new()),
    };
    let outcome = bench.keep(outcome)?;
    let comparisons = if args.alone {
        compared(&streams, &outcome.cells, &outcome.runs, args)?
    } else {
        Vec::new()
    };
    if args.session.json {
        let body = SummaryBody::<()> {
            comparisons: Some(comparisons),
            ..summary(&outcome)
        };
        output::print(&bench.document(&outcome, body)?)?;
    } else {
        let tables = comparison_tables(&comparisons, &outcome.cells);
        output::print_painted(&(bench.page(&outcome) + tables))?;
    }
    Ok(crate::bench::exit_of(&outcome, args.session.strict))
}

/// The workloads, each between two `--`; `None` where one of them asked for its help, which is
/// then printed.
pub(super) fn streams(
    args: &TogetherArgs,
    seed: u64,
) -> anyhow::Result<Option<Vec<StreamRequest>>> {
    let groups: Vec<&[OsString]> = args.workloads.split(|word| word == "--").collect();
    let mut streams = Vec::new();
    for (at, words) in groups.iter().enumerate() {
        let parsed = match parse(words) {
            Ok(parsed) => parsed,
            Err(error) if !error.use_stderr() => {
                output::print(&error.to_string())?;
                return Ok(None);
            }
            Err(error) => {
                let words: Vec<String> = words.iter().map(|w| w.to_string_lossy().into()).collect();
                bail!(BadUsage(format!(
                    "workload {}: {}",
                    at + 1,
                    one_line(&error, &words, None)
                )));
            }
        };
        let own_seed = seed.wrapping_add((at as u64) << 32);
        streams.push(stream(args, parsed, own_seed, at + 1)?);
    }
    if streams.len() < 2 {
        bail!(BadUsage(
            "give at least two workloads, with -- before each, for example `etalon together -- /mnt --op read -- /mnt --op write`".to_owned()
        ));
    }
    Ok(Some(streams))
}

fn parse(words: &[OsString]) -> Result<StreamArgs, clap::Error> {
    let matches = StreamArgs::command().try_get_matches_from(words)?;
    StreamArgs::from_arg_matches(&matches)
}

fn stream(
    args: &TogetherArgs,
    stream: StreamArgs,
    own_seed: u64,
    number: usize,
) -> anyhow::Result<StreamRequest> {
    let has_seed = stream.work.seed.is_some();
    let workload = match stream.op {
        MeasuredOperation::Io(op) => {
            refuse_idle(&stream.work, &[op], false)?;
            let io = io_workload(args, op, &stream.work, number)?;
            let seed = if has_seed { io.seed } else { own_seed };
            StreamWorkload::Io(Box::new(IoWorkload { seed, ..io }))
        }
        MeasuredOperation::Names(op) => {
            let names = names_workload(op, &stream.work)?;
            let seed = if has_seed { names.seed } else { own_seed };
            StreamWorkload::Names(MetadataWorkload { seed, ..names })
        }
    };
    Ok(StreamRequest {
        name: stream.name,
        target: stream.target,
        workload,
        direct_or_nothing: stream.work.direct,
    })
}

fn io_workload(
    args: &TogetherArgs,
    op: Operation,
    work: &GivenWork,
    number: usize,
) -> anyhow::Result<IoWorkload> {
    refuse_zero("--file-size", work.file_size)?;
    refuse_zero("--range", work.range)?;
    let mut swept = workloads(&[op], work)?;
    let (Some(mut workload), 0) = (swept.pop(), swept.len()) else {
        bail!(BadUsage(format!(
            "workload {number}: commas make a sweep, which `etalon measure` carries out; give one block size, queue depth and number of jobs"
        )));
    };
    if let CacheMode::Limited(_) = workload.cache {
        bail!(BadUsage(format!(
            "workload {number}: --cache {} holds for all workloads of a process; use it with `etalon measure`",
            workload.cache
        )));
    }
    if let (End::Time(_), false, Some(time)) = (workload.end, work.has("time"), args.time) {
        workload.end = End::Time(time);
    }
    Ok(workload)
}

/// Each workload together with the others against the same alone, block by block.
fn compared(
    streams: &[StreamCells],
    cells: &[Cell],
    runs: &[Run],
    args: &TogetherArgs,
) -> anyhow::Result<Vec<Comparison>> {
    let options = CompareOptions {
        by: vec![CONCURRENT.to_owned()],
        baseline: ALONE,
        margin: args.margin.fraction(),
    };
    let row = |stream: &StreamCells| {
        let arm = |name: &str, label: &str| arm_of(name, label, cells, runs);
        let together = arm(&stream.together, "together")?;
        Some(RowArms {
            name: stream.together.clone(),
            arms: vec![together, arm(&stream.alone, "alone")?],
        })
    };
    let rows: Vec<RowArms<'_>> = streams.iter().filter_map(row).collect();
    Ok(compare_rows(&rows, &options)?)
}

/// `None` where an interrupt left the cell without a run.
fn arm_of<'a>(name: &str, label: &str, cells: &'a [Cell], runs: &'a [Run]) -> Option<Arm<'a>> {
    Some(Arm {
        label: label.to_owned(),
        // One experiment: its blocks hold both arms.
        session: String::new(),
        cell: cells.iter().find(|cell| cell.name == name)?,
        runs: runs.iter().filter(|run| run.cell == name).collect(),
    })
}

fn comparison_tables(comparisons: &[Comparison], cells: &[Cell]) -> Painted {
    let rows: Vec<ComparedRow<'_>> = comparisons
        .iter()
        .filter_map(|comparison| {
            let cell = cells.iter().find(|cell| cell.name == comparison.name)?;
            Some(ComparedRow { comparison, cell })
        })
        .collect();
    if rows.is_empty() {
        return Painted::default();
    }
    let names = ["together", "alone"].map(str::to_owned);
    let page = ComparisonPage {
        rows: &rows,
        typed: &[],
        names: &names,
        baseline: ALONE,
        by: &[],
        missing: &[],
        differing: None,
        gate: None,
        like: None,
        mending: &[],
        store: "",
        look: output::look(),
    };
    Painted::plain("\n") + page.painted()
}
