//! The lines of the table.

use std::io::{self, Write};

use super::columns::{columns_for, names_of};
use super::{Cell, GridRow, Options};

/// One line: sizes, then a figure or a blank for each column.
pub(crate) fn write(
    out: &mut dyn Write,
    row: GridRow,
    options: &Options,
    cells: &[Cell],
) -> io::Result<()> {
    write!(
        out,
        "{:>16}{:>8}",
        row.size.get() >> 10,
        row.record.get() >> 10
    )?;
    for op in columns_for(options) {
        let width = names_of(op).width;
        match cells.iter().find(|cell| cell.op == op) {
            Some(cell) => write!(out, "{:>width$.0}", cell.figure(options.unit))?,
            // As wide as iozone leaves it.
            None => write!(out, "{:blank$}", "", blank = width - 1)?,
        }
    }
    writeln!(out, " ")?;
    out.flush()
}
