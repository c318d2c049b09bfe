//! The lines of the table.

use std::io::{self, Write};

use etalon_workload::file_ops::FileOp;

use super::columns::{columns_for, names_of};
use super::{Cell, Row, Unit};

/// One line: sizes, then a figure or a blank for each column.
pub(crate) fn write(
    out: &mut dyn Write,
    row: Row,
    chosen: &[FileOp],
    cells: &[Cell],
    unit: Unit,
) -> io::Result<()> {
    write!(
        out,
        "{:>16}{:>8}",
        row.size.get() >> 10,
        row.record.get() >> 10
    )?;
    for op in columns_for(chosen) {
        let width = names_of(op).width;
        match cells.iter().find(|cell| cell.op == op) {
            Some(cell) => write!(out, "{:>width$.0}", cell.figure(unit))?,
            // As wide as iozone leaves it.
            None => write!(out, "{:blank$}", "", blank = width - 1)?,
        }
    }
    writeln!(out, " ")?;
    out.flush()
}
