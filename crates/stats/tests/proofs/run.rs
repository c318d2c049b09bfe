//! Proof of what is said about one run: where warm-up ends, whether its level shifted.

use crate::common::{ar1, median, normals, rng, sample, share, slack};
use etalon_stats::{Level, Sample, WarmUp};

fn warming(n: usize, amplitude: f64, decay: f64, noise: Vec<f64>) -> Sample {
    let transient = (0..n).map(|i| amplitude * (-(i as f64) / decay).exp());
    sample(transient.zip(noise).map(|(t, e)| t + e).collect())
}

#[test]
fn mser_cuts_the_warm_up() {
    let mut rng = rng(2000);
    let (mut cuts, mut biases) = (Vec::new(), Vec::new());
    for _ in 0..2000 {
        let run = warming(600, 5.0, 50.0, normals(&mut rng, 600));
        if let WarmUp::Cut(cut) = run.warm_up() {
            cuts.push(cut as f64);
            let rest = run.warmed_up().unwrap();
            biases.push(rest.mean_interval(Level::P95).value);
        }
    }
    assert!(cuts.len() > 1900);
    let cut = median(cuts);
    assert!((100.0..=120.0).contains(&cut), "median cut {cut}");
    let bias = biases.iter().sum::<f64>() / biases.len() as f64;
    assert!(bias.abs() <= 0.06, "bias {bias}");
}

#[test]
fn mser_leaves_a_flat_run_alone() {
    let mut rng = rng(2100);
    let cuts: Vec<f64> = (0..1000)
        .filter_map(|_| match sample(normals(&mut rng, 600)).warm_up() {
            WarmUp::Cut(cut) => Some(cut as f64),
            WarmUp::NotSettled | WarmUp::TooShort => None,
        })
        .collect();
    assert_eq!(median(cuts), 0.0);
}

#[test]
fn a_run_that_never_settles_is_seen_or_left_to_the_drift_test() {
    let mut rng = rng(2200);
    let reps = 500;
    let accepted = share(reps, |_| {
        let run = warming(600, 5.0, 600.0, normals(&mut rng, 600));
        let steady = run.warmed_up().and_then(|rest| {
            rest.values().iter().all(|v| *v > -1e3).then_some(())?;
            let shifted = rest.values().iter().map(|v| v + 10.0).collect();
            sample(shifted).steady_state()
        });
        steady.is_some_and(|s| s.verdict() == etalon_stats::Steadiness::Steady)
    });
    assert!(accepted < 0.01, "{accepted}");
}

#[test]
fn the_shift_test_is_quiet_and_sharp() {
    let reps = 2000;
    for (phi, n, most_false) in [(0.0, 600, 0.02), (0.5, 600, 0.02), (0.8, 600, 0.025)] {
        let mut rng = rng(2300);
        let false_alarms = share(reps, |_| {
            let shift = sample(ar1(&mut rng, n, phi)).level_shift();
            shift.is_some_and(|s| s.is_detected())
        });
        assert!(
            false_alarms <= most_false + slack(most_false, reps),
            "phi {phi}: {false_alarms}"
        );
    }
    for (phi, least_power) in [(0.5, 0.99), (0.8, 0.85)] {
        let mut rng = rng(2400);
        let power = share(reps, |_| {
            let noise = ar1(&mut rng, 600, phi);
            let shifted = noise.iter().enumerate();
            let values = shifted.map(|(i, e)| if i < 300 { *e } else { e + 1.0 });
            let shift = sample(values.collect()).level_shift();
            shift.is_some_and(|s| s.is_detected())
        });
        assert!(power >= least_power, "phi {phi}: {power}");
    }
}

#[test]
fn regimes_are_neither_invented_nor_missed() {
    let reps = 400;
    for (phi, n) in [(0.0, 120), (0.0, 600), (0.5, 600)] {
        let mut rng = rng(2500);
        let invented = share(reps, |_| {
            let regimes = sample(ar1(&mut rng, n, phi)).regimes(Level::P95);
            regimes.is_some_and(|r| r.regimes.len() > 1)
        });
        assert!(
            invented <= 0.03 + slack(0.03, reps),
            "phi {phi}, n {n}: {invented}"
        );
        let found = share(reps, |_| {
            let noise = ar1(&mut rng, n, phi);
            let values = noise.iter().enumerate().map(|(i, e)| {
                let slow = (i * 3 / n) == 1;
                e + if slow { 97.0 } else { 100.0 }
            });
            let regimes = sample(values.collect()).regimes(Level::P95);
            regimes.is_some_and(|r| r.regimes.len() == 2 && r.switches.len() == 2)
        });
        assert!(found >= 0.95, "phi {phi}, n {n}: {found}");
    }
}

#[test]
fn one_group_of_runs_is_rarely_called_two() {
    let reps = 5000;
    for n in [10, 12, 16, 30] {
        let mut rng = rng(2600);
        let flagged = share(reps, |_| {
            sample(normals(&mut rng, n)).bimodality().is_some()
        });
        assert!(flagged <= 0.04 + slack(0.04, reps), "n {n}: {flagged}");
        let found = share(reps, |_| {
            let runs = normals(&mut rng, n).into_iter().enumerate();
            let values = runs.map(|(i, e)| if i % 3 == 0 { e } else { e + 12.0 });
            sample(values.collect()).bimodality().is_some()
        });
        assert!(found >= 0.95, "n {n}: {found}");
    }
}
