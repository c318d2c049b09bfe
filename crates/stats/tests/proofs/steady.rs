//! Proof of the steady-state rule: exact edges, and no acceptance of slow drift.

use crate::common::{normal, rng, sample, share, slack};
use etalon_stats::{Steadiness, snia_check};

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
    assert!(accepted <= 0.05 + slack(0.05, reps), "{accepted}");
}
