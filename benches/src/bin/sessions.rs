//! How far the same figure of the same storage lies apart from session to session, beyond what the runs of each vary.
//!
//! `sessions [PLACE]...` carries out `etalon quick` again and again, the places in turn, and prints each row's spread. A
//! comparison of rows that no device bounds allows for [`session_spread`], which comes from here. Without
//! places: ext4, xfs and btrfs on loop devices in memory (root), and /dev/shm.
#![expect(clippy::print_stdout, reason = "the table is what it is for")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, bail};
use clap::Parser;
use etalon_benches::{LoopFilesystem, median};
use etalon_judge::session_spread;
use etalon_model::Unit;
use etalon_stats::{ComparisonVerdict, Design, Level, Margin, Sample, compare};
use serde_json::Value;

#[derive(Debug, Parser)]
struct Options {
    /// Directories to measure; none stands for three filesystems in memory, and /dev/shm.
    places: Vec<PathBuf>,
    /// The program; by default the one beside this.
    #[arg(long)]
    etalon: Option<PathBuf>,
    /// Sessions of each place.
    #[arg(long, default_value_t = 10)]
    sessions: usize,
    /// How long each lasts.
    #[arg(long, default_value = "20s")]
    budget: String,
}

/// One row of one session.
struct Session {
    unit: Unit,
    values: Vec<f64>,
    /// Requests that the devices served for each operation.
    requests: f64,
}

/// By place and row.
type Rows = BTreeMap<(String, String), Vec<Session>>;

fn main() -> anyhow::Result<()> {
    let options = Options::parse();
    let made: Vec<(String, LoopFilesystem)> = match options.places.is_empty() {
        true => in_memory()?,
        false => Vec::new(),
    };
    let mut places: Vec<(String, PathBuf)> = made
        .iter()
        .map(|(kind, filesystem)| (kind.clone(), filesystem.path().to_owned()))
        .collect();
    if made.is_empty() {
        let named = |place: &PathBuf| (place.display().to_string(), place.clone());
        places.extend(options.places.iter().map(named));
    } else {
        places.push(("tmpfs".to_owned(), "/dev/shm".into()));
    }
    let mut rows = Rows::new();
    for _ in 0..options.sessions {
        for (name, place) in &places {
            measure(&options, name, place, &mut rows)?;
        }
    }
    table(&rows);
    Ok(())
}

fn in_memory() -> anyhow::Result<Vec<(String, LoopFilesystem)>> {
    let one = |kind: &str| Ok((kind.to_owned(), LoopFilesystem::of(kind, 3 << 30)?));
    ["ext4", "xfs", "btrfs"].into_iter().map(one).collect()
}

fn measure(options: &Options, name: &str, place: &Path, rows: &mut Rows) -> anyhow::Result<()> {
    let kept = tempfile::tempdir()?;
    let etalon = |words: &[&str]| -> anyhow::Result<Value> {
        let beside = std::env::current_exe()?.with_file_name("etalon");
        let mut command = Command::new(options.etalon.as_ref().unwrap_or(&beside));
        command.env("ETALON_STORE", kept.path().join("store.sqlite"));
        let output = command.args(words).output()?;
        if !matches!(output.status.code(), Some(0 | 3)) {
            bail!("{command:?}: {}", String::from_utf8_lossy(&output.stderr));
        }
        Ok(serde_json::from_slice(&output.stdout)?)
    };
    let place = place.to_str().context("a place whose name is no text")?;
    etalon(&["quick", place, "--budget", &options.budget, "--json"])?;
    let document = etalon(&["export", "1", "--json"])?;
    for cell in document["cells"].as_array().context("no cells")? {
        let row = cell["name"].as_str().context("a cell without a name")?;
        let sessions = rows.entry((name.to_owned(), row.to_owned())).or_default();
        sessions.extend(session(&document, cell));
    }
    Ok(())
}

/// None where a cell has too few values.
fn session(document: &Value, cell: &Value) -> Option<Session> {
    let values = cell["values"].as_array()?.iter().filter_map(Value::as_f64);
    let values: Vec<f64> = values.collect();
    let runs = document["runs"].as_array()?.iter();
    let of_cell = runs.filter(|run| run["cell"] == cell["name"]);
    let requests: Vec<f64> = of_cell.filter_map(requests_per_operation).collect();
    let unit = serde_json::from_value(cell["unit"].clone()).ok()?;
    (values.len() > 2).then(|| Session {
        unit,
        values,
        requests: median(&requests),
    })
}

