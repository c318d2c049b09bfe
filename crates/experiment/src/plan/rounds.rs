//! When a device is steady: by the last five rounds of the first workload.
//!
//! Both must hold, the rule of SNIA's specification (range within 20 % of the mean, rise of the fitted line within 10 %) and a
//! test of drift over twenty parts of the same rounds ([`etalon_stats::DriftCheck`]), which the rule is blind to. And they must
//! have written as much as the device holds: rounds that are short against it agree while it still drifts.

use etalon_stats::{DriftCheck, SNIA_ROUNDS, Sample, SniaCheck, snia_check};
use etalon_units::{Bytes, Percent};

/// What a round gave.
#[derive(Debug, Clone, Default)]
pub(super) struct Round {
    /// Of the first workload.
    pub(super) figure: f64,
    pub(super) text: String,
    /// Operations of the first workload, slice by slice.
    pub(super) course: Vec<f64>,
    /// Bytes that all workloads wrote.
    pub(super) written: u64,
}

/// The last five.
fn window(rounds: &[Round]) -> Option<&[Round]> {
    rounds
        .len()
        .checked_sub(SNIA_ROUNDS)
        .map(|from| &rounds[from..])
}

pub(super) fn is_steady(rounds: &[Round], size: Bytes) -> bool {
    let Some(window) = window(rounds) else {
        return false;
    };
    let written: u64 = window.iter().map(|round| round.written).sum();
    check(window).is_some_and(|found| found.passes())
        && drift(window).is_none_or(|drift| drift.passes())
        && written >= size.get()
}

fn check(window: &[Round]) -> Option<SniaCheck> {
    let figures: Vec<f64> = window.iter().map(|round| round.figure).collect();
    let figures: [f64; SNIA_ROUNDS] = figures.try_into().ok()?;
    Some(snia_check(&figures))
}

/// The drift over the window; not known of rounds that are over before there is a course.
fn drift(window: &[Round]) -> Option<DriftCheck> {
    let course = window.iter().flat_map(|round| &round.course);
    let course = Sample::new(course.copied().collect()).ok()?;
    Some(course.steady_state()?.drift)
}

/// Whether it is steady, and what that was held against.
pub(super) fn outcome(rounds: &[Round], size: Bytes) -> String {
    let Some((window, found)) = window(rounds).and_then(|w| Some((w, check(w)?))) else {
        return format!("not known: {} rounds, and 5 are the fewest", rounds.len());
    };
    let written: u64 = window.iter().map(|round| round.written).sum();
    let is_reached = match is_steady(rounds, size) {
        true => format!("yes, after {} rounds", rounds.len()),
        false => format!("not reached in {} rounds", rounds.len()),
    };
    let drift = drift(window).map_or("not known".to_owned(), in_words);
    format!(
        "{is_reached}: of the last five the range is {}, the rise {}, the drift {drift}, and they wrote {} of the device",
        Percent::from_fraction(found.range),
        Percent::from_fraction(found.rise),
        Percent::from_fraction(written as f64 / size.as_f64()),
    )
}

fn in_words(drift: DriftCheck) -> String {
    let [drift, half] = [drift.drift, drift.half_width].map(Percent::from_fraction);
    format!("{drift} ± {half}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rounds(figures: &[f64], written: u64) -> Vec<Round> {
        let round = |&figure: &f64| Round {
            figure,
            written,
            ..Round::default()
        };
        figures.iter().map(round).collect()
    }

    #[test]
    fn five_rounds_are_steady_that_pass_the_rule_and_wrote_the_device() {
        let size = Bytes::mib(100);
        let flat = [300.0, 100.0, 101.0, 99.0, 100.0, 100.0];
        let whole = size.get() / 5;
        assert!(is_steady(&rounds(&flat, whole), size));
        assert!(
            !is_steady(&rounds(&flat, whole - 1), size),
            "too little was written"
        );
        assert!(
            !is_steady(&rounds(&flat[..5], whole), size),
            "the range is too wide"
        );
        assert!(
            !is_steady(&rounds(&flat[2..], whole), size),
            "four are no window"
        );
        let falls = [110.0, 107.0, 104.0, 101.0, 98.0];
        assert!(!is_steady(&rounds(&falls, whole), size), "it falls by 12 %");
        let told = outcome(&rounds(&flat, whole), size);
        assert!(
            told.starts_with("yes, after 6 rounds: of the last five"),
            "{told}"
        );
        let told = outcome(&rounds(&falls, whole), size);
        assert!(told.starts_with("not reached in 5 rounds"), "{told}");
    }

    /// Five rounds that each write a fifth of the device, with courses of a hundred slices that fall by `share` in all.
    fn falling(share: f64) -> Vec<Round> {
        let slice = |n: usize| 1000.0 * (1.0 - share * n as f64 / 500.0) + ((n * 7919) % 31) as f64;
        let round = |number: usize| {
            let course: Vec<f64> = (0..100).map(|n| slice(100 * number + n)).collect();
            Round {
                figure: course.iter().sum::<f64>() / 100.0,
                course,
                written: 1,
                ..Round::default()
            }
        };
        (0..SNIA_ROUNDS).map(round).collect()
    }

    #[test]
    fn a_drift_that_the_rule_alone_would_take_is_not_steady() {
        let size = Bytes(5);
        let slow = falling(0.08);
        assert!(check(&slow).unwrap().passes());
        assert!(!is_steady(&slow, size));
        let told = outcome(&slow, size);
        assert!(
            told.contains("the drift -7.8 % ± ") && told.starts_with("not reached"),
            "{told}"
        );
        assert!(is_steady(&falling(0.01), size));
    }
}
