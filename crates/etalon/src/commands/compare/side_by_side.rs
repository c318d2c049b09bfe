//! Experiments held against each other for a report, which gives no options of its own.

use etalon_judge::{Arm, CompareOptions, compare_arms};
use etalon_model::{Cell, Comparison, ComparisonVerdict};

use super::environments::Environments;
use super::matched::{arm, matched, title};
use super::twins;
use crate::arms::NamedArm;

/// Differences up to this share count as none, as `etalon compare` has it.
const MARGIN: f64 = 0.05;

/// The workloads that all experiments have, the first being the base.
pub(crate) struct SideBySide {
    /// A comparison with the base's cell for each row.
    pub(crate) rows: Vec<(Comparison, Cell)>,
    /// What the experiments are called by what differs between them.
    pub(crate) names: Vec<String>,
    /// What is to be said of it.
    pub(crate) notes: Vec<String>,
}

impl SideBySide {
    /// Compares what can be compared, and says of the rest why not.
    pub(crate) fn of(named: &[NamedArm]) -> anyhow::Result<SideBySide> {
        twins::refuse(named)?;
        let environments = Environments::of(named, &[]);
        let names = environments.factor.names.clone();
        let matched = matched(named);
        let mut found = SideBySide {
            rows: Vec::new(),
            notes: notes(&matched.missing, &environments),
            names,
        };
        let options = CompareOptions {
            by: Vec::new(),
            baseline: 0,
            margin: MARGIN,
        };
        for cells in &matched.rows {
            let sides = named.iter().zip(&found.names).zip(cells);
            let arms: Vec<Arm<'_>> = sides.map(|((n, label), c)| arm(n, label, c)).collect();
            let comparison = compare_arms(&title(cells), &arms, &options)?;
            found.take(comparison, cells[0]);
        }
        Ok(found)
    }

    fn take(&mut self, comparison: Comparison, base: &Cell) {
        if let ComparisonVerdict::Refused { reasons, .. } = &comparison.verdict {
            let why = reasons.join(" ");
            self.notes
                .push(format!("{}: not compared: {why}", comparison.name));
            return;
        }
        self.rows.push((comparison, base.clone()));
    }
}

fn notes(missing: &[String], environments: &Environments) -> Vec<String> {
    let mut notes = Vec::new();
    if !missing.is_empty() {
        let missing = missing.join("; ");
        notes.push(format!(
            "Not in every experiment, and so not compared: {missing}."
        ));
    }
    let differ = environments.differences.iter().map(|d| d.key.as_str());
    let differ: Vec<&str> = differ.take(12).collect();
    notes.push(match (differ.len(), environments.differences.len()) {
        (0, _) => "Machine and storage stack do not differ in any fact that is kept.".to_owned(),
        (shown, all) if shown == all => format!("What differs: {}.", differ.join(", ")),
        (_, all) => format!(
            "What differs: {} and {} more facts.",
            differ.join(", "),
            all - 12
        ),
    });
    notes
}