fn requests_per_operation(run: &Value) -> Option<f64> {
    let device = &run["device"];
    let served = device["read_requests"].as_f64()? + device["write_requests"].as_f64()?;
    let jobs = run["measurement"]["jobs"].as_array()?.iter();
    let operations: f64 = jobs.filter_map(|job| job["operations"].as_f64()).sum();
    (operations > 0.0).then_some(served / operations)
}

fn table(rows: &Rows) {
    println!(
        "{:<10} {:<28} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8}",
        "place", "row", "sessions", "req/op", "within", "between", "claims", "with"
    );
    for ((place, row), sessions) in rows {
        let requests: Vec<f64> = sessions.iter().map(|session| session.requests).collect();
        let (within, between) = spreads(sessions);
        let claims = |design| format!("{:.0} %", 100.0 * claims(sessions, design));
        println!(
            "{place:<10.10} {row:<28} {:>8} {:>8.3} {:>6.1} % {:>6.1} % {:>8} {:>8}",
            sessions.len(),
            median(&requests),
            100.0 * within,
            100.0 * between,
            claims(Design::Independent),
            claims(Design::Sessions {
                spread: session_spread(sessions[0].unit)
            }),
        );
    }
}

/// Standard deviations of the logarithms: of the runs of a session, and of the sessions beyond that (the method of
/// moments for a one-way layout: Searle, Casella and McCulloch, Variance Components, 1992, chapter 3).
fn spreads(sessions: &[Session]) -> (f64, f64) {
    let logs = sessions.iter().map(|session| {
        let logs: Vec<f64> = session.values.iter().map(|value| value.ln()).collect();
        (mean(&logs), variance(&logs), logs.len() as f64)
    });
    let (means, rest): (Vec<f64>, Vec<(f64, f64)>) = logs
        .map(|(mean, variance, n)| (mean, (variance, n)))
        .unzip();
    let within = mean(&rest.iter().map(|(v, _)| *v).collect::<Vec<_>>());
    let of_means = mean(&rest.iter().map(|(v, n)| v / n).collect::<Vec<_>>());
    (within.sqrt(), (variance(&means) - of_means).max(0.0).sqrt())
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

fn variance(values: &[f64]) -> f64 {
    let mean = mean(values);
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    squares / (values.len() - 1) as f64
}

/// The share of all pairs of sessions between which a difference is claimed where there is none.
fn claims(sessions: &[Session], design: Design) -> f64 {
    let samples = sessions
        .iter()
        .filter_map(|s| Sample::new(s.values.clone()).ok());
    let samples: Vec<Sample> = samples.collect();
    let pairs = (0..samples.len()).flat_map(|a| (0..a).map(move |b| (a, b)));
    let told: Vec<bool> = pairs
        .filter_map(|(a, b)| {
            let (a, b) = (&samples[a], &samples[b]);
            compare(a, b, design, Margin::default(), Level::REPORTED).ok()
        })
        .map(|pair| {
            let verdict = pair.verdict;
            matches!(
                verdict,
                ComparisonVerdict::AGreater | ComparisonVerdict::BGreater
            )
        })
        .collect();
    told.iter().filter(|claimed| **claimed).count() as f64 / told.len() as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_runs_vary_is_no_difference_between_sessions() {
        let session = |values: [f64; 4]| Session {
            unit: Unit::Seconds,
            values: values.to_vec(),
            requests: 0.0,
        };
        let alike = [session([1.0, 2.0, 1.0, 2.0]), session([2.0, 1.0, 2.0, 1.0])];
        assert_eq!(spreads(&alike).1, 0.0);
        let apart = [session([1.0, 1.0, 1.0, 1.0]), session([4.0, 4.0, 4.0, 4.0])];
        let (within, between) = spreads(&apart);
        // Of two figures the standard deviation is their distance over the root of two.
        assert!(within == 0.0 && (between - 4f64.ln() / 2f64.sqrt()).abs() < 1e-12);
        assert_eq!(claims(&apart, Design::Independent), 1.0);
    }
}
