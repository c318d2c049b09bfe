//! Seeded data and tolerances for the proof tests.
#![expect(clippy::unwrap_used, reason = "a proof may panic")]

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use etalon_stats::Sample;
use rand::SeedableRng;
use rand_distr::{Distribution, Exp1, StandardNormal};
use rand_xoshiro::Xoshiro256PlusPlus;

/// The generator of every proof.
pub(crate) type Rng = Xoshiro256PlusPlus;

/// A generator from a fixed seed.
pub(crate) fn rng(seed: u64) -> Rng {
    Rng::seed_from_u64(seed)
}

/// One standard normal value.
pub(crate) fn normal(rng: &mut Rng) -> f64 {
    StandardNormal.sample(rng)
}

/// One exponential value with mean 1.
pub(crate) fn exponential(rng: &mut Rng) -> f64 {
    Exp1.sample(rng)
}

/// `n` independent standard normal values.
pub(crate) fn normals(rng: &mut Rng, n: usize) -> Vec<f64> {
    (0..n).map(|_| normal(rng)).collect()
}

/// A stationary AR(1) series with coefficient `phi` and standard deviation 1.
pub(crate) fn ar1(rng: &mut Rng, n: usize, phi: f64) -> Vec<f64> {
    let innovation = (1.0 - phi * phi).sqrt();
    let mut x = normal(rng);
    (0..n)
        .map(|_| {
            let value = x;
            x = phi * x + innovation * normal(rng);
            value
        })
        .collect()
}

/// Whether the interval of `estimate` holds a median of the runs.
pub(crate) fn holds_median(runs: &etalon_testbed::Runs, estimate: &etalon_stats::Estimate) -> bool {
    estimate
        .interval
        .is_some_and(|interval| runs.median_lies_in((interval.low, interval.high)))
}

/// A sample of values known to be good.
pub(crate) fn sample(values: Vec<f64>) -> Sample {
    Sample::new(values).unwrap()
}

/// The share of `reps` replications for which `hit` holds.
pub(crate) fn share(reps: usize, mut hit: impl FnMut(usize) -> bool) -> f64 {
    (0..reps).filter(|&i| hit(i)).count() as f64 / reps as f64
}

/// Proves something of each of several things, on all processors: each has a generator of its own, so that its numbers are
/// the same whatever is proved beside it.
pub(crate) fn of_each<T: Sync>(things: &[T], prove: impl Fn(&T) + Sync) {
    let next = AtomicUsize::new(0);
    let work = || {
        while let Some(thing) = things.get(next.fetch_add(1, Ordering::Relaxed)) {
            prove(thing);
        }
    };
    // Whoever panics fails the scope.
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(work);
        }
    });
}

/// The pairs of what stands in two lists.
pub(crate) fn pairs<A: Copy, B: Copy>(a: &[A], b: &[B]) -> Vec<(A, B)> {
    let with = |a: &A| {
        let a = *a;
        b.iter().map(move |b| (a, *b))
    };
    a.iter().flat_map(with).collect()
}

/// Three standard errors of a share `p` found in `reps` replications.
pub(crate) fn slack(p: f64, reps: usize) -> f64 {
    3.0 * (p * (1.0 - p) / reps as f64).sqrt()
}

/// Asserts that a share lies between `low` and `high`, with three standard errors allowed.
#[track_caller]
pub(crate) fn assert_share(what: &str, found: f64, low: f64, high: f64, reps: usize) {
    let (under, over) = (low - slack(low, reps), high + slack(high, reps));
    assert!(
        (under..=over).contains(&found),
        "{what}: {found:.4} is outside [{low}, {high}] (allowing {under:.4} to {over:.4})"
    );
}

/// Median of some values.
pub(crate) fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
