//! The cells one below the other, for terminals too narrow for a table; nothing is left out.

use std::fmt::Write as _;

use etalon_model::Cell;

use crate::columns::COLUMNS;

/// The cells as blocks of `heading: value` lines.
pub(crate) fn cards(cells: &[Cell]) -> String {
    let mut text = String::new();
    for cell in cells {
        let _ = writeln!(text, "{}", cell.name);
        for (heading, show) in &COLUMNS[1..] {
            let _ = writeln!(text, "  {heading}: {}", show(cell));
        }
    }
    text.truncate(text.trim_end().len());
    text
}
