//! The cells one below the other, for terminals too narrow for a table; nothing is left out.

use std::fmt::Write as _;

use etalon_units::visible;

use crate::columns::{Column, Row};

/// The rows as blocks of `heading: value` lines.
pub(crate) fn cards(rows: &[Row<'_>], columns: &[Column]) -> String {
    let mut text = String::new();
    for row in rows {
        let _ = writeln!(text, "{}", visible(&row.cell.name));
        for (heading, show) in columns.iter().skip(1) {
            let _ = writeln!(text, "  {heading}: {}", visible(&show(row)));
        }
    }
    text.truncate(text.trim_end().len());
    text
}
