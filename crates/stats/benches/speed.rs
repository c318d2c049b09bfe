//! How long the methods take on large inputs: one million values, one thousand arms.
//!
//! `cargo bench -p etalon-stats`. Prints median, fastest and slowest of the rounds and asserts
//! nothing.

#![expect(clippy::print_stdout, reason = "a timing program prints")]

use std::hint::black_box;
use std::time::{Duration, Instant};

use etalon_stats::{Better, Design, Level, Sample, SampleError, rank};
use rand::SeedableRng;
use rand_distr::{Distribution, StandardNormal};
use rand_xoshiro::Xoshiro256PlusPlus;

const ROUNDS: usize = 5;
const MILLION: usize = 1_000_000;

fn main() -> Result<(), SampleError> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let white = noise(&mut rng, 0.0);
    let slow = noise(&mut rng, 0.99);
    let mut shifted = white.clone();
    for value in &mut shifted[MILLION / 3..] {
        *value += 5.0;
    }
    for (name, values) in [
        ("white noise", white),
        ("AR(1) 0.99", slow),
        ("shifted", shifted),
    ] {
        println!("one million values, {name}:");
        one_million(&values)?;
    }
    println!("one thousand arms of ten runs:");
    thousand_arms(&mut rng)?;
    Ok(())
}

fn one_million(values: &[f64]) -> Result<(), SampleError> {
    let fresh = || Sample::new(values.to_vec());
    timed("summary", || fresh().map(|s| s.summary(Level::P95)))?;
    timed("within-run interval", || {
        fresh().map(|s| s.within_run(Level::P95))
    })?;
    timed("warm-up", || fresh().map(|s| s.warm_up()))?;
    timed("steady state", || fresh().map(|s| s.steady_state()))?;
    timed("level shift", || fresh().map(|s| s.level_shift()))?;
    timed("regimes", || fresh().map(|s| s.regimes(Level::P95)))?;
    timed("all of these together", || {
        let sample = fresh()?;
        black_box(sample.summary(Level::P95));
        black_box(sample.within_run(Level::P95));
        black_box(sample.warm_up());
        black_box(sample.steady_state());
        black_box(sample.level_shift());
        Ok(black_box(sample.regimes(Level::P95)))
    })
}

fn thousand_arms(rng: &mut Xoshiro256PlusPlus) -> Result<(), SampleError> {
    let arms = (0..1000)
        .map(|arm| {
            let level = 100.0 + f64::from(arm % 10);
            let runs = (0..10).map(|_| {
                let z: f64 = StandardNormal.sample(rng);
                level * (0.01 * z).exp()
            });
            Sample::new(runs.collect())
        })
        .collect::<Result<Vec<_>, _>>()?;
    for (name, group) in [
        ("100 groups of 10", 10),
        ("10 groups of 100", 100),
        ("1 group", 1000),
    ] {
        for design in [Design::Blocks, Design::Independent] {
            timed(&format!("{name}, {design:?}"), || {
                for arms in arms.chunks(group) {
                    black_box(rank(arms, design, Better::Higher, Level::P95)).ok();
                }
                Ok(())
            })?;
        }
    }
    Ok(())
}

fn noise(rng: &mut Xoshiro256PlusPlus, phi: f64) -> Vec<f64> {
    let mut x = 0.0;
    (0..MILLION)
        .map(|_| {
            let z: f64 = StandardNormal.sample(rng);
            x = phi * x + z;
            100.0 + x
        })
        .collect()
}

/// Runs `work` several times and prints the times.
fn timed<T>(name: &str, work: impl Fn() -> Result<T, SampleError>) -> Result<(), SampleError> {
    let mut times = Vec::with_capacity(ROUNDS);
    for _ in 0..ROUNDS {
        let start = Instant::now();
        black_box(work()?);
        times.push(start.elapsed());
    }
    times.sort_unstable();
    let ms = |time: Duration| time.as_secs_f64() * 1e3;
    let (middle, fastest, slowest) = (times[ROUNDS / 2], times[0], times[ROUNDS - 1]);
    println!(
        "  {name:<32} {:8.1} ms  ({:.1} to {:.1}, n={ROUNDS})",
        ms(middle),
        ms(fastest),
        ms(slowest)
    );
    Ok(())
}
