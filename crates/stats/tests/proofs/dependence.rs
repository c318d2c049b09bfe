//! Proof that within-run intervals are honest about autocorrelation, or refused.

use crate::common::{ar1, assert_share, median, of_each, pairs, rng, sample, share, slack};
use etalon_stats::Level;

/// How often an interval was issued, and issued but wrong.
struct Tally {
    issued: f64,
    wrong: f64,
}

fn tally(phi: f64, n: usize, reps: usize) -> Tally {
    let mut rng = rng(1000 + n as u64);
    let (mut issued, mut wrong) = (0, 0);
    for _ in 0..reps {
        let within = sample(ar1(&mut rng, n, phi)).within_run(Level::P95);
        if let Some(interval) = within.estimate.interval {
            issued += 1;
            wrong += usize::from(!interval.contains(0.0));
        }
    }
    Tally {
        issued: f64::from(issued),
        wrong: wrong as f64,
    }
}

#[test]
fn an_interval_is_rarely_issued_and_wrong() {
    let reps = 4000;
    let phis = [0.0, 0.5, 0.8, 0.9, 0.95, 0.98, 0.99];
    of_each(&pairs(&phis, &[60, 120, 300, 600, 1800]), |&(phi, n)| {
        let Tally { issued, wrong } = tally(phi, n, reps);
        let share = wrong / reps as f64;
        let limit = 0.07 + slack(0.07, reps);
        assert!(
            share <= limit,
            "phi {phi}, n {n}: {share:.4} above {limit:.4}"
        );
        let true_effective_n = n as f64 * (1.0 - phi) / (1.0 + phi);
        if true_effective_n >= 60.0 {
            let coverage = 1.0 - wrong / issued;
            let what = format!("coverage, phi {phi}, n {n}");
            assert_share(&what, coverage, 0.93, 0.97, issued as usize);
        }
    });
}

#[test]
fn windows_taken_as_runs_would_be_wrong() {
    let reps = 2000;
    let mut rng = rng(1100);
    let covered = share(reps, |_| {
        let naive = sample(ar1(&mut rng, 600, 0.9)).mean_interval(Level::P95);
        naive.interval.unwrap().contains(0.0)
    });
    assert_share("naive interval on phi 0.9", covered, 0.32, 0.36, reps);
}

#[test]
fn the_effective_sample_size_is_found() {
    let mut rng = rng(1200);
    let found = (0..500).map(|_| sample(ar1(&mut rng, 3000, 0.9)).effective_n());
    let middle = median(found.collect());
    assert!((150.0..=175.0).contains(&middle), "{middle}");
}
