//! The checks on the runs of a cell, on runs that scatter as those of one honest device do.

use etalon_judge::{Goal, judge_cell};
use etalon_model::{Finding, Run};

use crate::common::run;
use crate::devices::{Rng, normal, rng};
use crate::{counted, is_on_the_page, most};

/// Cells of each kind.
const CELLS: usize = 200;
/// In how many honest cells of runs without a tail `two-modes` may tell something; the rule itself states it.
const TWO_MODES: f64 = 0.04;
/// Runs that the default minute makes, and ones that a precision asks for.
const COUNTS: [usize; 2] = [8, 12];

/// How the figure of the run at a place in its session lies about its middle.
type Scatter = fn(&mut Rng, f64) -> f64;

/// With the share of cells in which a check may tell something: a few runs of a long tail do lie far from the rest.
const SPREADS: [(&str, Scatter, f64); 5] = [
    ("runs vary by 3 %", |rng, _| 1.0 + 0.03 * normal(rng), 0.01),
    ("runs vary by 8 %", |rng, _| 1.0 + 0.08 * normal(rng), 0.01),
    ("lognormal, 10 %", |rng, _| (0.10 * normal(rng)).exp(), 0.05),
    (
        "one less an exponential of 5 %",
        |rng, _| 1.0 - 0.05 * exponential(rng),
        0.10,
    ),
    (
        "drift of 3 % over a session whose runs vary by 3 %",
        |rng, at| 1.0 + 0.03 * (normal(rng) - at),
        0.01,
    ),
];

fn exponential(rng: &mut Rng) -> f64 {
    // Of two squares of normal numbers.
    let (a, b) = (normal(rng), normal(rng));
    (a * a + b * b) / 2.0
}

fn cell(count: usize, scatter: Scatter, rng: &mut Rng) -> Vec<Finding> {
    let run = |at: usize| {
        let value = 1e6 * scatter(rng, at as f64 / count as f64);
        run(at as u32, value as u64)
    };
    let runs: Vec<Run> = (0..count).map(run).collect();
    let all: Vec<&Run> = runs.iter().collect();
    let goal = Goal::new(None, 6, 30).unwrap();
    judge_cell("a cell", &all, &goal).unwrap().findings
}

#[test]
fn honest_cells_are_accused_no_more_often_than_is_stated() {
    let (mut lines, mut wrong) = (Vec::new(), Vec::new());
    for ((name, scatter, level), seed) in SPREADS.into_iter().zip((92_000..).step_by(100)) {
        let mut cells = Vec::new();
        for count in COUNTS {
            // Each configuration has runs of its own.
            let mut rng = rng(seed + count as u64);
            let codes = counted(CELLS, || cell(count, scatter, &mut rng));
            let of = |code: &str| codes.get(code).copied().unwrap_or(0);
            let (outlying, modes) = (of("outlying-run"), of("two-modes"));
            cells.push(format!("{outlying}, {modes}"));
            let few = outlying <= most(level, CELLS) && modes <= most(level.max(TWO_MODES), CELLS);
            if !few || codes.len() > usize::from(outlying > 0) + usize::from(modes > 0) {
                wrong.push(format!("{name}, {count} runs: {codes:?}"));
            }
        }
        lines.push(format!("| {name} | {} |", cells.join(" | ")));
    }
    println!("{}", lines.join("\n"));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    is_on_the_page(&lines);
}
