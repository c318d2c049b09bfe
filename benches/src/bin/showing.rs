//! How long `etalon show`, `list` and `report` take with a large experiment, and how much memory.
#![expect(clippy::print_stdout, reason = "the table is what it is for")]

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use clap::Parser;
use etalon_benches::{begin_made, made_run, median};
use etalon_judge::{FEWEST_POINTS, Goal, judge_cells};
use etalon_model::{
    ExperimentKind, ExperimentState, LatencyHistogram, Measurement, Run, RunId, SeriesPoint,
};
use etalon_report::PageDigest;
use etalon_store::Store;
use etalon_units::{Bytes, Nanos};
use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};

/// Makes a store with one experiment and shows it again and again.
#[derive(Debug, Parser)]
struct Options {
    /// The program that shows it.
    #[arg(long, default_value = "target/release/etalon")]
    etalon: PathBuf,
    /// Where the store is made and removed; it takes 192 bytes a cell, run and second.
    #[arg(long, default_value = ".")]
    directory: PathBuf,
    /// Cells of the experiment.
    #[arg(long, default_value_t = 1000)]
    cells: u32,
    /// Runs of each cell.
    #[arg(long, default_value_t = 10)]
    runs: u32,
    /// Seconds of each run, with ten points of a series each.
    #[arg(long, default_value_t = 600)]
    seconds: u64,
    /// How often each command is run.
    #[arg(long, default_value_t = 5)]
    times: usize,
}

fn main() -> anyhow::Result<()> {
    let options = Options::parse();
    let place = tempfile::tempdir_in(&options.directory)?;
    let store = place.path().join("store.sqlite");
    let like = measured(&options.etalon, place.path())?;
    make(&options, &like, &store)?;
    let size = std::fs::metadata(&store)?.len();
    println!("store: {} MiB", size >> 20);
    let page = place.path().join("report.html");
    let file = page.to_str().context("the directory's name is no text")?;
    let commands = [
        &["list"][..],
        &["show", "1"],
        &["show", "1", "--details"],
        &["report", "1", "-o", file],
    ];
    for words in commands {
        let mut taken = Vec::new();
        for _ in 0..options.times {
            taken.push(timed(&options.etalon, words, &store)?);
        }
        let spans = taken.iter().map(|(span, _)| span.as_secs_f64() * 1e3);
        let middle = median(&spans.collect::<Vec<f64>>());
        let peak = taken.iter().map(|(_, peak)| *peak).max().unwrap_or(0);
        println!(
            "{}: median {middle:.0} ms, peak {} MiB",
            words.join(" "),
            peak >> 20
        );
    }
    println!("report.html: {} KiB", std::fs::metadata(&page)?.len() >> 10);
    Ok(())
}

/// A run as the program makes it on this machine: what it records of the machine is most of what is read.
fn measured(program: &Path, place: &Path) -> anyhow::Result<Run> {
    let store = place.join("like.sqlite");
    let words = ["measure", "--op", "randread", "--runs", "1", "--time", "1s"];
    let mut command = Command::new(program);
    command.args(words).arg("--store").arg(&store).arg(place);
    command.stdout(Stdio::null());
    // A single run has no interval, which is told by the exit code.
    command
        .status()
        .with_context(|| format!("cannot start '{}'; --etalon names it", program.display()))?;
    let runs = Store::open_read_only(&store)?.experiment(1)?.runs;
    runs.into_iter().next().context("it kept no run")
}

/// Writes the experiment, a cell's runs at a time, and what pages say of them.
fn make(options: &Options, like: &Run, path: &Path) -> anyhow::Result<()> {
    let mut store = Store::open(path)?;
    let id = begin_made(&mut store, ExperimentKind::Measure)?;
    let mut random = StdRng::seed_from_u64(1);
    for cell in 0..options.cells {
        let runs: Vec<Run> = (0..options.runs)
            .map(|n| run(like, cell, n, options, &mut random))
            .collect();
        store.append_runs(id, &runs)?;
        store.append_cells(id, &judge_cells(&runs, &Goal::default()))?;
    }
    store.finish_experiment(id, 1, ExperimentState::Finished)?;
    digest(&mut store, id)
}

/// As the program does at the end of a session.
fn digest(store: &mut Store, id: RunId) -> anyhow::Result<()> {
    let found = store.abridged_experiment(id, Bytes::ZERO, FEWEST_POINTS)?;
    let Some(found) = found else {
        return Ok(());
    };
    let found = found.experiment.whole()?;
    let digest = PageDigest::of(&found.cells, &found.runs).context("runs of tasks")?;
    store.set_digest(id, found.runs.len(), &digest.to_text()?)?;
    Ok(())
}

fn run(like: &Run, cell: u32, n: u32, options: &Options, random: &mut StdRng) -> Run {
    let mut latency = LatencyHistogram::new();
    (0..5_000).for_each(|_| latency.record(50_000 + random.random_range(0..1u64 << 18)));
    let duration = Nanos::secs(options.seconds.max(1));
    let mut measurement = Measurement {
        duration,
        ..like.measurement.clone()
    };
    let operations = 5_000 * options.seconds.max(1) + random.random_range(0..500);
    measurement.reads.operations = operations;
    measurement.reads.bytes = Bytes(4096 * operations);
    measurement.reads.latency = latency;
    measurement.series = (0..options.seconds * 10).map(|_| point(random)).collect();
    let made = made_run(cell + 1, (n, cell * options.runs + n), measurement);
    Run {
        cell: made.cell,
        workload: made.workload,
        block: made.block,
        position: made.position,
        measurement: made.measurement,
        ..like.clone()
    }
}

fn point(random: &mut StdRng) -> SeriesPoint {
    let operations = 450 + random.random_range(0..100);
    SeriesPoint {
        operations,
        bytes: Bytes(4096 * operations),
        latency_sum_ns: operations * 180_000,
        latency_max: Nanos(300_000),
    }
}

/// How long a command took, and the largest resident size that was seen of it.
fn timed(program: &Path, words: &[&str], store: &Path) -> anyhow::Result<(Duration, u64)> {
    let begun = Instant::now();
    let mut child = Command::new(program)
        .args(words)
        .arg("--store")
        .arg(store)
        .stdout(Stdio::null())
        .spawn()
        .with_context(|| format!("cannot start '{}'; --etalon names it", program.display()))?;
    let mut peak = 0;
    loop {
        peak = peak.max(peak_of(&child));
        if let Some(status) = child.try_wait()? {
            if !status.success() {
                bail!("etalon {} ended with {status}", words.join(" "));
            }
            return Ok((begun.elapsed(), peak));
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// proc_pid_status(5), `VmHWM`, in kB.
fn peak_of(child: &Child) -> u64 {
    let status =
        std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kib = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
    kib.unwrap_or(0) * 1024
}
