//! Proof that comparisons find what is there and nothing else: blocks, ratios, rankings, margins.

use crate::common::{Rng, assert_share, exponential, normal, rng, sample, share, slack};
use etalon_stats::{
    Better, ComparisonVerdict, Design, Level, Margin, Sample, compare_paired, paired_ratio, rank,
    ratio, ratio_by, runs_to_detect,
};

const NOISE: f64 = 0.02;

/// Arms A and B in random order within blocks, under a linear drift over the session.
fn blocks(rng: &mut Rng, count: usize, drift: f64, gain: f64) -> (Sample, Sample) {
    let (mut a, mut b) = (Vec::new(), Vec::new());
    for block in 0..count {
        let swapped = normal(rng) > 0.0;
        for slot in 0..2 {
            let value = drifting(2 * block + slot, 2 * count, drift, rng);
            if (slot == 0) != swapped {
                a.push(value * gain);
            } else {
                b.push(value);
            }
        }
    }
    (sample(a), sample(b))
}

fn drifting(position: usize, runs: usize, drift: f64, rng: &mut Rng) -> f64 {
    let progress = position as f64 / (runs - 1) as f64;
    100.0 * (drift * progress + NOISE * normal(rng)).exp()
}

#[test]
fn blocks_keep_a_drift_out_of_the_verdict() {
    let reps = 20_000;
    let mut rng = rng(5000);
    let alarms = share(reps, |_| {
        let (a, b) = blocks(&mut rng, 10, 0.05, 1.0);
        paired_ratio(&a, &b, Level::P95).unwrap().p < 0.05
    });
    assert!((0.045..=0.055).contains(&alarms), "{alarms}");
}

/// Sessions of the same storage that lie apart by more than their runs do: the runs alone find a difference in most pairs,
/// and with what a session adds in one of twenty.
#[test]
fn what_a_session_adds_makes_no_winner() {
    let (reps, spread) = (20_000, 0.1);
    for runs in [6, 10, 30] {
        let mut rng = rng(5200 + runs);
        let pairs: Vec<[Sample; 2]> = (0..reps)
            .map(|_| {
                [(); 2].map(|()| {
                    let session = spread * normal(&mut rng);
                    let value = |_| 100.0 * (session + NOISE * normal(&mut rng)).exp();
                    sample((0..runs).map(value).collect())
                })
            })
            .collect();
        let alarms = |design| {
            let found = |[a, b]: &[Sample; 2]| ratio_by(a, b, design, Level::P95).unwrap().p < 0.05;
            pairs.iter().filter(|pair| found(pair)).count() as f64 / reps as f64
        };
        let blind = alarms(Design::Independent);
        assert!(blind > 0.7, "{runs}: {blind}");
        let told = alarms(Design::Sessions { spread });
        assert!((0.045..=0.055).contains(&told), "{runs}: {told}");
    }
}

#[test]
fn all_of_a_before_all_of_b_makes_winners_of_drift() {
    let reps = 10_000;
    let mut rng = rng(5100);
    let alarms = share(reps, |_| {
        let mut arm = |from: usize| {
            let runs = (from..from + 10).map(|i| drifting(i, 20, 0.05, &mut rng));
            sample(runs.collect())
        };
        let (a, b) = (arm(0), arm(10));
        ratio(&a, &b, Level::P95).unwrap().p < 0.05
    });
    assert_share("AABB", alarms, 0.74, 0.79, reps);
}

#[test]
fn blocks_find_a_three_percent_effect_under_drift() {
    let reps = 4000;
    for drift in [0.0, 0.10] {
        let mut rng = rng(5200);
        let found = share(reps, |_| {
            let (a, b) = blocks(&mut rng, 10, drift, 1.03);
            let verdict = compare_paired(&a, &b, Margin::default(), Level::P95);
            verdict.unwrap().verdict == ComparisonVerdict::AGreater
        });
        assert_share(&format!("drift {drift}"), found, 0.80, 0.86, reps);
    }
}

#[test]
fn the_ratio_interval_covers() {
    type Draw = fn(&mut Rng, f64) -> f64;
    let shapes: [(&str, Draw); 3] = [
        ("normal", |rng, cv| (1.0 + cv * normal(rng)).max(0.01)),
        ("lognormal", |rng, cv| (cv * normal(rng)).exp()),
        ("exponential tail", |rng, cv| {
            1.0 + cv * (exponential(rng) - 1.0)
        }),
    ];
    let reps = 4000;
    for (name, draw) in shapes {
        for cv in [0.05, 0.20] {
            for n in [5, 10, 20, 30] {
                let mut rng = rng(5300);
                let covered = share(reps, |_| {
                    let a = sample((0..n).map(|_| 1.3 * draw(&mut rng, cv)).collect());
                    let b = sample((0..n).map(|_| draw(&mut rng, cv)).collect());
                    let ratio = ratio(&a, &b, Level::P95).unwrap();
                    ratio.estimate.interval.unwrap().contains(1.3)
                });
                let what = format!("{name}, cv {cv}, n {n}");
                assert_share(&what, covered, 0.94, 0.98, reps);
            }
        }
    }
}

#[test]
fn equal_arms_have_no_losers() {
    for (arms, reps) in [(3, 4000), (5, 4000), (10, 3000), (20, 2000)] {
        for design in [Design::Independent, Design::Blocks] {
            let mut rng = rng(5400);
            let false_loser = share(reps, |_| {
                let equal: Vec<Sample> = (0..arms)
                    .map(|_| sample((0..10).map(|_| (NOISE * normal(&mut rng)).exp()).collect()))
                    .collect();
                let ranking = rank(&equal, design, Better::Higher, Level::P95).unwrap();
                ranking.best_group.len() < arms
            });
            let limit = 0.05 + slack(0.05, reps);
            assert!(
                false_loser <= limit,
                "{arms} arms, {design:?}: {false_loser}"
            );
        }
    }
}

#[test]
fn equivalence_is_wrong_in_one_of_twenty_at_most() {
    let reps = 8000;
    let mut rng = rng(5500);
    let claim = |rng: &mut Rng, gain: f64| {
        let (a, b) = blocks(rng, 12, 0.0, gain);
        let comparison = compare_paired(&a, &b, Margin::TWO_PERCENT, Level::P95).unwrap();
        comparison.verdict == ComparisonVerdict::Equivalent
    };
    let wrongly = share(reps, |_| claim(&mut rng, 1.02));
    assert!(wrongly <= 0.05 + slack(0.05, reps), "{wrongly}");
    let rightly = share(reps, |_| claim(&mut rng, 1.0));
    assert!(rightly > 0.3, "{rightly}");
}

#[test]
fn the_planned_power_is_reached() {
    let reps = 4000;
    for (cv, difference) in [(0.02, 0.03), (0.05, 0.05)] {
        let n = runs_to_detect(cv, difference, Level::P95, 0.8).unwrap();
        let mut rng = rng(5600);
        let found = share(reps, |_| {
            let mut arm = |gain: f64| {
                let values = (0..n).map(|_| 100.0 * gain * (1.0 + cv * normal(&mut rng)));
                sample(values.collect())
            };
            let (a, b) = (arm(1.0 + difference), arm(1.0));
            ratio(&a, &b, Level::P95).unwrap().p < 0.05
        });
        assert_share(&format!("cv {cv}, n {n}"), found, 0.77, 0.86, reps);
    }
}
