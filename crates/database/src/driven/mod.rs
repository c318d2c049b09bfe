//! Other programs that drive a private server: what they print is read, and judged like all else.
//!
//! `pgbench` and `sysbench` are known to whoever tunes a database. etalon makes the server, runs the program several
//! times as a client of it, and takes operations, their time and their latencies from what it writes.

mod pgbench;
mod sysbench;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use etalon_model::{LatencyHistogram, ServiceFacts};
use etalon_units::Nanos;
use etalon_work::process::Program;
use etalon_work::{Job, Kind, Parameter, RateRecord, Step, StepDetails, Values, WorkError};

use crate::DatabaseError;
use crate::lock_watch::LockWatch;
use crate::parameters::CLIENTS;
use crate::session::Session;

pub(crate) use pgbench::Pgbench;
pub(crate) use sysbench::Sysbench;

pub(crate) const TRANSACTIONS: Parameter = Parameter {
    name: "transactions",
    kind: Kind::Count(1, 100_000_000),
    default: "2000",
    help: "transactions of each step, of all clients together",
};
pub(crate) const RATE: Parameter = Parameter {
    name: "rate",
    kind: Kind::Count(0, 10_000_000),
    default: "0",
    help: "transactions a second that arrive by chance, whether or not the server keeps up; latencies then count from the intended moment. 0: each client begins the next when it has ended one",
};

/// How much of everything.
#[derive(Debug, Clone, Copy)]
struct Amounts {
    transactions: u64,
    clients: u64,
    rate: u64,
}

impl Amounts {
    fn of(values: &Values) -> Amounts {
        Amounts {
            transactions: values.count(&TRANSACTIONS),
            clients: values.count(&CLIENTS),
            rate: values.count(&RATE),
        }
    }
}

/// What a program wrote of one of its runs.
#[derive(Debug, Default)]
struct ProgramFigures {
    /// Transactions that were carried out.
    operations: u64,
    /// Those besides that failed, by what was wrong with them.
    failed: BTreeMap<String, u64>,
    /// From the first to the last, by the program's own clock.
    duration: Nanos,
    latency: LatencyHistogram,
}

/// One step in which a program makes transactions.
struct Driven<'a> {
    name: &'a str,
    clients: u64,
    /// Whether they change anything.
    writes: bool,
}

impl Driven<'_> {
    /// Times what `drive` does with the program, and adds what the server says of the time between.
    fn step(
        &self,
        job: &mut Job<'_>,
        session: &mut dyn Session,
        drive: impl FnOnce(&mut Step<'_>) -> Result<ProgramFigures, WorkError>,
    ) -> Result<(), WorkError> {
        let before = session.facts()?;
        let watch = LockWatch::begin(session)?;
        let told = match self.writes {
            true => job.step(self.name, drive)?,
            false => job.reading(self.name, drive)?,
        };
        let waited = watch.map(LockWatch::end);
        session.settle()?;
        let facts = session.facts()?.since(&before);
        let facts = ServiceFacts {
            lock_wait: facts.lock_wait.or(waited),
            ..facts
        };
        job.add_to_last(self.details(told, facts));
        Ok(())
    }

    fn details(&self, told: ProgramFigures, facts: ServiceFacts) -> StepDetails {
        let failures = told.failed.values().sum();
        let service = ServiceFacts {
            clients: u32::try_from(self.clients).unwrap_or(u32::MAX),
            commits: if self.writes { told.operations } else { 0 },
            requests: told.operations.saturating_add(failures),
            failed: told.failed,
            ..facts
        };
        StepDetails {
            service: Some(service),
            latency: Some(told.latency),
            lag: None,
            rate: Some(RateRecord {
                operations: told.operations,
                duration: told.duration,
            }),
        }
    }
}

/// A program as a client in the private directory, with what it prints beside it, and nothing of the environment of
/// whoever calls etalon.
fn client(program: &Path, words: Vec<String>, job: &Job<'_>, output: &Path) -> Program {
    let line = std::iter::once(program.into()).chain(words.into_iter().map(OsString::from));
    Program::new(line, &job.path(".")).alone().output_to(output)
}

/// What a program printed.
fn read(path: &Path) -> Result<String, WorkError> {
    let text = std::fs::read(path).map_err(WorkError::io("read the output", path))?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}

/// The first word behind `label` in a line that begins with it.
fn after<T: FromStr>(text: &str, label: &str) -> Option<T> {
    let mut lines = text.lines().map(str::trim);
    let rest = lines.find_map(|line| line.strip_prefix(label))?;
    let end = |c: char| c.is_whitespace() || c == '/' || c == 's';
    let word = rest.trim_start().split(end).next()?;
    word.parse().ok()
}

/// How often something went wrong, by the labels of the lines that count it; what never did is left out.
fn failures(text: &str, labels: &[(&str, &str)]) -> BTreeMap<String, u64> {
    let counted = labels.iter().map(|(label, kind)| {
        let count = after(text, label).unwrap_or(0);
        ((*kind).to_owned(), count)
    });
    counted.filter(|(_, count)| *count > 0).collect()
}

/// What is missing in what a program printed.
fn unread(program: &'static str, text: &str) -> DatabaseError {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let last = lines.len().saturating_sub(4);
    DatabaseError::Unread {
        program,
        said: lines[last..].join("; "),
    }
}

fn nanos(seconds: f64) -> Nanos {
    Nanos((seconds * 1e9).round() as u64)
}

/// Files with that beginning of a name in the private directory.
fn files_of(job: &Job<'_>, beginning: &str) -> Result<Vec<PathBuf>, WorkError> {
    let place = job.path(".");
    let entries = std::fs::read_dir(&place).map_err(WorkError::io("read", &place))?;
    let named = entries.flatten().filter(|entry| {
        let name = entry.file_name();
        name.to_string_lossy().starts_with(beginning)
    });
    Ok(named.map(|entry| entry.path()).collect())
}

#[cfg(test)]
mod tests;
