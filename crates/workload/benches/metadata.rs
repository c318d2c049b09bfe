//! Rates of the operations on names beside mdtest's with one job, alternated:
//! `cargo bench --bench metadata`.
//!
//! `ETALON_PEER_MDTEST` names the program (mdtest of hpc/ior, built with MPI), `ETALON_BENCH_DIR`
//! where both work (default: the directory for temporary files), `ETALON_BENCH_RUNS` how often
//! (default 10), `ETALON_BENCH_FILES` how many files and directories (default 20000).
#![expect(clippy::print_stdout, reason = "a program that prints its figures")]

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::AtomicBool;

use etalon_stats::{Level, Sample};
use etalon_workload::metadata::{MetadataOperation as Op, MetadataWorkload, run};

/// Our operation and mdtest's line for it.
const PAIRS: [(Op, &str); 6] = [
    (Op::Mkdir, "Directory creation"),
    (Op::Rmdir, "Directory removal"),
    (Op::Create, "File creation"),
    (Op::Stat, "File stat"),
    (Op::Open, "File read"),
    (Op::Unlink, "File removal"),
];

fn main() -> Result<(), Box<dyn Error>> {
    let place = std::env::var_os("ETALON_BENCH_DIR").map_or_else(std::env::temp_dir, PathBuf::from);
    let runs = number("ETALON_BENCH_RUNS", 10);
    let files = number("ETALON_BENCH_FILES", 20_000);
    let Some(program) = std::env::var_os("ETALON_PEER_MDTEST").map(PathBuf::from) else {
        println!("ETALON_PEER_MDTEST names no program: nothing to compare with");
        return Ok(());
    };
    let (mut own, mut peer) = ([const { Vec::new() }; 6], [const { Vec::new() }; 6]);
    for turn in 0..runs {
        // Who goes first changes from turn to turn.
        let (a, b) = if turn % 2 == 0 {
            let a = etalon(&place, files)?;
            (a, mdtest(&program, &place, files)?)
        } else {
            let b = mdtest(&program, &place, files)?;
            (etalon(&place, files)?, b)
        };
        for at in 0..6 {
            own[at].push(a[at]);
            peer[at].push(b[at]);
        }
    }
    println!(
        "{files} files, {files} directories on {}, {runs} alternated runs: median [95 % interval]",
        place.display()
    );
    for (at, (op, _)) in PAIRS.into_iter().enumerate() {
        let ratios: Vec<f64> = own[at].iter().zip(&peer[at]).map(|(a, b)| a / b).collect();
        println!(
            "{op:8} etalon {:.0}/s  mdtest {:.0}/s  ratio {:.2}",
            median(&own[at])?,
            median(&peer[at])?,
            median(&ratios)?
        );
    }
    Ok(())
}

fn median(values: &[f64]) -> Result<etalon_stats::Estimate, Box<dyn Error>> {
    Ok(Sample::new(values.to_vec())?.median_interval(Level::P95))
}

fn number(name: &str, default: u32) -> u32 {
    std::env::var(name)
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(default)
}

/// Rates in the order of [`PAIRS`].
fn etalon(place: &Path, files: u32) -> Result<[f64; 6], Box<dyn Error>> {
    let go = AtomicBool::new(false);
    let flat = MetadataWorkload {
        operations: vec![Op::Create, Op::Stat, Op::Open, Op::Unlink],
        depth: 0,
        files,
        ..MetadataWorkload::default()
    };
    let wide = MetadataWorkload {
        operations: vec![Op::Mkdir, Op::Rmdir],
        depth: 1,
        breadth: files,
        files: 0,
        ..MetadataWorkload::default()
    };
    let (directories, names) = (run(&wide, place, &go, &())?, run(&flat, place, &go, &())?);
    Ok(PAIRS.map(|(op, _)| {
        let phase = directories.phase(op).or_else(|| names.phase(op));
        phase.map_or(0.0, |phase| phase.per_second())
    }))
}

/// The means of mdtest's own tables, in the order of [`PAIRS`].
///
/// Directories and files are two calls: in one, mdtest makes its files in the directory that its
/// directories have already grown, which ext4 leaves grown, and ours stand in a new one.
fn mdtest(program: &Path, place: &Path, files: u32) -> Result<[f64; 6], Box<dyn Error>> {
    let mut text = String::new();
    for which in ["-D", "-F"] {
        let output = Command::new(program)
            .args(["-n", &files.to_string(), "-i", "1", which, "-d"])
            .arg(place.join("mdtest"))
            .env("OMPI_ALLOW_RUN_AS_ROOT", "1")
            .env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1")
            .output()?;
        text += &String::from_utf8_lossy(&output.stdout);
    }
    let mut rates = [0.0; 6];
    for (rate, (_, name)) in rates.iter_mut().zip(PAIRS) {
        let line = text
            .lines()
            .find(|line| line.trim_start().starts_with(name));
        let column = line.and_then(|line| line.split_whitespace().nth(4));
        *rate = column
            .and_then(|mean| mean.parse().ok())
            .ok_or_else(|| format!("mdtest printed no '{name}':\n{text}"))?;
    }
    Ok(rates)
}
