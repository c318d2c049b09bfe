//! Proof that the one headline, the median with its interpolated interval, covers what it says on
//! runs that are skewed, fall into groups or stall now and then; and that a headline which chooses
//! between mean and median does not. The distributions are those of `etalon_testbed::ALL_RUNS`;
//! sessions whose runs were shortened on the way have the same proof where their pace is (`quick::pace` of
//! etalon-experiment).

use crate::common::{Rng, assert_share, holds_median, of_each, pairs, rng, sample, share};
use etalon_stats::{Estimate, Level, Sample, Statistic, StopDecision, StoppingRule};
use etalon_testbed::{ALL_RUNS, EQUAL_GROUPS, Runs};

const REPS: usize = 3000;

fn draw(runs: &Runs, rng: &mut Rng, n: usize) -> Sample {
    sample((0..n).map(|_| (runs.draw)(rng)).collect())
}

/// Of two equal groups runs lie all in one by chance, or else the gap between them is met.
fn most(runs: &Runs, usual: f64) -> f64 {
    match runs.name {
        EQUAL_GROUPS => 1.0,
        _ => usual,
    }
}

#[test]
fn the_headline_covers_at_any_count() {
    let all: Vec<&Runs> = ALL_RUNS.iter().collect();
    of_each(&pairs(&all, &[6, 7, 8, 10, 13, 20, 30]), |&(runs, n)| {
        let mut rng = rng(8000 + n as u64);
        let mut at_95 = 0;
        let covered = share(REPS, |_| {
            let sample = draw(runs, &mut rng, n);
            let fixed = sample.interpolated_median_interval(Level::P95);
            at_95 += usize::from(holds_median(runs, &fixed));
            holds_median(runs, &Estimate::of_runs(&sample))
        });
        let name = runs.name;
        let what = format!("{name}, n={n}");
        assert_share(&what, covered, 0.93, most(runs, 0.98), REPS);
        let at_95 = at_95 as f64 / REPS as f64;
        let what = format!("{name}, n={n}, at 95 %");
        assert_share(&what, at_95, 0.93, most(runs, 0.96), REPS);
    });
}

/// What the interval claims to hold after a session that stops at ±5 %, and the truth of it.
fn session(rule: &StoppingRule, runs: &Runs, rng: &mut Rng) -> Estimate {
    let mut values = Vec::new();
    loop {
        values.push((runs.draw)(rng));
        match rule.decide(&sample(values.clone())) {
            StopDecision::Continue { .. } => {}
            StopDecision::Stop(estimate) => return estimate,
            StopDecision::Undecided { so_far, .. } => return so_far,
        }
    }
}

#[test]
fn the_headline_covers_where_it_stops_when_narrow() {
    let rule = StoppingRule::new(0.05, 6, 30).unwrap();
    of_each(&ALL_RUNS, |runs| {
        let mut rng = rng(8100);
        let covered = share(REPS, |_| {
            holds_median(runs, &session(&rule, runs, &mut rng))
        });
        assert_share(runs.name, covered, 0.93, most(runs, 0.98), REPS);
    });
}

/// A headline that is the mean, unless the runs look as if a mean would describe nothing.
fn choosing(sample: &Sample) -> Estimate {
    let mean = sample.mean_interval(Level::P97);
    let median = sample.interpolated_median_interval(Level::P97);
    let misleads = |mean: etalon_stats::Interval| !mean.contains(median.value) || mean.low <= 0.0;
    match sample.bimodality().is_some() || mean.interval.is_some_and(misleads) {
        true if median.interval.is_some() => median,
        _ => mean,
    }
}

#[test]
fn a_headline_that_chooses_covers_far_less() {
    for (name, of_mean, at_most) in [
        ("rising Weibull", 1.126_582_4, 0.93),
        ("80/20, slower by 40 %", 0.92, 0.90),
        ("5 % of the runs stall", 0.965, 0.60),
    ] {
        let runs = ALL_RUNS.iter().find(|runs| runs.name == name).unwrap();
        let mut rng = rng(8200);
        let covered = share(REPS, |_| {
            let estimate = choosing(&draw(runs, &mut rng, 8));
            match estimate.statistic {
                Statistic::Median => holds_median(runs, &estimate),
                _ => estimate.interval.unwrap().contains(of_mean),
            }
        });
        assert!(covered < at_most, "{name}: {covered}");
    }
}
