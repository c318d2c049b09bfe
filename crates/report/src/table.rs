//! A table of cells with box characters, for terminals that are wide enough.

use comfy_table::{CellAlignment, ContentArrangement, LineStyle, Table, TableStyle};
use etalon_model::Cell;

use crate::columns::COLUMNS;

/// A line below the heading and one below the last row; the rows themselves stand close.
pub(crate) const STYLE: TableStyle = TableStyle::new()
    .header_separator(LineStyle::none().fill('─').junction('─'))
    .bottom_border(LineStyle::none().fill('─').junction('─'));

/// The cells as a table, one row each.
pub(crate) fn table(cells: &[Cell]) -> String {
    let mut table = Table::new();
    table
        .load_style(STYLE)
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
