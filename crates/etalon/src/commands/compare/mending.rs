//! The commands that help arms whose own figures stand in the way.

use etalon_model::{Cell, Comparison, ComparisonVerdict, ExperimentKind};
use etalon_report::{Mending, Trouble};

use super::like::is_of_own_store;
use crate::arms::NamedArm;
use crate::cli::StoreArgs;

/// Fewer runs than these are compared with nothing.
const LEAST_RUNS: usize = 2;

/// A command for each arm of the store that spoils a row, the gravest trouble of it.
pub(super) fn of(
    named: &[NamedArm],
    comparisons: &[Comparison],
    rows: &[Vec<&Cell>],
    store: &StoreArgs,
) -> Vec<Mending> {
    let refused = comparisons
        .iter()
        .zip(rows)
        .filter(|(comparison, _)| matches!(comparison.verdict, ComparisonVerdict::Refused { .. }));
    let refused: Vec<&Vec<&Cell>> = refused.map(|(_, cells)| cells).collect();
    let one = |(arm, named): (usize, &NamedArm)| {
        let troubles = refused.iter().filter_map(|cells| trouble(cells[arm]));
        let trouble = troubles.min_by_key(|trouble| *trouble == Trouble::FewRuns)?;
        let command = command(named, trouble)? + &store.typed();
        Some(Mending {
            arm,
            trouble,
            command,
        })
    };
    named.iter().enumerate().filter_map(one).collect()
}

fn trouble(cell: &Cell) -> Option<Trouble> {
    match cell.verdict.is_invalid() {
        true => Some(Trouble::Invalid),
        false => (cell.values.len() < LEAST_RUNS).then_some(Trouble::FewRuns),
    }
}

/// `None` where nothing can be done about the arm from here.
fn command(arm: &NamedArm, trouble: Trouble) -> Option<String> {
    let header = &arm.experiment.header;
    let goes_on = matches!(
        header.begun.kind,
        ExperimentKind::Quick | ExperimentKind::Measure
    );
    let id = header.id;
    match trouble {
        _ if !is_of_own_store(arm) => None,
        Trouble::Invalid => Some(format!("etalon show {id} --findings")),
        Trouble::FewRuns => goes_on.then(|| format!("etalon continue {id}")),
    }
}
