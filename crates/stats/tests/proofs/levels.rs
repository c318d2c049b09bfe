//! Proof of the level of repetition that is to be believed: runs, and not the windows within them.

use crate::common::{Rng, assert_share, normal, of_each, rng, sample, share};
use etalon_stats::Level;

fn runs_of_windows(rng: &mut Rng, runs: usize, windows: usize, between: f64) -> Vec<f64> {
    let mut values = Vec::with_capacity(runs * windows);
    for _ in 0..runs {
        let run = between * normal(rng);
        values.extend((0..windows).map(|_| run + normal(rng)));
    }
    values
}

/// Whether the interval of the mean holds the true one, which is zero.
fn covers(values: Vec<f64>) -> bool {
    let interval = sample(values).mean_interval(Level::P95).interval;
    interval.is_some_and(|interval| interval.contains(0.0))
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
            let runs = values.chunks(windows);
            let means = runs.map(|run| run.iter().sum::<f64>() / windows as f64);
            let is_covered = covers(means.collect());
            pooled += usize::from(covers(values));
            is_covered
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
