//! Proof that one more value exceeds its prediction bound no more often than was asked for.

#![expect(clippy::unwrap_used, reason = "a proof may panic")]

use crate::common::{Rng, assert_share, exponential, normal, of_each, pairs, rng, share};
use etalon_stats::upper_prediction_bound;
use rand::RngExt as _;

const REPS: usize = 20_000;
const CHANCE: f64 = 0.01;

type Draw = fn(&mut Rng) -> f64;

const LATENCIES: [(&str, Draw); 5] = [
    ("exponential", |rng| exponential(rng)),
    ("lognormal", |rng| normal(rng).exp()),
    // Without a variance.
    ("Pareto 1.5", |rng| (exponential(rng) / 1.5).exp()),
    ("one of 20 ten times as long", |rng| {
        let stalled = rng.random_bool(0.05);
        if stalled {
            10.0
        } else {
            1.0 + 0.1 * exponential(rng)
        }
    }),
    ("one of 100 a hundred times as long", |rng| {
        let stalled = rng.random_bool(0.01);
        if stalled {
            100.0
        } else {
            1.0 + 0.1 * exponential(rng)
        }
    }),
];

/// The share of samples of `n` values that one more exceeds the bound of.
fn exceeded(n: usize, draw: Draw) -> f64 {
    let mut rng = rng(900 + n as u64);
    let bound = upper_prediction_bound(n as u64, CHANCE).unwrap();
    share(REPS, |_| {
        let mut values: Vec<f64> = (0..n).map(|_| draw(&mut rng)).collect();
        values.sort_by(f64::total_cmp);
        draw(&mut rng) > values[bound.rank as usize - 1] * bound.factor
    })
}

#[test]
fn one_more_value_exceeds_its_bound_in_at_most_one_of_a_hundred() {
    // The longest first.
    let counts = [1000, 150, 99, 64, 16, 4];
    of_each(&pairs(&counts, &LATENCIES), |&(n, (name, draw))| {
        let found = exceeded(n, draw);
        assert_share(&format!("{name}, n={n}"), found, 0.0, CHANCE, REPS);
    });
}

#[test]
fn with_many_values_the_bound_is_as_sharp_as_it_can_be() {
    let found = exceeded(999, exponential);
    assert_share("exponential, n=999", found, CHANCE, CHANCE, REPS);
}
