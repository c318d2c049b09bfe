//! What the gate says, in a sentence or two.

use etalon_model::{Gate, GateOutcome, GateRow};

use super::figures::{margin, span};
use crate::page::spoken_name;

/// The sentences: what fails, what cannot be told, what passed.
pub(crate) fn sentences(gate: &Gate) -> Vec<String> {
    let margin = margin(gate.margin);
    let of = |outcome: GateOutcome| -> Vec<&GateRow> {
        let rows = gate.rows.iter();
        rows.filter(|row| row.outcome == outcome).collect()
    };
    let (slower, open) = (of(GateOutcome::Slower), of(GateOutcome::CannotTell));
    let mut told = Vec::new();
    if !slower.is_empty() {
        let rows = named(&slower);
        told.push(format!("FAILED: slower by more than {margin}: {rows}."));
    }
    if !open.is_empty() {
        let rows = named(&open);
        told.push(format!(
            "Too few runs to tell whether the loss is beyond {margin}: {rows}."
        ));
    }
    if slower.is_empty() && open.is_empty() {
        told.push(format!("Passed: no row is slower by more than {margin}."));
    }
    told
}

/// `create files (ratio 0.48-0.52), stat files (not compared)`.
fn named(rows: &[&GateRow]) -> String {
    let name = |row: &&GateRow| {
        let name = spoken_name(&row.name);
        match &row.ratio {
            Some(ratio) => format!("{name} (ratio {})", span(ratio)),
            None => format!("{name} (not compared)"),
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
                row("d", GateOutcome::Slower, Some((0.48, 0.52))),
            ],
        };
        assert_eq!(
            sentences(&gate),
            [
                "FAILED: slower by more than 5 %: d (ratio 0.48-0.52).",
                "Too few runs to tell whether the loss is beyond 5 %: b (ratio 0.80-1.10), c (not compared).",
            ]
        );
        let rows = vec![row("a", GateOutcome::Passed, Some((0.99, 1.01)))];
        let gate = Gate { rows, ..gate };
        assert_eq!(
            sentences(&gate),
            ["Passed: no row is slower by more than 5 %."]
        );
    }
}
