//! Which cells of the arms are compared with each other.

use std::collections::HashSet;

use etalon_judge::{Arm, RowArms};
use etalon_model::{Cell, Run};

use crate::arms::NamedArm;

/// The cells to compare, one of each arm, and the names that not every arm has.
pub(super) struct Matched<'a> {
    pub(super) rows: Vec<Vec<&'a Cell>>,
    pub(super) missing: Vec<String>,
}

/// An arm with a single cell, named or measured alone, is compared whatever the name; others are
/// matched by name.
pub(super) fn matched(named: &[NamedArm]) -> Matched<'_> {
    let lists: Vec<Vec<&Cell>> = named.iter().map(cells_of).collect();
    if lists.iter().all(|cells| cells.len() == 1) {
        return Matched {
            rows: vec![lists.iter().map(|cells| cells[0]).collect()],
            missing: Vec::new(),
        };
    }
    let (mut rows, mut missing) = (Vec::new(), Vec::new());
    for name in names(named, &lists) {
        let same: Option<Vec<&Cell>> = lists
            .iter()
            .map(|cells| cells.iter().copied().find(|cell| cell.name == name))
            .collect();
        match same {
            Some(cells) => rows.push(cells),
            None => missing.push(name.to_owned()),
        }
    }
    Matched { rows, missing }
}

/// The names of the cells that were named, else of all, each once, in the order in which they come.
fn names<'a>(named: &[NamedArm], lists: &[Vec<&'a Cell>]) -> Vec<&'a str> {
    let is_any_named = named.iter().any(|arm| arm.cell.is_some());
    let arms = named.iter().zip(lists);
    let meant = arms.filter(|(arm, _)| !is_any_named || arm.cell.is_some());
    let cells = meant.flat_map(|(_, cells)| cells);
    let mut seen = HashSet::new();
    let all = cells.map(|cell| cell.name.as_str());
    all.filter(|name| seen.insert(*name)).collect()
}

fn cells_of(arm: &NamedArm) -> Vec<&Cell> {
    let is_meant = |cell: &&Cell| arm.cell.as_ref().is_none_or(|name| *name == cell.name);
    arm.experiment.cells.iter().filter(is_meant).collect()
}

/// The sides of a row.
pub(super) fn row_of<'a>(
    named: &'a [NamedArm],
    labels: &[String],
    cells: &[&'a Cell],
) -> RowArms<'a> {
    let sides = named.iter().zip(labels).zip(cells);
    RowArms {
        name: title(cells),
        arms: sides.map(|((n, label), c)| arm(n, label, c)).collect(),
    }
}

/// The row's name: the cells' names, each once.
pub(super) fn title(cells: &[&Cell]) -> String {
    let mut names: Vec<&str> = cells.iter().map(|cell| cell.name.as_str()).collect();
    names.dedup();
    names.join(" against ")
}

/// One side of a row.
pub(super) fn arm<'a>(named: &'a NamedArm, label: &str, cell: &'a Cell) -> Arm<'a> {
    let runs: Vec<&Run> = named.experiment.runs_of(&cell.name).collect();
    Arm {
        label: label.to_owned(),
        session: named.session.clone(),
        cell,
        runs,
    }
}
