//! Writes that returned long before they were durable.

use etalon_model::{Measurement, Severity};
use etalon_stats::upper_prediction_bound;
use etalon_units::{ByteRate, Nanos};

use crate::check::{Check, Facts, Outcome};
use crate::sentence::{figure, said};

/// Rates further apart than this are told both.
const APART: f64 = 1.05;

/// How often a closing `fsync` that is one more write like the others may be taken for more.
const CHANCE: f64 = 0.01;

pub(crate) const CHECK: Check = Check {
    code: "returned-early",
    about: "The writes returned more than 5 % sooner than they were durable; the figure counts until they were.",
    advice: "Use this figure, which is durable; a tool without fsync would show the higher one.",
    ..Check::of_run(run)
};

fn run(facts: &Facts) -> Option<Outcome> {
    let m = &facts.run.measurement;
    let returned_in = m.duration.saturating_sub(m.final_fsync);
    if m.final_fsync == Nanos::ZERO || returned_in == Nanos::ZERO {
        return None;
    }
    let excess = m.final_fsync.saturating_sub(one_more_write(m)?);
    let without_excess = m.duration.saturating_sub(excess);
    (m.duration.as_secs_f64() > without_excess.as_secs_f64() * APART).then(|| {
        let returned = ByteRate::over(m.writes.bytes, returned_in);
        let durable = ByteRate::over(m.writes.bytes, m.duration);
        let message = said!(
            "returned at {returned}, durable at {durable}: the closing fsync took {time}.",
            returned = figure(returned),
            durable = figure(durable),
            time = m.final_fsync,
        );
        let evidence = [
            ("returned_bytes_per_second", returned.0),
            ("durable_bytes_per_second", durable.0),
        ];
        Outcome::new(Severity::Info, message, &evidence)
    })
}

/// What the slowest of the jobs may need for one more write; only what goes beyond it can be data
/// that was still in memory.
fn one_more_write(m: &Measurement) -> Option<Nanos> {
    let latency = &m.writes.latency;
    let count = latency.count();
    let bound = upper_prediction_bound(count, CHANCE / m.jobs.len().max(1) as f64)?;
    let value = latency.quantile(bound.rank as f64 / count as f64)?;
    Some(Nanos((value.get() as f64 * bound.factor) as u64))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{facts, write_run};
    use etalon_model::{LatencyHistogram, Run};
    use etalon_units::Bytes;
    use rand::{RngExt as _, SeedableRng as _};
    use rand_xoshiro::Xoshiro256PlusPlus;

    const REPS: usize = 1000;

    type LatencyDraw = fn(&mut Xoshiro256PlusPlus) -> f64;

    /// Writes of about a millisecond, by ways in which storage is slow now and then.
    const WRITES: [(&str, LatencyDraw); 4] = [
        ("even", |rng| rng.random_range(0.9..1.1)),
        ("exponential", |rng| -rng.random_range(1e-12..1.0_f64).ln()),
        ("heavy tail", |rng| {
            rng.random_range(1e-12..1.0_f64).powf(-1.0 / 1.5)
        }),
        ("one of 20 stalls", |rng| {
            if rng.random_bool(0.05) {
                10.0
            } else {
                rng.random_range(0.9..1.1)
            }
        }),
    ];

    /// A run before its first write. To copy it is much faster than to make it.
    fn unwritten_run() -> Run {
        let mut run = write_run();
        run.measurement.writes.latency = LatencyHistogram::new();
        run
    }

    /// An unwritten run with writes that took so many milliseconds, and a closing fsync.
    fn durable_run(template: &Run, writes: &[f64], closing: f64) -> Run {
        let nanos = |millis: f64| (millis * 1e6) as u64;
        let mut run = template.clone();
        let m = &mut run.measurement;
        m.writes.bytes = Bytes::mib(writes.len() as u64);
        m.writes.operations = writes.len() as u64;
        for &write in writes {
            m.writes.latency.record(nanos(write));
        }
        m.final_fsync = Nanos(nanos(closing));
        m.duration = Nanos(nanos(writes.iter().sum::<f64>() + closing));
        run
    }

    /// In how many of a hundred runs of `count` writes it is told that they returned early, when
    /// the closing fsync takes `writes` of them.
    fn told(count: usize, draw: LatencyDraw, writes: usize) -> f64 {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(count as u64);
        let template = unwritten_run();
        let told = (0..REPS).filter(|_| {
            let latencies: Vec<f64> = (0..count).map(|_| draw(&mut rng)).collect();
            let closing = (0..writes).map(|_| draw(&mut rng)).sum();
            let run = durable_run(&template, &latencies, closing);
            super::run(&facts(&run)).is_some()
        });
        100.0 * told.count() as f64 / REPS as f64
    }

    #[test]
    fn a_closing_fsync_like_one_more_write_is_told_in_under_one_of_a_hundred_runs() {
        for (name, draw) in WRITES {
            for count in [1, 4, 16, 64, 256] {
                let share = told(count, draw, 1);
                assert!(share < 1.0, "{name}, {count} writes: {share} %");
            }
        }
    }

    #[test]
    fn an_fsync_that_writes_half_of_the_data_is_told() {
        let even = WRITES[0].1;
        for count in [64, 128, 256] {
            assert_eq!(told(count, even, count / 2), 100.0, "{count} writes");
        }
        // With few writes only much more than one of them is told.
        assert_eq!(told(16, even, 64), 100.0);
        assert_eq!(told(4, even, 8), 0.0);
    }

    #[test]
    fn sixteen_writes_and_an_fsync_as_long_as_one_are_not_accused() {
        let run = durable_run(&unwritten_run(), &[0.65; 16], 0.805);
        assert_eq!(super::run(&facts(&run)), None);
    }

    #[test]
    fn a_closing_fsync_of_half_the_time_is_told() {
        let mut run = write_run();
        run.measurement.final_fsync = Nanos::millis(10);
        assert_eq!(super::run(&facts(&run)), None);
        run.measurement.final_fsync = Nanos::millis(500);
        let outcome = super::run(&facts(&run)).unwrap();
        assert!(
            outcome.message.contains("durable at 256 MiB/s"),
            "{}",
            outcome.message
        );
    }
}
