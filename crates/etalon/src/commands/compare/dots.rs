//! The runs of every row as dots, an arm a line.

use etalon_model::Cell;
use etalon_report::{DotsPage, Look};
use etalon_units::visible;

use super::matched::title;

/// Each row under its name: the runs, the interval and the result of every arm, on one axis from 0.
pub(super) fn dots(rows: &[Vec<&Cell>], names: &[String], look: Look) -> String {
    let rows = rows.iter().map(|cells| {
        let arms = cells.iter().zip(names).map(|(cell, name)| Cell {
            name: name.clone(),
            ..(*cell).clone()
        });
        let arms: Vec<Cell> = arms.collect();
        let page = DotsPage { cells: &arms, look };
        format!("\n{}\n{page}", visible(&title(cells)))
    });
    rows.collect()
}
