//! Levels of an outer factor are held against the error that plots have, shown by simulation with fixed seeds.
//!
//! A plot is what is expensive to change: all runs in it share what came of making it. Each block has one plot of each
//! level, so that the difference between two levels of the outer factor has the spread of plots in it, and that between two
//! levels within a plot has not.

use etalon_model::{ComparisonVerdict, Run};
use rand::{RngExt as _, SeedableRng as _};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::tests::options;
use super::*;
use crate::cell::judge_cell;
use crate::goal::Goal;
use crate::samples::read_run;

/// Standard deviations of logarithms: of blocks, of plots and of runs.
const SPREAD: (f64, f64, f64) = (0.1, 0.05, 0.02);
const BLOCKS: usize = 8;
const PLANS: usize = 400;

/// Nearly standard normal: the sum of twelve uniform values (Irwin-Hall).
fn normal(rng: &mut Xoshiro256PlusPlus) -> f64 {
    (0..12).map(|_| rng.random::<f64>()).sum::<f64>() - 6.0
}

/// Runs of two outer levels by two inner ones that are all equal: by outer level, inner level and block.
fn plan(rng: &mut Xoshiro256PlusPlus) -> [[Vec<u64>; 2]; 2] {
    let (blocks, plots, runs) = SPREAD;
    let mut figures: [[Vec<u64>; 2]; 2] = Default::default();
    for _ in 0..BLOCKS {
        let block = blocks * normal(rng);
        for plot in &mut figures {
            let shift = block + plots * normal(rng);
            for cell in plot {
                let figure = 1e6 * (shift + runs * normal(rng)).exp();
                cell.push(figure as u64);
            }
        }
    }
    figures
}

thread_local! {
    /// To copy a run is much faster than to make it.
    static RUN: Run = read_run();
}

fn runs(figures: &[u64]) -> Vec<Run> {
    let numbered = (0..).zip(figures);
    numbered
        .map(|(block, &operations)| {
            let mut run = RUN.with(Run::clone);
            run.block = block;
            run.measurement.reads.operations = operations;
            run
        })
        .collect()
}

/// Whether two levels that were measured in the same blocks are told apart.
fn told_apart(a: &[u64], b: &[u64]) -> bool {
    let sides = [runs(a), runs(b)];
    // Of the cell only what was measured counts here, and judging it takes longer than all else.
    thread_local! {
        static CELL: Cell = {
            let (runs, goal) = (runs(&[1000; 6]), Goal::new(None, 6, 30).unwrap());
            judge_cell("a cell", &runs.iter().collect::<Vec<_>>(), &goal).unwrap()
        };
    }
    CELL.with(|cell| {
        let arm = |label: &str, side: usize| Arm {
            label: label.to_owned(),
            session: "one".to_owned(),
            cell,
            runs: sides[side].iter().collect(),
        };
        let arms = [arm("a", 0), arm("b", 1)];
        let found = compare_arms("equal levels", &arms, &options(&[])).unwrap();
        assert!(found.in_blocks);
        matches!(found.verdict, ComparisonVerdict::Greater { .. })
    })
}

/// The share of plans in which two equal levels are told apart.
fn false_alarms(seed: u64, mut is_alarm: impl FnMut(&mut Xoshiro256PlusPlus) -> bool) -> f64 {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    (0..PLANS).filter(|_| is_alarm(&mut rng)).count() as f64 / PLANS as f64
}

#[test]
fn equal_levels_of_an_outer_factor_are_told_apart_in_one_plan_of_twenty() {
    let between = false_alarms(1501, |rng| {
        let [[a, _], [b, _]] = plan(rng);
        told_apart(&a, &b)
    });
    assert!((0.03..=0.07).contains(&between), "between plots: {between}");
    let within = false_alarms(1502, |rng| {
        let [[a, b], _] = plan(rng);
        told_apart(&a, &b)
    });
    assert!((0.03..=0.07).contains(&within), "within plots: {within}");
}

/// What the right error is worth: runs of one plot that pass for runs of several blocks.
#[test]
fn runs_of_one_plot_that_pass_for_several_raise_false_alarms() {
    let wrong = false_alarms(1503, |rng| {
        let [[a, more_a], [b, more_b]] = plan(rng);
        let all = |one: Vec<u64>, more: Vec<u64>| [one, more].concat();
        told_apart(&all(a, more_a), &all(b, more_b))
    });
    assert!(wrong > 0.1, "{wrong}");
}

#[test]
fn of_twenty_plans_with_two_equal_levels_at_most_one_tells_them_apart() {
    let alarms = (1..=20).filter(|&seed| {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let [[a, _], [b, _]] = plan(&mut rng);
        told_apart(&a, &b)
    });
    assert!(alarms.count() <= 1);
}
