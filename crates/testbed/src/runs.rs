//! How runs of real storage scatter: the distributions on which every interval has to hold.

use rand::RngExt as _;
use rand_distr::{Distribution, Exp1, StandardNormal, StudentT, Weibull};
use rand_xoshiro::Xoshiro256PlusPlus;

/// The generator that is drawn from.
type Rng = Xoshiro256PlusPlus;

/// A distribution of runs.
#[derive(Debug, Clone, Copy)]
pub struct Runs {
    /// What it is like.
    pub name: &'static str,
    /// Ends of what is a median: one value, or a gap with half of the runs on either side.
    pub median: (f64, f64),
    /// One run.
    pub draw: fn(&mut Rng) -> f64,
}

impl Runs {
    /// Whether the interval from `low` to `high` holds a median.
    #[must_use]
    pub fn median_lies_in(&self, (low, high): (f64, f64)) -> bool {
        low <= self.median.1 && self.median.0 <= high
    }
}

const fn runs(name: &'static str, median: f64, draw: fn(&mut Rng) -> f64) -> Runs {
    Runs {
        name,
        median: (median, median),
        draw,
    }
}

/// Two groups of equal size, of which only the gap between them is the median.
pub const EQUAL_GROUPS: &str = "50/50, slower by 30 %";

/// The nine of methodology.md 3.13b, then three more. Medians of mixtures by bisection.
pub const ALL_RUNS: [Runs; 12] = [
    runs("normal", 1.0, |rng| 1.0 + 0.08 * normal(rng)),
    runs("rising Weibull", 1.059_239_0, |rng| {
        1.0 + 0.1 * weibull(rng)
    }),
    runs("falling Weibull", 1.970_380_5, |rng| {
        2.0 - 0.05 * weibull(rng)
    }),
    runs("80/20, slower by 15 %", 0.993_627, |rng| {
        noisy(rng, 0.2, 0.85)
    }),
    runs("80/20, slower by 40 %", 0.993_627, |rng| {
        noisy(rng, 0.2, 0.6)
    }),
    runs("one less an exponential", 0.930_685_3, |rng| {
        1.0 - 0.1 * exponential(rng)
    }),
    runs("5 % of the runs stall", 0.998_680, |rng| {
        noisy(rng, 0.05, 0.3)
    }),
    runs("Student, 3 degrees", 1.0, |rng| {
        let t: f64 = student().sample(rng);
        1.0 + 0.03 * t
    }),
    Runs {
        name: EQUAL_GROUPS,
        // Three deviations from either group.
        median: (0.742, 0.94),
        draw: |rng| noisy(rng, 0.5, 0.7),
    },
    runs("lognormal", 1.0, |rng| (0.5 * normal(rng)).exp()),
    runs("uniform", 1.0, |rng| 0.9 + 0.2 * uniform(rng)),
    runs("60/35/5, slower by 20 % and 80 %", 0.970_977, |rng| {
        let speed = match uniform(rng) {
            u if u < 0.05 => 0.2,
            u if u < 0.40 => 0.8,
            _ => 1.0,
        };
        speed * (1.0 + 0.03 * normal(rng))
    }),
];

/// One run of two percent's noise, of which `share` are slowed to `speed`.
fn noisy(rng: &mut Rng, share: f64, speed: f64) -> f64 {
    let speed = if uniform(rng) < share { speed } else { 1.0 };
    speed * (1.0 + 0.02 * normal(rng))
}

fn normal(rng: &mut Rng) -> f64 {
    StandardNormal.sample(rng)
}

fn exponential(rng: &mut Rng) -> f64 {
    Exp1.sample(rng)
}

fn uniform(rng: &mut Rng) -> f64 {
    rng.random()
}

#[expect(clippy::unwrap_used, reason = "the shapes are constants above zero")]
fn weibull(rng: &mut Rng) -> f64 {
    Weibull::new(1.0, 0.7).unwrap().sample(rng)
}

#[expect(clippy::unwrap_used, reason = "the degrees are a constant above zero")]
fn student() -> StudentT<f64> {
    StudentT::new(3.0).unwrap()
}
