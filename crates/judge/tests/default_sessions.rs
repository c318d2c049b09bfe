//! Two default sessions of the same storage, simulated: how many of their rows are called different.

#![expect(clippy::unwrap_used, reason = "helpers of a test fail by panicking")]

mod common;

use common::run;
use etalon_judge::{Arm, CompareOptions, Goal, compare_arms, judge_cell};
use etalon_model::{Cell, Run, Standing};
use etalon_units::Percent;
use rand::{RngExt as _, SeedableRng as _};
use rand_xoshiro::Xoshiro256PlusPlus;

const PAIRS: usize = 400;
const ROWS: usize = 9;
/// Variation of single runs and of whole blocks, on the scale of logarithms.
const NOISE: f64 = 0.10;
const OF_BLOCK: f64 = 0.06;
/// By how much a session grows slower from its beginning to its end.
const DRIFT: f64 = 0.05;

/// Two arms that are judged once and then given the figures of one row after another.
struct Stage {
    runs: Vec<Run>,
    cells: [Cell; 2],
}

impl Stage {
    fn new() -> Stage {
        let goal = Goal::new(Some(Percent::from_fraction(0.05)), 6, 30).unwrap();
        let runs: Vec<Run> = (0..6).map(|block| run(block, 1)).collect();
        let all: Vec<&Run> = runs.iter().collect();
        let cell = judge_cell("a cell", &all, &goal).unwrap();
        Stage {
            cells: [cell.clone(), cell],
            runs,
        }
    }

    fn calls_different(&mut self, a: Vec<f64>, b: Vec<f64>) -> bool {
        let [one, two] = &mut self.cells;
        (one.values, two.values) = (a, b);
        let arms = [("a", &self.cells[0]), ("b", &self.cells[1])];
        let arms = arms.map(|(label, cell)| Arm {
            label: label.to_owned(),
            session: label.to_owned(),
            cell,
            runs: self.runs.iter().collect(),
        });
        let options = CompareOptions {
            by: Vec::new(),
            baseline: 0,
            margin: 0.02,
        };
        let found = compare_arms("a cell", &arms, &options).unwrap();
        let standing = found.arms[1].standing;
        matches!(standing, Some(Standing::Faster | Standing::Slower))
    }
}

fn normal(rng: &mut Xoshiro256PlusPlus) -> f64 {
    // Box and Muller; the first must not be zero.
    let (u, v): (f64, f64) = (1.0 - rng.random::<f64>(), rng.random());
    (-2.0 * u.ln()).sqrt() * (std::f64::consts::TAU * v).cos()
}

/// The rows of one session: they share what happens to a block, and all grow slower.
fn session(blocks: usize, speed: f64, rng: &mut Xoshiro256PlusPlus) -> Vec<Vec<f64>> {
    let shared: Vec<f64> = (0..blocks).map(|_| OF_BLOCK * normal(rng)).collect();
    let row = |row: usize| {
        let blocks = shared.iter().enumerate();
        let figures = blocks.map(|(block, of_block)| {
            let time = block as f64 / shared.len() as f64;
            let log = of_block + NOISE * normal(rng) - DRIFT * time;
            1e5 * (1 + row) as f64 * speed * log.exp()
        });
        figures.collect()
    };
    (0..ROWS).map(row).collect()
}

/// The share of rows that are called different, over pairs of sessions that `spoil` may have changed.
fn share(speed: f64, seed: u64, spoil: fn(Vec<f64>) -> Vec<f64>) -> f64 {
    let mut stage = Stage::new();
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut different = 0;
    for pair in 0..PAIRS {
        let blocks = 6 + pair % 3;
        let a = session(blocks, 1.0, &mut rng);
        let b = session(6 + (pair / 3) % 3, speed, &mut rng);
        let pairs = a.into_iter().map(spoil).zip(b.into_iter().map(spoil));
        for (a, b) in pairs {
            different += usize::from(stage.calls_different(a, b));
        }
    }
    different as f64 / (PAIRS * ROWS) as f64
}

#[test]
fn at_most_one_row_in_twenty_of_equal_sessions_is_called_different() {
    for seed in [3, 17] {
        let share = share(1.0, seed, |row| row);
        assert!(share <= 0.05, "seed {seed}: {share}");
    }
}

/// Each run counted four times, as slices of a run would be: the check above must see that.
#[test]
fn rows_whose_runs_are_counted_four_times_are_called_different_far_more_often() {
    let share = share(1.0, 3, |row| row.repeat(4));
    assert!(share > 0.2, "{share}");
}

#[test]
fn a_session_that_is_half_as_fast_again_is_told_apart_in_nearly_every_row() {
    let share = share(1.5, 3, |row| row);
    assert!(share > 0.9, "{share}");
}
