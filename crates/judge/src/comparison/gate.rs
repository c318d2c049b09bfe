//! A gate for scripts: fails only where a loss beyond the margin is shown.

use etalon_model::{
    Comparison, ComparisonArm, ComparisonVerdict, Gate, GateOutcome, GateRow, Interval, Sentence,
    Standing, Unit,
};
use etalon_stats::{Margin, MarginError};

/// Holds every arm of every row against its baseline: the whole interval of the ratio must lie
/// beyond the margin for a loss to be shown, and within it for the gate to be passed. A row that
/// was refused, or that not every arm has (`missing`), was not judged, and no gate is passed by it.
///
/// # Errors
/// When `margin` is no share between 0 and 1.
pub fn gate(
    comparisons: &[Comparison],
    missing: &[String],
    margin: f64,
) -> Result<Gate, MarginError> {
    let margin = Margin::new(margin)?.get();
    let judged = comparisons.iter();
    let judged = judged.flat_map(|comparison| rows_of(comparison, margin));
    let rows: Vec<GateRow> = judged
        .chain(missing.iter().map(|name| absent(name)))
        .collect();
    let outcomes = rows.iter().map(|row| row.outcome);
    Ok(Gate {
        margin,
        outcome: outcomes.max().unwrap_or(GateOutcome::NotCompared),
        rows,
    })
}

fn absent(name: &str) -> GateRow {
    not_compared(name, "not in every arm".to_owned())
}

fn not_compared(name: &str, reason: String) -> GateRow {
    GateRow {
        name: name.to_owned(),
        arm: String::new(),
        outcome: GateOutcome::NotCompared,
        ratio: None,
        reason: Some(reason),
    }
}

fn rows_of(comparison: &Comparison, margin: f64) -> Vec<GateRow> {
    let row = |arm: &str, outcome, ratio| GateRow {
        name: comparison.name.clone(),
        arm: arm.to_owned(),
        outcome,
        ratio,
        reason: None,
    };
    if let ComparisonVerdict::Refused { reasons, .. } = &comparison.verdict {
        return vec![not_compared(&comparison.name, Sentence::all(reasons))];
    }
    let others = comparison.arms.iter().enumerate();
    let others = others.filter(|(at, _)| *at != comparison.baseline);
    let base = &comparison.arms[comparison.baseline];
    let judged = |(_, arm): (usize, &ComparisonArm)| {
        let ratio = arm.of_baseline.and_then(|of| of.interval);
        let outcome = ratio.map_or(GateOutcome::CannotTell, |ratio| {
            outcome(&ratio, comparison.unit, margin)
        });
        // What does not count among all rows fails no gate, as it is told nowhere else.
        let outcome = match outcome {
            GateOutcome::Slower if !is_separated(arm, base) => GateOutcome::CannotTell,
            other => other,
        };
        let judged = row(&arm.label, outcome, ratio);
        match &arm.left_out {
            Some(reason) => GateRow {
                outcome: GateOutcome::NotCompared,
                reason: Some(reason.text.clone()),
                ..judged
            },
            None => judged,
        }
    };
    others.map(judged).collect()
}

/// Whether the difference of the two stands among all rows. One within the margin of the comparison may lie beyond a
/// narrower one of the gate.
fn is_separated(arm: &ComparisonArm, base: &ComparisonArm) -> bool {
    match arm.standing {
        Some(Standing::Faster | Standing::Slower) => true,
        Some(Standing::Equal) => !arm
            .letters
            .chars()
            .any(|letter| base.letters.contains(letter)),
        Some(Standing::NotShown) | None => false,
    }
}

/// A rate may fall to `1 - margin` of the baseline, a time may grow to `1 + margin` of it.
fn outcome(ratio: &Interval, unit: Unit, margin: f64) -> GateOutcome {
    let (is_slower, is_passed) = match unit.less_is_better() {
        true => (ratio.low > 1.0 + margin, ratio.high <= 1.0 + margin),
        false => (ratio.high < 1.0 - margin, ratio.low >= 1.0 - margin),
    };
    match (is_slower, is_passed) {
        (true, _) => GateOutcome::Slower,
        (_, true) => GateOutcome::Passed,
        _ => GateOutcome::CannotTell,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(low: f64, high: f64, unit: Unit) -> GateOutcome {
        let level = 0.95;
        outcome(&Interval { low, high, level }, unit, 0.05)
    }

    #[test]
    fn a_rate_fails_only_where_all_of_the_interval_is_below_the_margin() {
        let rate = |low, high| of(low, high, Unit::OperationsPerSecond);
        assert_eq!(rate(0.80, 0.94), GateOutcome::Slower);
        assert_eq!(rate(0.80, 0.96), GateOutcome::CannotTell);
        assert_eq!(rate(0.96, 0.99), GateOutcome::Passed);
        assert_eq!(rate(1.20, 1.50), GateOutcome::Passed);
        assert_eq!(rate(0.50, 2.00), GateOutcome::CannotTell);
    }

    #[test]
    fn of_times_more_is_slower() {
        let time = |low, high| of(low, high, Unit::Seconds);
        assert_eq!(time(1.06, 1.20), GateOutcome::Slower);
        assert_eq!(time(1.04, 1.20), GateOutcome::CannotTell);
        assert_eq!(time(0.80, 1.04), GateOutcome::Passed);
        assert_eq!(time(0.50, 0.60), GateOutcome::Passed);
    }

    #[test]
    fn margins_are_checked_and_nothing_compared_is_nothing_passed() {
        assert!(gate(&[], &[], 0.0).is_err() && gate(&[], &[], 1.0).is_err());
        let none = gate(&[], &[], 0.05).unwrap();
        assert_eq!(none.outcome, GateOutcome::NotCompared);
        let missing = gate(&[], &["a row".to_owned()], 0.05).unwrap();
        assert_eq!(missing.rows[0].reason.as_deref(), Some("not in every arm"));
    }
}
