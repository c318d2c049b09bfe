//! Proof of the steady-state rule: exact edges, and no acceptance of slow drift.
#![expect(clippy::unwrap_used, reason = "a proof may panic")]

mod common;

use common::{normal, rng, sample, share};
use etalon_stats::{
    FILLS_RANDOM_WRITE, Sample, Steadiness, WriteHistory, WriteSteadiness, snia_check,
};

#[test]
fn the_edges_of_the_snia_rule_are_exact() {
    for (percent, passes) in [(19.9, true), (20.1, false)] {
        let half = percent / 200.0;
        let rounds = [1.0, 1.0 + half, 1.0, 1.0 - half, 1.0];
        assert_eq!(snia_check(&rounds).passes(), passes, "range {percent} %");
    }
    for (percent, passes) in [(9.9, true), (10.1, false)] {
        let rounds = [0.0, 1.0, 2.0, 3.0, 4.0].map(|i| 1.0 + percent / 100.0 * (i / 4.0 - 0.5));
        assert_eq!(snia_check(&rounds).passes(), passes, "rise {percent} %");
        let falling = [4.0, 3.0, 2.0, 1.0, 0.0].map(|i| 1.0 + percent / 100.0 * (i / 4.0 - 0.5));
        assert_eq!(snia_check(&falling).passes(), passes, "fall {percent} %");
    }
}

#[test]
fn the_snia_rule_alone_is_blind_to_slow_drift() {
    // 1 + exp(-r / 20): accepted at the fifth round although it will fall by 86 % of its end.
    let rounds = [0.0, 1.0, 2.0, 3.0, 4.0_f64].map(|r| 1.0 + (-r / 20.0).exp());
    assert!(snia_check(&rounds).passes());
}

#[test]
fn constant_with_noise_is_steady() {
    let mut rng = rng(3000);
    let accepted = share(500, |_| {
        let values = (0..600).map(|_| 100.0 + 2.0 * normal(&mut rng)).collect();
        sample(values).steady_state().unwrap().verdict() == Steadiness::Steady
    });
    assert!(accepted > 0.999, "{accepted}");
}

#[test]
fn a_drift_beyond_the_margin_is_accepted_in_one_of_twenty_at_most() {
    let mut rng = rng(3100);
    let reps = 4000;
    let accepted = share(reps, |_| {
        let values = (0..600).map(|i| {
            let drift = 0.0501 * (f64::from(i) / 600.0 - 0.5) * 20.0 / 19.0;
            1.0 + drift + 0.1 * normal(&mut rng)
        });
        let state = sample(values.collect()).steady_state().unwrap();
        state.verdict() == Steadiness::Steady
    });
    assert!(accepted <= 0.05 + common::slack(0.05, reps), "{accepted}");
}

const TICKS_PER_FILL: usize = 100;

/// Writes with a decay of `decay_fills` are watched until they are called steady; gives back how
/// far the accepted window still was from the end, as a share, and after how many fills.
fn accepted_bias(decay_fills: f64, rng: &mut common::Rng) -> (f64, f64) {
    let mut values = Vec::new();
    let mut bytes = Vec::new();
    loop {
        for _ in 0..5 {
            let fills = values.len() as f64 / TICKS_PER_FILL as f64;
            let level = 1.0 + 3.0 * (-fills / decay_fills).exp();
            values.push(level * (1.0 + 0.02 * normal(rng)));
            bytes.push(1);
        }
        let so_far: Sample = sample(values.clone());
        let history = WriteHistory {
            values: &so_far,
            bytes: &bytes,
            active_bytes: TICKS_PER_FILL as u64,
            fills_before: 0.0,
        };
        let judged = history.judge(FILLS_RANDOM_WRITE).unwrap();
        if judged.verdict() == Steadiness::Steady {
            let WriteSteadiness::Judged {
                fills,
                window_start,
                ..
            } = judged
            else {
                panic!("steady without a window");
            };
            let window = &values[window_start..];
            let mean = window.iter().sum::<f64>() / window.len() as f64;
            return (mean - 1.0, fills);
        }
    }
}

#[test]
fn what_is_accepted_is_within_five_percent_of_the_end() {
    for (decay_fills, earliest, latest) in [(0.5, 2.8, 3.6), (1.0, 4.3, 5.3)] {
        let mut rng = rng(3200);
        let runs: Vec<(f64, f64)> = (0..100)
            .map(|_| accepted_bias(decay_fills, &mut rng))
            .collect();
        let bias = runs.iter().map(|r| r.0).sum::<f64>() / runs.len() as f64;
        let fills = runs.iter().map(|r| r.1).sum::<f64>() / runs.len() as f64;
        assert!(bias.abs() < 0.05, "decay {decay_fills}: bias {bias}");
        assert!(runs.iter().all(|r| r.0.abs() < 0.07), "decay {decay_fills}");
        assert!(
            (earliest..latest).contains(&fills),
            "decay {decay_fills}: {fills} fills"
        );
    }
}
