use super::*;

use rand::SeedableRng;
use rand_distr::{Distribution, Uniform};
use rand_xoshiro::Xoshiro256PlusPlus;

/// A number between -1/2 and 1/2 that belongs to `i`.
fn noise(i: usize) -> f64 {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(i as u64);
    Uniform::new(-0.5, 0.5).unwrap().sample(&mut rng)
}

fn regimes_of(n: usize, level_at: impl Fn(usize) -> f64) -> Regimes {
    let values = (0..n).map(|i| level_at(i) + noise(i));
    Sample::new(values.collect())
        .unwrap()
        .regimes(Level::P95)
        .unwrap()
}

#[test]
fn two_regimes_and_their_shares() {
    let found = regimes_of(600, |i| if i < 366 { 412.0 } else { 268.0 });
    assert_eq!(found.to_string(), "2 regimes: 412 for 61 %, 268 for 39 %");
    assert_eq!(found.switches, [366]);
    assert!(!found.may_be_averaged());
}

#[test]
fn switching_back_is_the_same_regime() {
    let found = regimes_of(600, |i| if (i / 100) % 2 == 0 { 10.0 } else { 20.0 });
    assert_eq!(found.switches, [100, 200, 300, 400, 500]);
    assert_eq!(found.to_string(), "2 regimes: 10 for 50 %, 20 for 50 %");
}

#[test]
fn steady_switching_may_be_averaged() {
    let found = regimes_of(1200, |i| if (i / 100) % 2 == 0 { 10.0 } else { 20.0 });
    assert_eq!(found.switches.len(), 11);
    assert!(found.may_be_averaged());
}

#[test]
fn one_regime_stays_one() {
    let found = regimes_of(600, |_| 100.0);
    assert_eq!(found.to_string(), "1 regime: 100 for 100 %");
    assert!(found.may_be_averaged());
    let flat = Sample::new(vec![5.0; 100]).unwrap();
    assert_eq!(flat.regimes(Level::P95).unwrap().regimes.len(), 1);
}

#[test]
fn long_series_are_cut_to_the_value() {
    let found = regimes_of(123_457, |i| if i < 50_001 { 5.0 } else { 3.0 });
    assert_eq!(found.switches, [50_001]);
}

#[test]
fn no_other_cuts_are_better() {
    for salt in 1..20 {
        let bins: Vec<f64> = (0..40)
            .map(|i| noise(i * salt) * 4.0 + ((i * salt / 37) % 3) as f64)
            .collect();
        for variance in [0.1, 0.5, 2.0] {
            let found = objective(&bins, &Pieces::cut(&bins, variance).starts, variance);
            for a in SHORTEST_PIECE..=40 - SHORTEST_PIECE {
                assert!(found <= objective(&bins, &[a], variance) + 1e-9);
                for b in a + SHORTEST_PIECE..=40 - SHORTEST_PIECE {
                    assert!(found <= objective(&bins, &[a, b], variance) + 1e-9);
                }
            }
        }
    }
}

/// What the cuts are to make smallest, written out.
fn objective(bins: &[f64], starts: &[usize], variance: f64) -> f64 {
    let squares: f64 = residuals_of(&slices_at(bins, starts))
        .iter()
        .map(|r| r * r)
        .sum();
    squares + starts.len() as f64 * penalty(variance, bins.len())
}
