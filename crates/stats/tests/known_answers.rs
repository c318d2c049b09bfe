//! Every estimator against figures from SciPy and NumPy (`data/known_answers.py`).

#![expect(clippy::unwrap_used, reason = "a wrong file may panic")]

use etalon_stats::{
    Better, Design, Estimate, Interval, Level, Margin, NoisePassport, Sample, WarmUp,
    compare_paired, holm, median_ranks, paired_ratio, rank, ratio, runs_to_detect, screen,
    session_trend,
};
use serde_json::Value;

const RELATIVE: f64 = 1e-9;

fn answers(key: &str) -> Vec<Value> {
    let all: Value = serde_json::from_str(include_str!("data/known_answers.json")).unwrap();
    all[key].as_array().unwrap().clone()
}

fn numbers(value: &Value) -> Vec<f64> {
    let items = value.as_array().unwrap().iter();
    items.map(|v| v.as_f64().unwrap()).collect()
}

fn sample(value: &Value) -> Sample {
    Sample::new(numbers(value)).unwrap()
}

/// Equal to a billionth, of the figure itself or of `size` where it may be near zero.
#[track_caller]
fn close(what: &str, found: f64, expected: &Value, size: f64) {
    let expected = expected
        .as_f64()
        .unwrap_or_else(|| panic!("{what}: {expected}"));
    let allowed = RELATIVE * expected.abs().max(size);
    assert!(
        (found - expected).abs() <= allowed,
        "{what}: {found:e} is not {expected:e}"
    );
}

#[track_caller]
fn same_interval(what: &str, found: Option<Interval>, expected: &Value, size: f64) {
    match found {
        None => assert!(expected.is_null(), "{what}: none, not {expected}"),
        Some(found) => {
            close(what, found.low, &expected[0], size);
            close(what, found.high, &expected[1], size);
        }
    }
}

/// Rounding of the mean itself, the smallest error that a spread around it can have.
fn rounding(sample: &Sample) -> f64 {
    1e-6 * sample.max().abs().max(sample.min().abs())
}

fn each_sample(check: impl Fn(&str, &Sample, &Value)) {
    let all = answers("samples");
    assert!(all.len() >= 20);
    for answer in &all {
        check(
            answer["name"].as_str().unwrap(),
            &sample(&answer["values"]),
            answer,
        );
    }
}

#[test]
fn centre_spread_and_t_intervals() {
    each_sample(|name, sample, answer| {
        let size = rounding(sample);
        let mean = sample.mean_interval(Level::P95);
        close(name, mean.value, &answer["mean"], size);
        close(name, sample.sd().unwrap(), &answer["sd"], size);
        same_interval(name, mean.interval, &answer["t95"], size);
        let internal = sample.mean_interval(Level::P97);
        same_interval(name, internal.interval, &answer["t97"], size);
    });
}

#[track_caller]
fn same_order_interval(what: &str, found: Estimate, value: &Value, expected: &Value) {
    close(what, found.value, value, 0.0);
    let interval = found.interval;
    assert_eq!(interval.is_none(), expected.is_null(), "{what}");
    same_interval(what, interval, &expected["interval"], 0.0);
}

#[test]
fn medians_and_their_ranks() {
    each_sample(|name, sample, answer| {
        for (level, key) in [(Level::P95, "median95"), (Level::P97, "median97")] {
            let found = sample.median_interval(level);
            same_order_interval(name, found, &answer["median"], &answer[key]);
        }
        if let Some(ranks) = median_ranks(sample.n(), Level::P95) {
            let expected = &answer["median95"];
            assert_eq!(
                expected["ranks"],
                serde_json::json!([ranks.lower, ranks.upper])
            );
            close(name, ranks.coverage, &expected["coverage"], 0.0);
        }
        let size = rounding(sample);
        close(
            name,
            sample.median_deviation(),
            &answer["median_deviation"],
            size,
        );
    });
}

#[test]
fn autocorrelation_and_batch_means() {
    each_sample(|name, sample, answer| {
        close(name, sample.autocorrelation_time(), &answer["tau"], 0.0);
        let (found, expected) = (sample.within_run(Level::P95), &answer["within_run"]);
        assert_eq!(
            found.estimate.interval.is_none(),
            expected.is_null(),
            "{name}"
        );
        if found.estimate.interval.is_some() {
            assert_eq!(expected["batches"], found.estimate.n, "{name}");
            close(name, found.estimate.value, &expected["mean"], 0.0);
            same_interval(name, found.estimate.interval, &expected["interval"], 0.0);
        }
    });
}

