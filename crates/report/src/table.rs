//! A table of cells with box characters, for terminals that are wide enough.

use comfy_table::presets::UTF8_HORIZONTAL_ONLY;
use comfy_table::{CellAlignment, ContentArrangement, Table};
use etalon_model::Cell;

use crate::columns::COLUMNS;

/// The cells as a table, one row each.
pub(crate) fn table(cells: &[Cell]) -> String {
    let mut table = Table::new();
    table
        .load_style(UTF8_HORIZONTAL_ONLY)
        .set_content_arrangement(ContentArrangement::Disabled)
        .set_header(COLUMNS.map(|(heading, _)| heading));
    for cell in cells {
        table.add_row(COLUMNS.map(|(_, show)| show(cell)));
    }
    for (index, (heading, _)) in COLUMNS.iter().enumerate() {
        if !matches!(*heading, "workload" | "verdict")
            && let Some(column) = table.column_mut(index)
        {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table.trim_fmt()
}
