//! Named figures over repeated runs: of steps, of operations, of anything with a unit.

use std::fmt;

use comfy_table::{CellAlignment, ContentArrangement, Table};
use etalon_model::Estimate;

use crate::columns::{interval_of, quantity};
use crate::table::STYLE;

/// One line of a table of figures.
#[derive(Debug, Clone, PartialEq)]
pub struct FigureRow {
    /// What it is the figure of.
    pub name: String,
    /// `B/s`, `op/s` or `s`.
    pub unit: String,
    /// Mean over the runs.
    pub mean: Estimate,
    /// Median over the runs.
    pub median: Estimate,
    /// Further columns, as text.
    pub more: Vec<String>,
}

/// A table of figures; `Display` gives it with a line end after it.
#[derive(Debug, Clone, Copy)]
pub struct FigureTable<'a> {
    /// Heading of the first column.
    pub what: &'a str,
    /// Headings of the further columns.
    pub more: &'a [&'a str],
    /// The lines.
    pub rows: &'a [FigureRow],
}

impl fmt::Display for FigureTable<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut table = Table::new();
        let mut header = vec![self.what, "mean", "95 % interval", "median", "runs"];
        header.extend(self.more);
        let columns = header.len();
        table
            .load_style(STYLE)
            .set_content_arrangement(ContentArrangement::Disabled)
            .set_header(header);
        for row in self.rows {
            let mut cells = vec![
                row.name.clone(),
                quantity(row.mean.value, &row.unit),
                interval_of(&row.mean, &row.unit),
                quantity(row.median.value, &row.unit),
                row.mean.runs.to_string(),
            ];
            cells.extend(row.more.iter().cloned());
            table.add_row(cells);
        }
        for index in 1..columns {
            if let Some(column) = table.column_mut(index) {
                column.set_cell_alignment(CellAlignment::Right);
            }
        }
        writeln!(f, "{}", table.trim_fmt())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_single_run_shows_that_it_has_no_interval() {
        let estimate = Estimate {
            value: 1.5,
            interval: None,
            runs: 1,
        };
        let rows = [FigureRow {
            name: "unpack".to_owned(),
            unit: "s".to_owned(),
            mean: estimate,
            median: estimate,
            more: vec!["0.2 s".to_owned()],
        }];
        let text = FigureTable {
            what: "step",
            more: &["user"],
            rows: &rows,
        }
        .to_string();
        assert!(
            text.contains("1.50 s") && text.contains("none: 1 of 6 runs"),
            "{text}"
        );
        assert!(text.contains("user") && text.contains("0.2 s"));
    }
}
