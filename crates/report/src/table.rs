//! A table of cells with box characters, for terminals that are wide enough.

use comfy_table::{CellAlignment, ContentArrangement, LineStyle, Table, TableStyle};

use etalon_units::visible;

use crate::columns::{Column, Row};

/// A line below the heading and one below the last row; the rows themselves stand close.
pub(crate) const STYLE: TableStyle = TableStyle::new()
    .header_separator(LineStyle::none().fill('─').junction('─'))
    .bottom_border(LineStyle::none().fill('─').junction('─'));

/// The rows as a table, one line each.
pub(crate) fn table(rows: &[Row<'_>], columns: &[Column]) -> String {
    let mut table = Table::new();
    table
        .load_style(STYLE)
        .set_content_arrangement(ContentArrangement::Disabled)
        .set_header(columns.iter().map(|(heading, _)| *heading));
    for row in rows {
        table.add_row(
            columns
                .iter()
                .map(|(_, show)| visible(&show(row)).into_owned()),
        );
    }
    // All between the name and the verdict are figures.
    for index in 1..columns.len().saturating_sub(1) {
        if let Some(column) = table.column_mut(index) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table.trim_fmt()
}
