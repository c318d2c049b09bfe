//! Proof that stopping early keeps what is promised.
#![expect(clippy::unwrap_used, reason = "a proof may panic")]

use crate::common::{assert_share, normal, rng, sample, share};
use etalon_stats::{Level, StopDecision, StoppingRule};

const CV: f64 = 0.05;

/// Runs until the rule stops or gives up; the number of runs and whether the interval is right.
fn session(rule: &StoppingRule, mut run: impl FnMut() -> f64, truth: f64) -> (usize, bool) {
    let mut values = Vec::new();
    loop {
        values.push(run());
        let estimate = match rule.decide(&sample(values.clone())) {
            StopDecision::Continue { .. } => continue,
            StopDecision::Stop(estimate) => estimate,
            StopDecision::Undecided { so_far, .. } => so_far,
        };
        return (values.len(), estimate.interval.unwrap().contains(truth));
    }
}

#[test]
fn stopping_when_narrow_keeps_the_coverage() {
    let reps = 20_000;
    for (target, fewest, most) in [(CV / 2.0, 26.0, 36.0), (CV, 6.0, 13.0)] {
        let rule = StoppingRule::new(target, 6, 60).unwrap();
        let mut rng = rng(4000);
        let mut runs = 0;
        let covered = share(reps, |_| {
            let (n, right) = session(&rule, || 100.0 * (1.0 + CV * normal(&mut rng)), 100.0);
            runs += n;
            right
        });
        let mean_n = runs as f64 / reps as f64;
        assert_share(&format!("target {target}"), covered, 0.945, 0.975, reps);
        assert!(
            (fewest..most).contains(&mean_n),
            "target {target}: mean n {mean_n}"
        );
    }
}

#[test]
fn a_lucky_stop_at_95_percent_would_cover_less() {
    let reps = 20_000;
    let mut rng = rng(4100);
    let looks = StoppingRule::new(CV / 2.0, 6, 60).unwrap().looks().to_vec();
    let covered = share(reps, |_| {
        let values: Vec<f64> = (0..60)
            .map(|_| 100.0 * (1.0 + CV * normal(&mut rng)))
            .collect();
        let stop = looks
            .iter()
            .map(|&n| sample(values[..n].to_vec()).mean_interval(Level::P95));
        let mut estimates = stop.filter(|e| e.relative_half_width().unwrap() <= CV / 2.0);
        estimates
            .next()
            .is_none_or(|e| e.interval.unwrap().contains(100.0))
    });
    assert!(covered < 0.94, "{covered}");
}
