//! No input may panic, and no interval may be upside down or not a number.

#![expect(clippy::unwrap_used, reason = "a property may panic")]

use etalon_stats::{
    Better, Design, Estimate, Level, Margin, NoisePassport, Sample, StopDecision, StoppingRule,
    compare, compare_paired, paired_runs_to_detect, rank, runs_needed, runs_to_detect,
    session_trend, smallest_detectable,
};
use proptest::prelude::*;

/// Ordinary values, ties, zeros, the largest and the smallest there are.
fn value() -> impl Strategy<Value = f64> {
    prop_oneof![
        4 => 90.0..110.0_f64,
        2 => (0..4_i32).prop_map(f64::from),
        1 => -1e150..1e150_f64,
        1 => prop::sample::select(vec![0.0, -0.0, 1e150, -1e150, 1e-300, 5e-324, -5e-324, 1e-150]),
        1 => any::<f64>(),
    ]
}

fn values() -> impl Strategy<Value = Vec<f64>> {
    prop_oneof![
        prop::collection::vec(value(), 0..70),
        prop::collection::vec(
            prop::sample::select(vec![1.0, 1.0 + f64::EPSILON, 1e150]),
            1..70
        ),
    ]
}

fn check(estimate: &Estimate) {
    assert!(!estimate.value.is_nan(), "{estimate:?}");
    if let Some(interval) = estimate.interval {
        assert!(interval.low <= interval.high, "{estimate:?}");
    }
    assert!(!estimate.to_string().is_empty());
}

fn check_one(sample: &Sample) {
    let level = Level::P95;
    let summary = sample.summary(level);
    check(&summary.mean);
    check(&summary.median);
    let within = sample.within_run(level);
    check(&within.estimate);
    assert!(within.effective_n > 0.0 && within.effective_n <= sample.n() as f64);
    if let Some(warm) = sample.warmed_up() {
        assert!(warm.n() * 2 > sample.n());
    }
    if let Some(shift) = sample.level_shift() {
        assert!(!shift.statistic.is_nan() && shift.at < sample.n());
    }
    if let Some(regimes) = sample.regimes(level) {
        let shares: f64 = regimes.regimes.iter().map(|r| r.share).sum();
        assert!((shares - 1.0).abs() < 1e-9, "{regimes}");
    }
    if let Some(steady) = sample.steady_state() {
        let _ = steady.verdict();
    }
    let rule = StoppingRule::new(0.05, 6, 30).unwrap();
    if let StopDecision::Stop(estimate) = rule.decide(sample) {
        assert!(estimate.relative_half_width().unwrap() <= 0.05);
    }
    let hours: Vec<f64> = (0..sample.n()).map(|i| i as f64).collect();
    let _ = session_trend(&hours, sample, level);
    let _ = NoisePassport::new(&hours, sample, level);
}

const SESSIONS: Design = Design::Sessions { spread: 0.1 };

fn check_two(a: &Sample, b: &Sample) {
    let level = Level::P95;
    for comparison in [
        compare(a, b, Design::Independent, Margin::default(), level),
        compare(a, b, SESSIONS, Margin::default(), level),
        compare_paired(a, b, Margin::default(), level),
    ]
    .into_iter()
    .flatten()
    {
        check(&comparison.ratio.estimate);
        assert!((0.0..=1.0).contains(&comparison.ratio.p), "{comparison:?}");
    }
    let arms = [a.clone(), b.clone(), a.clone()];
    for design in [Design::Blocks, Design::Independent, SESSIONS] {
        if let Ok(ranking) = rank(&arms, design, Better::Lower, level) {
            assert_eq!(ranking.letters.len(), 3);
            assert!(ranking.letters.iter().all(|l| !l.is_empty()));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: ProptestConfig::default().cases * 2, ..ProptestConfig::default() })]

    #[test]
    fn samples(a in values(), b in values()) {
        let (a, b) = (Sample::new(a), Sample::new(b));
        for sample in [&a, &b].into_iter().flatten() {
            check_one(sample);
        }
        if let (Ok(a), Ok(b)) = (&a, &b) {
            check_two(a, b);
        }
    }

    #[test]
    fn plans(cv in any::<f64>(), target in any::<f64>(), power in any::<f64>(), n in 0_usize..100) {
        let level = Level::P95;
        let _ = runs_needed(cv, target, level);
        let _ = runs_to_detect(cv, target, level, power);
        let _ = paired_runs_to_detect(cv, target, level, power);
        let _ = smallest_detectable(cv, n, level, power);
    }
}
