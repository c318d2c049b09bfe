//! The report of `-R`, which spreadsheets import with spaces between the columns.

use std::io::{self, Write};

use etalon_file_ops::FileOp;
use etalon_units::Bytes;

use super::columns::names_of;
use super::{Cell, GridRow, IozoneGrid, Options, Unit};

/// The report over a table: a block for each operation, a line for each file size.
pub(crate) fn table(
    out: &mut dyn Write,
    cells: &[Cell],
    grid: &IozoneGrid,
    options: &Options,
) -> io::Result<()> {
    writeln!(out, "Excel output is below:")?;
    for op in operations(cells) {
        writeln!(out, "\n\"{} report\"", names_of(op).report)?;
        block(out, cells, op, grid, &|cell| {
            format!("  {:.0}", cell.figure(options.unit))
        })?;
    }
    if options.cpu {
        for op in operations(cells) {
            let title = names_of(op).report;
            writeln!(
                out,
                "\n\"{title} CPU utilization report (Zero values should be ignored)\""
            )?;
            block(out, cells, op, grid, &|cell| {
                format!("{:>8.2}", cell.cpu_percent())
            })?;
        }
    }
    Ok(())
}

/// The operations of the cells, each once, in their order.
pub(crate) fn operations<'a>(cells: impl IntoIterator<Item = &'a Cell>) -> Vec<FileOp> {
    let mut found = Vec::new();
    for cell in cells {
        if !found.contains(&cell.op) {
            found.push(cell.op);
        }
    }
    found
}

fn block(
    out: &mut dyn Write,
    cells: &[Cell],
    op: FileOp,
    grid: &IozoneGrid,
    figure: &dyn Fn(&Cell) -> String,
) -> io::Result<()> {
    let heads: Vec<String> = grid
        .records
        .iter()
        .map(|r| format!("\"{}\"", r.get() >> 10))
        .collect();
    writeln!(out, "        {}", heads.join("  "))?;
    let mut sizes: Vec<Bytes> = grid.rows.iter().map(|row| row.size).collect();
    sizes.dedup();
    for size in sizes {
        let of_size = |cell: &&Cell| cell.op == op && cell.row.size == size;
        let Some(largest) = cells
            .iter()
            .filter(of_size)
            .map(|cell| cell.row.record)
            .max()
        else {
            continue;
        };
        write!(out, "\"{}\" ", size.get() >> 10)?;
        for record in grid.records.iter().filter(|&&record| record <= largest) {
            match cells
                .iter()
                .filter(of_size)
                .find(|cell| cell.row.record == *record)
            {
                Some(cell) => write!(out, "{}", figure(cell))?,
                // A zero holds the place of a record that was left out.
                None if grid.rows.len() > 1 => write!(out, "  0")?,
                None => {}
            }
        }
        writeln!(out, " ")?;
    }
    Ok(())
}

/// The report over groups: for each row of the grid a line for each operation, with a figure for each
/// number of workers.
pub(crate) fn groups(
    out: &mut dyn Write,
    cells: &[Cell],
    grid: &IozoneGrid,
    options: &Options,
) -> io::Result<()> {
    let (rate, cpu) = ("Throughput report", "CPU utilization report");
    for (at, (cells, &row)) in by_row(cells).iter().zip(&grid.rows).enumerate() {
        if at > 0 {
            writeln!(out)?;
        }
        // iozone knows no grid of groups, and its heading of one row names no file size.
        let size = (grid.rows.len() > 1).then_some(row.size);
        let head = GroupHead { size, row, options };
        head.write(out, rate, rate_unit(options.unit))?;
        lines(out, cells, &|cell| cell.figure(options.unit))?;
        if options.cpu {
            writeln!(out)?;
            head.write(out, cpu, "CPU%")?;
            lines(out, cells, &Cell::cpu_percent)?;
        }
    }
    Ok(())
}

/// The cells of each row of the grid. A row's cells do not all tell its size: with `-+k` files are the
/// smaller the more there are. Every number of workers had the rows in the grid's order.
fn by_row(cells: &[Cell]) -> Vec<Vec<&Cell>> {
    let mut rows: Vec<Vec<&Cell>> = Vec::new();
    for of_workers in cells.chunk_by(|one, next| one.workers == next.workers) {
        let of_rows = of_workers.chunk_by(|one, next| one.row == next.row);
        for (at, of_row) in of_rows.enumerate() {
            if at == rows.len() {
                rows.push(Vec::new());
            }
            rows[at].extend(of_row);
        }
    }
    rows
}

fn rate_unit(unit: Unit) -> &'static str {
    match unit {
        Unit::KiloBytes => "kBytes/sec",
        Unit::Operations => "ops/sec",
        Unit::Microseconds => "usec/op",
    }
}

/// What stands above the lines of a row.
struct GroupHead<'a> {
    /// Where there are several.
    size: Option<Bytes>,
    row: GridRow,
    options: &'a Options,
}

impl GroupHead<'_> {
    fn write(&self, out: &mut dyn Write, title: &str, unit: &str) -> io::Result<()> {
        let workers = match self.options.threads {
            true => "threads",
            false => "processes",
        };
        writeln!(
            out,
            "\"{title} Y-axis is type of test X-axis is number of {workers}\""
        )?;
        if let Some(size) = self.size {
            let size = size.get() >> 10;
            let over = match self.options.constant_total {
                true => format!("over all {workers} "),
                false => String::new(),
            };
            writeln!(out, "\"File size = {size} kBytes {over}\"")?;
        }
        let record = self.row.record.get() >> 10;
        writeln!(
            out,
            "\"Record size = {record} kBytes \"\n\"Output is in {unit}\"\n"
        )
    }
}

fn lines(out: &mut dyn Write, cells: &[&Cell], figure: &dyn Fn(&Cell) -> f64) -> io::Result<()> {
    for op in operations(cells.iter().copied()) {
        write!(out, "\"{:>15} \"", names_of(op).summary)?;
        for cell in cells.iter().filter(|cell| cell.op == op) {
            write!(out, " {:>10.2} ", figure(cell))?;
        }
        writeln!(out, "\n")?;
    }
    Ok(())
}
