//! Rows of names that memory took: beside I/O they look like figures of the disk.

use etalon_language::say;
use etalon_model::{Cell, Parameter, TargetRecord};

use super::remarks::{Remark, is_by_design};
use crate::role::{is_metadata, label};

/// Stands in the rows, and before the line that explains it.
pub(crate) const MEMORY: &str = "m";
/// The parameter of names that says when they are durable, and its value where each is.
const DURABILITY: &str = "durability";
const EACH: &str = "each";

/// One line on all such rows, with the row that has each name durable or the command that would, which keeps its runs in the
/// same `store`.
pub(crate) fn remark(target: &TargetRecord, store: &str, cells: &[Cell]) -> Option<Remark> {
    let is_beside_io = cells.iter().any(|cell| cell.workload.io().is_some());
    let is_told = |cell: &&Cell| {
        let is_found = cell.findings.iter().any(|f| is_by_design(f, cell));
        is_beside_io && is_found && !cell.verdict.is_invalid()
    };
    let taken: Vec<&Cell> = cells.iter().filter(is_told).collect();
    if taken.is_empty() {
        return None;
    }
    let names: Vec<String> = taken.iter().map(|cell| label(cell)).collect();
    let rows = names.join(", ");
    let text = match cells.iter().find(|cell| is_durable(cell)) {
        Some(cell) => say!(
            "page-memory-rows-durable",
            rows = rows,
            durable = label(cell)
        ),
        None => {
            let path = etalon_units::shell_word(&target.path);
            let options = "--operations create --durability each";
            let command = format!("etalon metadata {path} {options}{store}");
            say!("page-memory-rows-command", rows = rows, command = command)
        }
    };
    Some(Remark {
        mark: MEMORY,
        cells: taken.iter().map(|cell| cell.name.clone()).collect(),
        lesser: Vec::new(),
        text,
    })
}

/// Whether it is names of which each is durable before the next.
fn is_durable(cell: &Cell) -> bool {
    let task = cell.workload.task().filter(|_| is_metadata(cell));
    let value = task.and_then(|task| task.parameters.get(DURABILITY));
    value == Some(&Parameter::Text(EACH.to_owned())) && cell.estimate().runs > 0
}
