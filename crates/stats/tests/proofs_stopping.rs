//! Proof that stopping early keeps what is promised, and that peeking cannot be asked for.
#![expect(clippy::unwrap_used, reason = "a proof may panic")]

mod common;

use common::{assert_share, normal, rng, sample, share};
use etalon_stats::{
    Level, SEQUENTIAL_LOOKS, Sample, SequentialDecision, SequentialError, SequentialPlan, Spending,
    StopDecision, StoppingRule, paired_ratio,
};

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

fn plan() -> SequentialPlan {
    SequentialPlan::o_brien_fleming(&SEQUENTIAL_LOOKS, Level::P95).unwrap()
}

fn arm(rng: &mut common::Rng, gain: f64) -> Vec<f64> {
    (0..30).map(|_| gain * (0.05 * normal(rng)).exp()).collect()
}

fn first(arm: &[f64], n: usize) -> Sample {
    sample(arm[..n].to_vec())
}

/// Runs a plan to its end; the number of blocks if a difference was found.
fn found_after(plan: &SequentialPlan, a: &[f64], b: &[f64]) -> Option<usize> {
    plan.looks().iter().map(|look| look.blocks).find(|&n| {
        let decision = plan.decide(&first(a, n), &first(b, n)).unwrap();
        matches!(decision, SequentialDecision::Differ(_))
    })
}

#[test]
fn planned_looks_keep_the_false_alarm_rate() {
    let reps = 20_000;
    let plan = plan();
    let mut rng = rng(4200);
    let mut naive = 0;
    let alarms = share(reps, |_| {
        let (a, b) = (arm(&mut rng, 1.0), arm(&mut rng, 1.0));
        let tempted = SEQUENTIAL_LOOKS.iter().any(|&n| {
            paired_ratio(&first(&a, n), &first(&b, n), Level::P95)
                .unwrap()
                .p
                < 0.05
        });
        naive += usize::from(tempted);
        found_after(&plan, &a, &b).is_some()
    });
    assert!((0.045..=0.056).contains(&alarms), "{alarms}");
    assert_share(
        "p < 0.05 at each look",
        naive as f64 / reps as f64,
        0.145,
        0.158,
        reps,
    );
}

#[test]
fn spending_plans_keep_it_too() {
    let reps = 10_000;
    for spending in [Spending::OBrienFleming, Spending::Pocock] {
        let looks = [8, 13, 20, 30];
        let plan = SequentialPlan::spending(&looks, 30, spending, Level::P95).unwrap();
        let mut rng = rng(4300);
        let alarms = share(reps, |_| {
            let (a, b) = (arm(&mut rng, 1.0), arm(&mut rng, 1.0));
            found_after(&plan, &a, &b).is_some()
        });
        assert_share(&format!("{spending:?}"), alarms, 0.045, 0.056, reps);
    }
}

#[test]
fn a_large_effect_stops_early() {
    let plan = plan();
    let mut rng = rng(4400);
    let effect = (1.2 * 0.05 * std::f64::consts::SQRT_2).exp();
    let stops: Vec<usize> = (0..2000)
        .filter_map(|_| found_after(&plan, &arm(&mut rng, effect), &arm(&mut rng, 1.0)))
        .collect();
    let mean_n = stops.iter().sum::<usize>() as f64 / stops.len() as f64;
    assert!(stops.len() > 1990);
    assert!((13.5..16.5).contains(&mean_n), "{mean_n}");
}

#[test]
fn peeking_is_refused() {
    let mut rng = rng(4500);
    let (a, b) = (arm(&mut rng, 1.5), arm(&mut rng, 1.0));
    for n in (2..=30).filter(|n| !SEQUENTIAL_LOOKS.contains(n)) {
        let asked = plan().decide(&first(&a, n), &first(&b, n));
        assert!(
            matches!(asked, Err(SequentialError::NotALook { .. })),
            "{n}"
        );
    }
}
