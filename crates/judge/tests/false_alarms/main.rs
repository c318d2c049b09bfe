//! False alarms of the checks that look at the course of a run, and at the runs of a cell, on honest devices with noise of
//! their own; and how often a change that is really there is found. The seeds were not used where limits were chosen.
//! `docs/checks.md` has the tables.

#![expect(clippy::unwrap_used, reason = "helpers of a test fail by panicking")]

#[path = "../common/mod.rs"]
mod common;
mod devices;
mod spreads;

use std::collections::BTreeMap;

use devices::{DEVICES, drifting, lognormal, rng, run_of};
use etalon_judge::{Facts, check_run};
use etalon_model::{Finding, Run, Severity};

/// Runs of each device.
const RUNS: usize = 1000;
/// In how many honest runs a check may tell something, and in how many where slices are like their neighbours, as
/// the CUSUM test may (2 % at a correlation of 0.5).
const OF_RUNS: f64 = 0.005;
const OF_RUNS_ALIKE: f64 = 0.02;
/// The checks that look at the course of a run.
const COURSE: [&str; 3] = ["warm-up", "unsteady", "regimes"];
/// Runs with each drift.
const DRIFTED: usize = 200;
/// How far the slices vary, and by how much of its mean the rate falls.
const NOISES: [f64; 3] = [0.02, 0.10, 0.40];
const DRIFTS: [f64; 7] = [0.02, 0.05, 0.08, 0.10, 0.15, 0.20, 0.30];

/// How many of so many tries gave each code, at a weight above that of a note.
pub(crate) fn counted(
    tries: usize,
    mut once: impl FnMut() -> Vec<Finding>,
) -> BTreeMap<String, usize> {
    let mut codes = BTreeMap::new();
    for finding in (0..tries).flat_map(|_| once()) {
        if finding.severity > Severity::Info {
            *codes.entry(finding.code).or_default() += 1;
        }
    }
    codes
}

/// As many of so many tries as a level allows, and three standard errors, which chance may add.
pub(crate) fn most(level: f64, tries: usize) -> usize {
    let tries = tries as f64;
    let slack = 3.0 * (level * (1.0 - level) / tries).sqrt();
    ((level + slack) * tries) as usize
}

/// The page has this table.
pub(crate) fn is_on_the_page(lines: &[String]) {
    let table = lines.join("\n");
    let page = include_str!("../../../../docs/checks.md");
    let has = page.contains(&table);
    assert!(has, "docs/checks.md has another table:\n{table}");
}

fn found(run: &Run) -> Vec<Finding> {
    check_run(&Facts {
        run,
        null_ns_per_operation: None,
    })
}

fn of(codes: &BTreeMap<String, usize>, code: &str) -> usize {
    codes.get(code).copied().unwrap_or(0)
}

#[test]
fn honest_runs_are_accused_no_more_often_than_is_stated() {
    let (mut lines, mut wrong) = (Vec::new(), Vec::new());
    for (device, seed) in DEVICES.iter().zip(90_001..) {
        let mut rng = rng(seed);
        let codes = counted(RUNS, || found(&run_of(&(device.slices)(&mut rng))));
        let counts = COURSE.map(|code| of(&codes, code).to_string()).join(" | ");
        let others = codes.keys().filter(|code| !COURSE.contains(&code.as_str()));
        let others = others.count();
        lines.push(format!(
            "| {} | {RUNS} | {counts} | {others} |",
            device.name
        ));
        let level = match device.alike {
            true => OF_RUNS_ALIKE,
            false => OF_RUNS,
        };
        let too_many = codes.values().any(|count| *count > most(level, RUNS));
        if too_many || others > 0 {
            wrong.push(format!("{}: {codes:?}", device.name));
        }
    }
    println!("{}", lines.join("\n"));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    is_on_the_page(&lines);
}

/// The share of runs with such a drift that each check tells of, and any of them. Each has a seed of its own, so that
/// what chance does to one it does not do to its neighbours in the table.
fn power(noise: f64, drift: f64) -> [usize; 4] {
    let thousandths = |share: f64| (1000.0 * share).round() as u64;
    let mut rng = rng(91_000_000 + 1000 * thousandths(noise) + thousandths(drift));
    let mut any = 0;
    let codes = counted(DRIFTED, || {
        let found = found(&run_of(&drifting(lognormal(&mut rng, noise), -drift)));
        any += usize::from(found.iter().any(|f| f.severity > Severity::Info));
        found
    });
    let [a, b, c] = COURSE.map(|code| of(&codes, code));
    [a, b, c, any].map(|count| 100 * count / DRIFTED)
}

#[test]
fn the_drifts_that_are_found_are_those_of_the_page() {
    let mut lines = Vec::new();
    for drift in DRIFTS {
        let cells = NOISES.map(|noise| {
            let [warm_up, unsteady, regimes, any] = power(noise, drift);
            format!("{warm_up}, {unsteady}, {regimes}; {any} %")
        });
        lines.push(format!(
            "| {:.0} % | {} |",
            100.0 * drift,
            cells.join(" | ")
        ));
    }
    // Twice what the rule of SNIA allows is never missed where there is little noise, nor half of it where drift is proved.
    assert_eq!(power(0.02, 0.20)[1], 100);
    assert!(power(0.02, 0.10)[3] >= 99);
    is_on_the_page(&lines);
}
