//! The tree's rates beside the shell script fdtree's, alternated: `cargo bench --bench fdtree`.
//!
//! `ETALON_PEER_FDTREE` names the script (fdtree.bash 1.0.2), `ETALON_BENCH_DIR` where the trees
//! stand (default: the directory for temporary files), `ETALON_BENCH_RUNS` how often (default 6).
//! The script counts whole seconds; here the moments at which its lines arrive are taken instead.
#![expect(clippy::print_stdout, reason = "a program that prints its figures")]

use std::error::Error;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use etalon_stats::{Level, Sample};
use etalon_workload::tree::{Options, Phase, TreeShape, run};

const SHAPE: TreeShape = TreeShape {
    levels: 3,
    directories: 6,
    files: 12,
    blocks: 1,
};

fn main() -> Result<(), Box<dyn Error>> {
    let place = std::env::var_os("ETALON_BENCH_DIR").map_or_else(std::env::temp_dir, PathBuf::from);
    let runs = std::env::var("ETALON_BENCH_RUNS")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(6);
    let Some(script) = std::env::var_os("ETALON_PEER_FDTREE").map(PathBuf::from) else {
        println!("ETALON_PEER_FDTREE names no script: nothing to compare with");
        return Ok(());
    };
    let mut ratios = [const { Vec::new() }; 4];
    let (mut own_rates, mut peer_rates) = ([const { Vec::new() }; 4], [const { Vec::new() }; 4]);
    for _ in 0..runs {
        let (own, peer) = (etalon(&place)?, peer(&script, &place)?);
        for at in 0..4 {
            ratios[at].push(own[at] / peer[at]);
            own_rates[at].push(own[at]);
            peer_rates[at].push(peer[at]);
        }
    }
    println!(
        "{SHAPE:?} on {}, {runs} alternated runs: median [95 % interval]",
        place.display()
    );
    for (at, phase) in Phase::ALL.into_iter().enumerate() {
        let show = |values: &[f64]| -> Result<String, Box<dyn Error>> {
            Ok(format!(
                "{:.1}",
                Sample::new(values.to_vec())?.median_interval(Level::P95)
            ))
        };
        println!("{phase:?}");
        println!("  etalon  {} per second", show(&own_rates[at])?);
        println!("  script  {} per second", show(&peer_rates[at])?);
        println!("  ratio   {}", show(&ratios[at])?);
    }
    Ok(())
}

/// Rates of the four phases in their order.
fn etalon(place: &Path) -> Result<[f64; 4], Box<dyn Error>> {
    let options = Options {
        shape: SHAPE,
        start: place.to_owned(),
        ..Options::default()
    };
    let record = run(&options, 1, &AtomicBool::new(false))?;
    Ok(Phase::ALL.map(|phase| record.phase(phase).map_or(0.0, |p| p.per_second())))
}

/// The script's rates: between two lines of date(1) lies a phase.
fn peer(script: &Path, place: &Path) -> Result<[f64; 4], Box<dyn Error>> {
    let TreeShape {
        levels,
        directories,
        files,
        blocks,
    } = SHAPE;
    let mut child = Command::new("bash")
        .arg(script)
        .args(["-l", &levels.to_string(), "-d", &directories.to_string()])
        .args(["-f", &files.to_string(), "-s", &blocks.to_string(), "-o"])
        .arg(place)
        .env("LC_ALL", "C")
        .stdout(Stdio::piped())
        .spawn()?;
    let lines = BufReader::new(child.stdout.take().ok_or("no output")?).lines();
    let mut dates = Vec::new();
    for line in lines {
        let line = line?;
        if ["Mon ", "Tue ", "Wed ", "Thu ", "Fri ", "Sat ", "Sun "]
            .iter()
            .any(|day| line.starts_with(day))
        {
            dates.push(Instant::now());
        }
    }
    if !child.wait()?.success() || dates.len() != 8 {
        return Err(format!(
            "the script failed or printed {} dates and not 8",
            dates.len()
        )
        .into());
    }
    let counts = [
        SHAPE.total_directories(),
        SHAPE.total_files(),
        SHAPE.total_files(),
        SHAPE.total_directories(),
    ];
    Ok(std::array::from_fn(|at| {
        counts[at] as f64 / (dates[2 * at + 1] - dates[2 * at]).as_secs_f64()
    }))
}
