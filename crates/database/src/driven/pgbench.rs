//! `pgbench`: PostgreSQL's own program, on a private server.

use std::fs::File;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};

use etalon_model::LatencyHistogram;
use etalon_service::{Clients, program};
use etalon_units::Bytes;
use etalon_work::{Job, Kind, Parameter, RealWork, Step, Values, WorkError};
use etalon_workload::room;

use super::{
    Amounts, Driven, ProgramFigures, RATE, TRANSACTIONS, after, client, failures, files_of,
};
use super::{nanos, read, unread};
use crate::parameters::CLIENTS;
use crate::postgresql::{
    FSYNC, FULL_PAGE_WRITES, MAX_WAL_SIZE, SHARED_BUFFERS, SYNCHRONOUS_COMMIT, WAL_SYNC_METHOD,
};
use crate::postgresql::{Postgresql, places};
use crate::private::on_private;
use crate::session::Session;

/// The bank of TPC-B in pgbench's terms, on a server of etalon's own.
pub(crate) struct Pgbench;

/// 100 000 accounts of a branch with their index, as PostgreSQL 15 keeps them: 15 MiB; and as much while the index is
/// built, and a log of the same length.
const BRANCH: u64 = 48 << 20;

const SCALE: Parameter = Parameter {
    name: "scale",
    kind: Kind::Count(1, 100_000),
    default: "10",
    help: "branches of the bank (pgbench -s): 100000 accounts each, about 15 MiB",
};
const PROTOCOL: Parameter = Parameter {
    name: "protocol",
    kind: Kind::Choice(&["simple", "extended", "prepared"]),
    default: "simple",
    help: "how queries go to the server (pgbench -M)",
};

static PARAMETERS: [Parameter; 11] = [
    SCALE,
    TRANSACTIONS,
    CLIENTS,
    RATE,
    PROTOCOL,
    FSYNC,
    SYNCHRONOUS_COMMIT,
    FULL_PAGE_WRITES,
    WAL_SYNC_METHOD,
    SHARED_BUFFERS,
    MAX_WAL_SIZE,
];

impl RealWork for Pgbench {
    fn name(&self) -> &'static str {
        "pgbench"
    }

    fn summary(&self) -> &'static str {
        "pgbench on a private PostgreSQL server: its tables, TPC-B-like transactions, select-only"
    }

    fn parameters(&self) -> &'static [Parameter] {
        &PARAMETERS
    }

    fn check(&self, values: &Values) -> Result<(), WorkError> {
        Ok(crate::postgresql::sizes(values)?)
    }

    fn work(&self, job: &mut Job<'_>) -> Result<(), WorkError> {
        let pgbench = program("pgbench", places(), "postgresql")?;
        let space = Bytes::mib(256).get() + job.values().count(&SCALE).saturating_mul(BRANCH);
        let log = log_bytes(Amounts::of(job.values()).transactions);
        room::check(&job.path("."), 30, 1000, Bytes(space.saturating_add(log)))?;
        let _clients = Clients::of(job)?;
        on_private::<Postgresql>(job, |job, server| steps(&pgbench, job, server))
    }
}

/// What the log of both steps takes: a line of up to 60 bytes for each transaction.
fn log_bytes(transactions: u64) -> u64 {
    transactions.saturating_mul(2 * 60)
}

fn steps(pgbench: &Path, job: &mut Job<'_>, server: &mut dyn Session) -> Result<(), WorkError> {
    let mut words = connection();
    let scale = job.values().count(&SCALE);
    words.extend(["-i", "-q", "-s", &scale.to_string(), "postgres"].map(str::to_owned));
    let program = client(pgbench, words, job, &job.path("initialize.out"));
    job.step("initialize", |step| step.run(&program))?;
    for (name, script, writes) in [
        ("TPC-B-like", "tpcb-like", true),
        ("select-only", "select-only", false),
    ] {
        let amounts = Amounts::of(job.values());
        let output = job.path(&format!("{script}.out"));
        let program = client(pgbench, transactions(job, script), job, &output);
        let driven = Driven {
            name,
            clients: amounts.clients,
            writes,
        };
        driven.step(job, server, |step| run(step, &program, &output))?;
        let log = files_of(job, &format!("{script}.log"))?;
        let latency = latency(&log)?;
        job.set_latency_of_last(latency);
    }
    Ok(())
}

/// The socket of the server lies beside the directory in which the program works; libpq takes absolute names only.
fn connection() -> Vec<String> {
    let words = ["-h", "/proc/self/cwd/data", "-p", "5432", "-U", "etalon"];
    words.map(str::to_owned).to_vec()
}

fn transactions(job: &Job<'_>, script: &str) -> Vec<String> {
    let amounts = Amounts::of(job.values());
    let each = amounts.transactions.div_ceil(amounts.clients);
    let mut words = connection();
    words.extend([
        // The tables were vacuumed when they were made.
        "-n".to_owned(),
        format!("--builtin={script}"),
        format!("--client={}", amounts.clients),
        format!("--transactions={each}"),
        format!("--protocol={}", job.values().text(&PROTOCOL)),
        // pgbench takes numbers of 32 bits everywhere.
        format!("--random-seed={}", job.seed() & 0x7fff_ffff),
        "--log".to_owned(),
        format!("--log-prefix={script}.log"),
    ]);
    if amounts.rate > 0 {
        words.push(format!("--rate={}", amounts.rate));
    }
    words.push("postgres".to_owned());
    words
}

fn run(
    step: &mut Step<'_>,
    program: &etalon_work::process::Program,
    output: &Path,
) -> Result<ProgramFigures, WorkError> {
    step.run(program)?;
    let text = read(output)?;
    Ok(told(&text).ok_or_else(|| unread("pgbench", &text))?)
}

/// Serialization and deadlock failures, each once more than it may be tried again (pgbench(1), "Failures and
/// Serialization/Deadlock Retries"); with any other error pgbench itself fails.
const FAILURES: [(&str, &str); 1] = [("number of failed transactions:", "failed transaction")];

/// The end of the line with the rate that counts the time for connecting too, which pgbench prints first up to version 13.
const WITH_CONNECTING: &str = "(including connections establishing)";

/// From what pgbench prints: transactions, and their rate without the time for connecting (pgbench(1)).
pub(super) fn told(text: &str) -> Option<ProgramFigures> {
    let operations: u64 = after(text, "number of transactions actually processed:")?;
    let mut rates = text.lines().filter(|line| !line.ends_with(WITH_CONNECTING));
    let rate: f64 = rates.find_map(|line| after(line, "tps = "))?;
    (rate > 0.0).then(|| ProgramFigures {
        operations,
        failed: failures(text, &FAILURES),
        duration: nanos(operations as f64 / rate),
        latency: LatencyHistogram::new(),
    })
}

/// From its log of every transaction: the third word is what it took, in microseconds, from the intended moment with a
/// rate.
fn latency(files: &[PathBuf]) -> Result<LatencyHistogram, WorkError> {
    let mut latency = LatencyHistogram::new();
    for path in files {
        let file = File::open(path).map_err(WorkError::io("read the log", path))?;
        for line in BufReader::new(file).lines() {
            let line = line.map_err(WorkError::io("read the log", path))?;
            if let Some(micros) = micros(&line) {
                latency.record(micros.saturating_mul(1000));
            }
        }
    }
    Ok(latency)
}

/// `skipped` or `failed` stand where a transaction has no time.
pub(super) fn micros(line: &str) -> Option<u64> {
    line.split(' ').nth(2)?.parse().ok()
}
