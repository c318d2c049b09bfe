//! What the gate says, in a sentence or two.

use etalon_language::say;
use etalon_model::{Gate, GateOutcome, GateRow};

use super::figures::{margin, span};
use crate::role::display_name;

/// The sentences: what fails, what was not compared, what cannot be told, what passed.
pub(crate) fn sentences(gate: &Gate) -> Vec<String> {
    let margin = margin(gate.margin);
    let of = |outcome: GateOutcome| -> Vec<&GateRow> {
        let rows = gate.rows.iter();
        rows.filter(|row| row.outcome == outcome).collect()
    };
    let (slower, open) = (of(GateOutcome::Slower), of(GateOutcome::CannotTell));
    let absent = of(GateOutcome::NotCompared);
    let mut told = Vec::new();
    if !slower.is_empty() {
        let rows = named(&slower);
        let word = say!("gate-word-failed");
        told.push(say!(
            "gate-failed",
            word = word,
            margin = margin,
            rows = rows
        ));
    }
    told.extend(not_judged(&absent));
    if !open.is_empty() {
        let rows = named(&open);
        let word = say!("gate-word-too-few");
        told.push(say!(
            "gate-too-few",
            word = word,
            margin = margin,
            rows = rows
        ));
    }
    let passed = of(GateOutcome::Passed).len();
    let word = say!("gate-word-passed");
    told.extend(match (passed, passed == gate.rows.len()) {
        (0, _) => None,
        (1, true) => Some(say!("gate-passed-one", word = word, margin = margin)),
        (_, true) => Some(say!(
            "gate-passed",
            word = word,
            count = passed,
            margin = margin,
        )),
        _ => Some(say!(
            "gate-some-passed",
            count = passed,
            all = gate.rows.len()
        )),
    });
    told
}

/// A gate that judged nothing of a row is not passed by it.
fn not_judged(rows: &[&GateRow]) -> Option<String> {
    let name = |row: &&GateRow| display_name(&row.name);
    let names: Vec<String> = rows.iter().map(name).collect();
    let word = say!("gate-word-not-judged");
    (!names.is_empty()).then(|| say!("gate-not-judged", word = word, rows = names.join(", ")))
}

/// `create files (ratio 0.48-0.52), stat files (no interval)`.
fn named(rows: &[&GateRow]) -> String {
    let name = |row: &&GateRow| {
        let name = display_name(&row.name);
        match &row.ratio {
            Some(ratio) => say!("gate-row", row = name, interval = span(ratio)),
            None => say!("gate-row-no-interval", row = name),
        }
    };
    rows.iter().map(name).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use etalon_model::Interval;

    fn row(name: &str, outcome: GateOutcome, ends: Option<(f64, f64)>) -> GateRow {
        GateRow {
            name: name.to_owned(),
            arm: "b".to_owned(),
            outcome,
            ratio: ends.map(|(low, high)| Interval {
                low,
                high,
                level: 0.95,
            }),
            reason: None,
        }
    }

    #[test]
    fn a_shown_loss_comes_before_what_cannot_be_told() {
        let gate = Gate {
            margin: 0.05,
            outcome: GateOutcome::Slower,
            rows: vec![
                row("a", GateOutcome::Passed, Some((0.99, 1.01))),
                row("b", GateOutcome::CannotTell, Some((0.8, 1.1))),
                row("c", GateOutcome::CannotTell, None),
                row("e", GateOutcome::NotCompared, None),
                row("d", GateOutcome::Slower, Some((0.48, 0.52))),
            ],
        };
        assert_eq!(
            sentences(&gate),
            [
                "FAILED: slower by more than 5 %: d (ratio 0.48-0.52).",
                "NOT JUDGED, since not compared: e.",
                "Too few runs to tell whether the loss is beyond 5 %: b (ratio 0.80-1.10), c (no interval).",
                "1 of 5 rows passed.",
            ]
        );
        let passed = row("a", GateOutcome::Passed, Some((0.99, 1.01)));
        for (rows, said) in [
            (vec![passed.clone()], "Passed: not slower by more than 5 %."),
            (
                vec![passed.clone(), passed],
                "Passed: none of 2 rows is slower by more than 5 %.",
            ),
        ] {
            assert_eq!(
                sentences(&Gate {
                    rows,
                    ..gate.clone()
                }),
                [said]
            );
        }
    }
}
