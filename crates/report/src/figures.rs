//! Figures with their units, and intervals with both ends.

use etalon_language::{figure, say};
use etalon_model::{Cell, Estimate, Interval, Verdict};
use etalon_stats::MIN_RUNS_LAB;
use etalon_units::{Figure, Percent};

/// Stands where a figure could not be had.
pub(crate) const ABSENT: &str = "–";

/// The interval of a cell, its ends as `show` has them, with its half width, or why there is none.
pub(crate) fn interval_of(cell: &Cell, show: impl Fn(f64) -> Figure) -> String {
    let estimate = cell.estimate();
    match (&estimate.interval, estimate.relative_half_width()) {
        (Some(interval), Some(half)) => {
            let ends = ends(interval, show);
            format!("{ends} (±{})", figure(Percent::from_fraction(half)))
        }
        _ => few(estimate),
    }
}

/// Both ends, with one unit where they share it.
pub(crate) fn ends(interval: &Interval, show: impl Fn(f64) -> Figure) -> String {
    let (low, high) = (show(interval.low), show(interval.high));
    match low.shares_unit(&high) {
        true => format!("{} … {high}", low.number),
        false => format!("{low} … {high}"),
    }
}

fn few(estimate: &Estimate) -> String {
    match runs_needed(estimate) {
        Some(needed) => say!(
            "count-runs-of-needed",
            count = estimate.runs,
            needed = needed
        ),
        None => ABSENT.to_owned(),
    }
}

/// How many runs an interval takes, where there are some and too few.
pub(crate) fn runs_needed(estimate: &Estimate) -> Option<u32> {
    let runs = usize::try_from(estimate.runs)
        .ok()
        .filter(|&runs| runs > 0)?;
    let is_few = runs < MIN_RUNS_LAB;
    is_few.then(|| u32::try_from(MIN_RUNS_LAB).ok())?
}

/// The word that figures are invalid, as a language says it of so many.
pub(crate) fn invalid_word(count: usize) -> String {
    match count {
        0 | 1 => say!("page-invalid-word"),
        _ => say!("page-invalid-word-many"),
    }
}

/// The bare word of a verdict.
pub(crate) fn verdict_word(verdict: &Verdict) -> String {
    match verdict {
        Verdict::Valid => say!("verdict-valid"),
        Verdict::Invalid { .. } => say!("verdict-invalid"),
        Verdict::Undecided { .. } => say!("verdict-undecided"),
    }
}
