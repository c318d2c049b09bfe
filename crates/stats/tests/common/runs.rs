//! How runs of real storage scatter: the distributions on which every interval has to hold.

use etalon_stats::Estimate;
use rand::RngExt as _;
use rand_distr::{Distribution, StudentT, Weibull};

use crate::common::{Rng, exponential, normal};

/// A distribution of runs.
pub(crate) struct Runs {
    pub(crate) name: &'static str,
    /// Ends of what is a median: one value, or a gap with half of the runs on either side.
    median: (f64, f64),
    pub(crate) draw: fn(&mut Rng) -> f64,
}

impl Runs {
    /// Whether the interval of `estimate` holds a median.
    pub(crate) fn is_held_by(&self, estimate: &Estimate) -> bool {
        let (low, high) = self.median;
        estimate
            .interval
            .is_some_and(|interval| interval.low <= high && low <= interval.high)
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
pub(crate) const EQUAL_GROUPS: &str = "50/50, slower by 30 %";

/// The nine of methodology.md 3.13b, then three more. Medians of mixtures by bisection.
pub(crate) const ALL: [Runs; 12] = [
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