#[test]
fn warm_up_shift_and_steadiness() {
    each_sample(|name, sample, answer| {
        let expected = &answer["warm_up"];
        match sample.warm_up() {
            WarmUp::Cut(cut) => assert_eq!(expected, cut, "{name}"),
            WarmUp::NotSettled => assert_eq!(expected, "not settled", "{name}"),
            WarmUp::TooShort => assert_eq!(expected, "too short", "{name}"),
        }
        let (found, expected) = (sample.level_shift(), &answer["shift"]);
        assert_eq!(found.is_none(), expected.is_null(), "{name}");
        if let Some(found) = found {
            assert_eq!(expected["at"], found.at, "{name}");
            close(name, found.statistic, &expected["statistic"], 0.0);
            close(name, found.effective_n, &expected["effective_n"], 0.0);
        }
        let (found, expected) = (sample.steady_state(), &answer["steady"]);
        if let (Some(found), false) = (found, expected.is_null()) {
            close(name, found.snia.range, &expected["range"], 1e-6);
            close(name, found.snia.rise, &expected["rise"], 1e-6);
            close(name, found.drift.drift, &expected["drift"], 1e-6);
            close(name, found.drift.half_width, &expected["half_width"], 1e-6);
        }
    });
}

#[test]
fn session_trends() {
    each_sample(|name, sample, answer| {
        let hours: Vec<f64> = (0..sample.n()).map(|i| 0.05 * i as f64).collect();
        let (found, expected) = (session_trend(&hours, sample, Level::P95), &answer["trend"]);
        if let (Ok(found), false) = (found, expected.is_null()) {
            // The slope of values that hardly differ is known no better than their logarithms.
            let size = if sample.cv().unwrap() < 1e-6 {
                1e-3
            } else {
                1e-6
            };
            // The answers are rates per hour.
            let per_hour = |change: f64| (change.ln_1p() / found.hours).exp_m1();
            close(name, per_hour(found.change), &expected["per_hour"], size);
            close(name, found.p, &expected["p"], size);
            let interval = Interval {
                low: per_hour(found.interval.low),
                high: per_hour(found.interval.high),
                level: found.interval.level,
            };
            same_interval(name, Some(interval), &expected["interval"], size);
        }
    });
}

#[test]
fn ratios_of_two_arms() {
    let all = answers("pairs");
    assert!(all.len() >= 20);
    for answer in &all {
        let name = answer["name"].as_str().unwrap();
        let (a, b) = (sample(&answer["a"]), sample(&answer["b"]));
        let welch = ratio(&a, &b, Level::P95).unwrap();
        close(name, welch.estimate.value, &answer["welch"], 0.0);
        close(name, welch.p, &answer["welch_p"], 1e-3);
        same_interval(name, welch.estimate.interval, &answer["welch95"], 0.0);
        let paired = paired_ratio(&a, &b, Level::P95).unwrap();
        close(name, paired.p, &answer["paired_p"], 1e-3);
        same_interval(name, paired.estimate.interval, &answer["paired95"], 0.0);
        let arms = [a.clone(), b.clone()];
        let ranking = rank(&arms, Design::Blocks, Better::Higher, Level::P95).unwrap();
        close(name, ranking.pairs[0].adjusted_p, &answer["paired_p"], 1e-3);
        check_equivalence(name, &a, &b, &answer["equivalent_within"]);
        check_spread(name, &a, &b, &answer["f_p"]);
    }
}

/// The verdict turns to equivalent exactly at the margin that holds the 90 % interval.
fn check_equivalence(name: &str, a: &Sample, b: &Sample, edge: &Value) {
    let edge = edge.as_f64().unwrap();
    for (margin, equivalent) in [(edge * (1.0 - 1e-9), false), (edge * (1.0 + 1e-9), true)] {
        if let Ok(margin) = Margin::new(margin) {
            let verdict = compare_paired(a, b, margin, Level::P95).unwrap().verdict;
            let found = verdict == etalon_stats::ComparisonVerdict::Equivalent;
            assert_eq!(found, equivalent, "{name}: {margin:?}");
        }
    }
}

fn check_spread(name: &str, a: &Sample, b: &Sample, p: &Value) {
    let hours: Vec<f64> = (0..a.n()).map(|i| i as f64).collect();
    let passport = |runs: &Sample| NoisePassport::new(&hours, runs, Level::P95);
    if let (Ok(a), Ok(b)) = (passport(a), passport(b)) {
        close(name, a.change_since(&b, None).spread_p, p, 1e-3);
    }
}

#[test]
fn families_of_p_values() {
    for answer in answers("families") {
        let p = numbers(&answer["p"]);
        for (found, expected) in holm(&p).iter().zip(answer["holm"].as_array().unwrap()) {
            close("Holm", *found, expected, 0.0);
        }
        for (found, expected) in screen(&p).iter().zip(answer["screen"].as_array().unwrap()) {
            close("screen", *found, expected, 0.0);
        }
    }
}

#[test]
fn power_of_the_t_test() {
    for answer in answers("power") {
        let row = numbers(&answer);
        let found = runs_to_detect(row[0], row[1], Level::P95, 0.8);
        assert_eq!(found, Ok(row[2] as usize), "{row:?}");
    }
}
