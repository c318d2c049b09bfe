//! Honest devices with noise within a run, as the operations that end in each 100 ms of it.

use etalon_model::{Run, SeriesPoint};
use rand::{RngExt as _, SeedableRng as _};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::common::run;

pub(crate) type Rng = Xoshiro256PlusPlus;

/// Ten seconds.
pub(crate) const SLICES: usize = 100;

/// A device of one speed: how it gives the slices of a run.
pub(crate) struct Device {
    pub(crate) name: &'static str,
    pub(crate) slices: fn(&mut Rng) -> Vec<f64>,
    /// Whether slices are like their neighbours.
    pub(crate) alike: bool,
}

pub(crate) const DEVICES: [Device; 8] = [
    device("steady, slices vary by 0.5 %", |rng| lognormal(rng, 0.005)),
    device("noisy, slices vary by 10 %", |rng| lognormal(rng, 0.10)),
    device("very noisy, slices vary by 40 %", |rng| {
        lognormal(rng, 0.40)
    }),
    device(
        "hits and misses: 9 of 10 operations 0.1 ms, the others 5 ms",
        |rng| served(rng, |rng| if rng.random_bool(0.9) { 1e-4 } else { 5e-3 }),
    ),
    device("slow disk: 8 ms to 17 ms an operation", |rng| {
        served(rng, |rng| rng.random_range(0.008..0.017))
    }),
    device(
        "rare pauses: 1 of 500 operations 30 ms, the others 0.5 ms",
        |rng| served(rng, |rng| if rng.random_bool(0.002) { 0.03 } else { 5e-4 }),
    ),
    device("drift of 1 % within slices that vary by 5 %", |rng| {
        drifting(lognormal(rng, 0.05), 0.01)
    }),
    Device {
        name: "neighbouring slices alike (correlation 0.5, 5 %)",
        slices: |rng| correlated(rng, 0.05),
        alike: true,
    },
];

const fn device(name: &'static str, slices: fn(&mut Rng) -> Vec<f64>) -> Device {
    Device {
        name,
        slices,
        alike: false,
    }
}

pub(crate) fn rng(seed: u64) -> Rng {
    Rng::seed_from_u64(seed)
}

pub(crate) fn normal(rng: &mut Rng) -> f64 {
    // Box and Muller; the first must not be zero.
    let (u, v): (f64, f64) = (1.0 - rng.random::<f64>(), rng.random());
    (-2.0 * u.ln()).sqrt() * (std::f64::consts::TAU * v).cos()
}

/// A thousand operations a slice, of this variation.
pub(crate) fn lognormal(rng: &mut Rng, sigma: f64) -> Vec<f64> {
    let slice = |_| 1000.0 * (sigma * normal(rng)).exp();
    (0..SLICES).map(slice).collect()
}

/// The rate moves by this share of its mean from the beginning to the end.
pub(crate) fn drifting(slices: Vec<f64>, share: f64) -> Vec<f64> {
    let length = slices.len() as f64;
    let part = |at: usize| (at as f64 + 0.5) / length - 0.5;
    let slices = slices.into_iter().enumerate();
    slices
        .map(|(at, count)| count * (1.0 + share * part(at)))
        .collect()
}

fn correlated(rng: &mut Rng, sigma: f64) -> Vec<f64> {
    let mut last = normal(rng);
    let slice = |_| {
        last = 0.5 * last + 0.75_f64.sqrt() * normal(rng);
        1000.0 * (sigma * last).exp()
    };
    (0..SLICES).map(slice).collect()
}

/// One operation after another, each of which takes so many seconds.
fn served(rng: &mut Rng, takes: impl Fn(&mut Rng) -> f64) -> Vec<f64> {
    let mut counts = vec![0.0; SLICES];
    let mut at = 0.0;
    loop {
        at += takes(rng);
        match counts.get_mut((at * 10.0) as usize) {
            Some(count) => *count += 1.0,
            None => return counts,
        }
    }
}

/// The run that gave these slices.
pub(crate) fn run_of(slices: &[f64]) -> Run {
    let mut run = run(0, slices.iter().sum::<f64>() as u64);
    run.measurement.duration = etalon_units::Nanos::millis(100 * slices.len() as u64);
    run.elapsed = run.measurement.duration;
    let point = |operations: &f64| SeriesPoint {
        operations: operations.round() as u64,
        ..SeriesPoint::default()
    };
    // The last slice is cut off by the end of the run.
    run.measurement.series = slices.iter().chain([&1.0]).map(point).collect();
    run
}
