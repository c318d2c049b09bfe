//! Proof of the levels of repetition: which interval to believe, and how to spend the time.

mod common;

use common::{assert_share, normal, of_each, rng, share};
use etalon_stats::{Level, NestedSample, Repetitions, Sample, optimal_repetitions};

fn runs_of_windows(rng: &mut common::Rng, runs: usize, windows: usize, between: f64) -> Vec<f64> {
    let mut values = Vec::with_capacity(runs * windows);
    for _ in 0..runs {
        let run = between * normal(rng);
        values.extend((0..windows).map(|_| run + normal(rng)));
    }
    values
}

#[test]
fn pooled_windows_fail_and_run_means_hold() {
    let reps = 8000;
    let cases = [
        (0.2, 5, 300, 0.418),
        (0.0, 5, 30, 0.953),
        (0.5, 5, 30, 0.543),
        (1.0, 3, 30, 0.357),
        (1.0, 10, 30, 0.377),
        (1.0, 20, 30, 0.375),
    ];
    of_each(&cases, |&(between, runs, windows, pooled_covers)| {
        let mut rng = rng(6000);
        let mut pooled = 0;
        let by_runs = share(reps, |_| {
            let values = runs_of_windows(&mut rng, runs, windows, between);
            let naive = Sample::new(values.clone())
                .unwrap()
                .mean_interval(Level::P95);
            pooled += usize::from(naive.interval.unwrap().contains(0.0));
            let nested = NestedSample::new(values, &[windows, runs]).unwrap();
            nested
                .mean_interval(Level::P95)
                .interval
                .unwrap()
                .contains(0.0)
        });
        let pooled = pooled as f64 / reps as f64;
        let what = format!("{runs}x{windows}, between {between}");
        assert!(
            (pooled - pooled_covers).abs() <= 0.02,
            "{what}: pooled {pooled}"
        );
        assert_share(&what, by_runs, 0.945, 0.955, reps);
    });
}

#[test]
fn every_level_gets_its_own_variance() {
    let (windows, runs, preparations) = (4, 3, 6);
    let truth: [f64; 3] = [1.0, 0.25, 0.5];
    let reps = 4000;
    let mut rng = rng(6100);
    let mut sums = [0.0; 3];
    for _ in 0..reps {
        let mut values = Vec::new();
        for _ in 0..preparations {
            let preparation = truth[2].sqrt() * normal(&mut rng);
            for _ in 0..runs {
                let run = preparation + truth[1].sqrt() * normal(&mut rng);
                values.extend((0..windows).map(|_| run + normal(&mut rng)));
            }
        }
        let nested = NestedSample::new(values, &[windows, runs, preparations]).unwrap();
        for (sum, own) in sums.iter_mut().zip(nested.own_variances()) {
            *sum += own;
        }
    }
    // The uncorrected formula would give 0.5 + (0.25 + 1/4)/3 - 0.25/3 = 0.583 at the top.
    for (level, (sum, truth)) in sums.iter().zip(truth).enumerate() {
        let found = sum / f64::from(reps);
        assert!(
            (found - truth).abs() < 0.025,
            "level {}: {found}",
            level + 1
        );
    }
}

#[test]
fn the_optimal_repetitions_are_the_published_ones() {
    assert_eq!(optimal_repetitions(1.0, 0.25, 9.0), Repetitions::Times(6));
    assert_eq!(
        optimal_repetitions(1.0, -0.1, 9.0),
        Repetitions::AllEffortHere
    );
}
