//! The report of `-R`, which spreadsheets import with spaces between the columns.

use std::io::{self, Write};

use etalon_file_ops::FileOp;
use etalon_units::Bytes;

use super::columns::names_of;
use super::{Cell, IozoneGrid, Options, Unit};

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
pub(crate) fn operations(cells: &[Cell]) -> Vec<FileOp> {
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

/// The report over groups: a line for each operation, a figure for each number of workers.
pub(crate) fn groups(out: &mut dyn Write, cells: &[Cell], options: &Options) -> io::Result<()> {
    let Some(first) = cells.first() else {
        return Ok(());
    };
    let record = first.row.record.get() >> 10;
    let workers = if options.threads {
        "threads"
    } else {
        "processes"
    };
    let unit = match options.unit {
        Unit::KiloBytes => "kBytes/sec",
        Unit::Operations => "ops/sec",
        Unit::Microseconds => "usec/op",
    };
    writeln!(
        out,
        "\"Throughput report Y-axis is type of test X-axis is number of {workers}\""
    )?;
    writeln!(
        out,
        "\"Record size = {record} kBytes \"\n\"Output is in {unit}\"\n"
    )?;
    lines(out, cells, &|cell| cell.figure(options.unit))?;
    if options.cpu {
        writeln!(
            out,
            "\n\"CPU utilization report Y-axis is type of test X-axis is number of {workers}\""
        )?;
        writeln!(
            out,
            "\"Record size = {record} kBytes \"\n\"Output is in CPU%\"\n"
        )?;
        lines(out, cells, &Cell::cpu_percent)?;
    }
    Ok(())
}

fn lines(out: &mut dyn Write, cells: &[Cell], figure: &dyn Fn(&Cell) -> f64) -> io::Result<()> {
    for op in operations(cells) {
        write!(out, "\"{:>15} \"", names_of(op).summary)?;
        for cell in cells.iter().filter(|cell| cell.op == op) {
            write!(out, " {:>10.2} ", figure(cell))?;
        }
        writeln!(out, "\n")?;
    }
    Ok(())
}
