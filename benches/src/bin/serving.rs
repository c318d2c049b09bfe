//! How long `etalon serve` takes for the list of many experiments.
#![expect(clippy::print_stdout, reason = "the figures are what it is for")]

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::Context;
use clap::Parser;
use etalon_benches::{begin_made, made_run, median};
use etalon_judge::{Goal, judge_cells};
use etalon_model::{ExperimentKind, ExperimentState, Measurement, Run};
use etalon_store::Store;
use etalon_units::{Bytes, Nanos};

/// Makes a store with many experiments and asks for their list again and again.
#[derive(Debug, Parser)]
struct Options {
    /// The program that serves it.
    #[arg(long, default_value = "target/release/etalon")]
    etalon: PathBuf,
    /// Experiments, each with nine cells of six runs.
    #[arg(long, default_value_t = 1000)]
    experiments: u32,
    /// How often the list is asked for.
    #[arg(long, default_value_t = 20)]
    times: usize,
}

fn main() -> anyhow::Result<()> {
    let options = Options::parse();
    let place = tempfile::tempdir()?;
    let store = place.path().join("store.sqlite");
    make(options.experiments, &store)?;
    let mut server = Server::start(&options.etalon, &store)?;
    let mut taken = Vec::new();
    let mut bytes = 0;
    for _ in 0..options.times {
        let begun = Instant::now();
        bytes = server.list()?;
        taken.push(begun.elapsed());
        // Within what one address may ask for.
        std::thread::sleep(Duration::from_millis(50));
    }
    let spans = taken.iter().map(|span| span.as_secs_f64() * 1e3);
    let spans: Vec<f64> = spans.collect();
    println!(
        "list of {}: median {:.1} ms, longest {:.1} ms, {} KiB",
        options.experiments,
        median(&spans),
        spans.iter().copied().fold(0.0, f64::max),
        bytes >> 10
    );
    Ok(server.child.kill()?)
}

struct Server {
    child: Child,
    address: String,
}

impl Server {
    fn start(program: &Path, store: &Path) -> anyhow::Result<Server> {
        let mut child = Command::new(program)
            .args(["serve", "--listen", "127.0.0.1:0", "--store"])
            .arg(store)
            .stderr(Stdio::piped())
            .spawn()
            .with_context(|| format!("cannot start '{}'; --etalon names it", program.display()))?;
        let mut line = String::new();
        let errors = child.stderr.take().context("no standard error")?;
        BufReader::new(errors).read_line(&mut line)?;
        let address = line.split("http://").nth(1);
        let address = address.and_then(|rest| rest.split('/').next());
        let address = address.with_context(|| line.clone())?.to_owned();
        Ok(Server { child, address })
    }

    /// The bytes of the list.
    fn list(&mut self) -> anyhow::Result<usize> {
        let mut stream = TcpStream::connect(&self.address)?;
        write!(stream, "GET / HTTP/1.1\r\nHost: {}\r\n\r\n", self.address)?;
        let mut answer = Vec::new();
        Ok(stream.read_to_end(&mut answer)?)
    }
}

fn make(experiments: u32, path: &Path) -> anyhow::Result<()> {
    let mut store = Store::open(path)?;
    let runs: Vec<Run> = (0..54).map(run).collect();
    let cells = judge_cells(&runs, &Goal::default());
    for _ in 0..experiments {
        let id = begin_made(&mut store, ExperimentKind::Quick)?;
        store.append_runs(id, &runs)?;
        store.append_cells(id, &cells)?;
        store.finish_experiment(id, 1, ExperimentState::Finished)?;
    }
    Ok(())
}

fn run(position: u32) -> Run {
    let mut measurement = Measurement::of_nothing(Nanos::secs(1));
    measurement.reads.operations = 5000 + u64::from(position);
    measurement.reads.bytes = Bytes(4096 * measurement.reads.operations);
    made_run(position % 9 + 1, (position / 9, position), measurement)
}
