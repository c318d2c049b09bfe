//! The file operations beside iozone's, alternated: the ratio of the rates with its interval.
//!
//! `IOZONE=/path/to/iozone cargo bench -p etalon-workload --bench iozone_ops -- DIRECTORY...`
//! For each directory and record size, both do all thirteen operations over a file of 64 MiB, ten
//! times in turn, and the program prints etalon's rate over iozone's for each operation: the
//! geometric mean and its 95 % interval. Without directories it works in `/dev/shm`.
#![expect(
    clippy::print_stdout,
    reason = "a benchmark's result is what it prints"
)]

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::AtomicBool;

use etalon_stats::{Level, Sample};
use etalon_units::{Bytes, per_second};
use etalon_workload::file_ops::{FileOp, Placed, Settings, run_pass};

/// Rounds; each does both programs once.
const ROUNDS: usize = 10;

/// Operations with a column of their own in iozone's table, in its order.
const OPERATIONS: usize = 13;

fn main() {
    let Some(iozone) = std::env::var_os("IOZONE") else {
        println!("skipped: set IOZONE to a built iozone");
        return;
    };
    let named: Vec<PathBuf> = std::env::args_os()
        .skip(1)
        .filter(|word| word != "--bench")
        .map(PathBuf::from)
        .collect();
    let directories = if named.is_empty() {
        vec![PathBuf::from("/dev/shm")]
    } else {
        named
    };
    for directory in &directories {
        for record in [Bytes::kib(4), Bytes::kib(64), Bytes::mib(1)] {
            compare(Path::new(&iozone), directory, record);
        }
    }
}

fn compare(iozone: &Path, directory: &Path, record: Bytes) {
    let settings = Settings {
        size: Bytes::mib(64),
        record,
        ..Settings::default()
    };
    let mut logs: Vec<Vec<f64>> = vec![Vec::new(); OPERATIONS];
    let mut failed = 0;
    for round in 0..ROUNDS {
        let first_ours = round % 2 == 0;
        let before = first_ours.then(|| ours(directory, &settings));
        let Some(theirs) = theirs(iozone, directory, &settings) else {
            failed += 1;
            continue;
        };
        let ours = before.unwrap_or_else(|| ours(directory, &settings));
        for ((log, ours), theirs) in logs.iter_mut().zip(ours).zip(theirs) {
            log.push((ours / theirs).ln());
        }
    }
    println!(
        "{} records of {record}, {} rounds",
        directory.display(),
        ROUNDS - failed
    );
    for (op, log) in FileOp::ALL.iter().zip(logs) {
        let Ok(sample) = Sample::new(log) else {
            println!("  {op:?}: no figures");
            continue;
        };
        let estimate = sample.mean_interval(Level::P95);
        let ratio = estimate.value.exp();
        match estimate.interval {
            Some(i) => println!(
                "  {op:?}: {ratio:.3} [{:.3}, {:.3}]",
                i.low.exp(),
                i.high.exp()
            ),
            None => println!("  {op:?}: {ratio:.3} (no interval)"),
        }
    }
}

/// Bytes per second of each operation.
fn ours(directory: &Path, settings: &Settings) -> Vec<f64> {
    let path = directory.join("etalon-iozone-bench");
    let stop = AtomicBool::new(false);
    let mut placed = match Placed::new(std::slice::from_ref(&path), true, false) {
        Ok(placed) => placed,
        Err(error) => fail(&error),
    };
    rustix::fs::sync();
    let mut rates = Vec::new();
    for (number, op) in FileOp::ALL[..OPERATIONS].iter().enumerate() {
        if op.creates()
            && let Err(error) = placed.renew(0, settings)
        {
            fail(&error);
        }
        match run_pass(*op, &path, settings, number as u64, &stop) {
            Ok(pass) => rates.push(per_second(pass.bytes.get(), pass.elapsed())),
            Err(error) => fail(&error),
        }
    }
    rates
}

fn fail(error: &dyn std::error::Error) -> ! {
    println!("failed: {error}");
    std::process::exit(1)
}

/// The figures of iozone's row, in bytes per second.
fn theirs(iozone: &Path, directory: &Path, settings: &Settings) -> Option<Vec<f64>> {
    let output = Command::new(iozone)
        .args(["-s", &(settings.size.get() >> 10).to_string()])
        .args(["-r", &(settings.record.get() >> 10).to_string()])
        .arg("-f")
        .arg(directory.join("iozone-bench"))
        .output()
        .ok()?;
    let text = String::from_utf8_lossy(&output.stdout);
    let numbers = |line: &str| {
        line.split_whitespace()
            .map(|word| word.parse().ok())
            .collect()
    };
    let row = text
        .lines()
        .filter_map(numbers)
        .find(|row: &Vec<f64>| row.len() == 15)?;
    Some(row[2..].iter().map(|figure| figure * 1024.0).collect())
}
