//! The workbook of `-b`: a list of all figures, and a grid for each operation.

use std::path::Path;

use rust_xlsxwriter::{Format, Workbook, Worksheet, XlsxError};

use super::columns::names_of;
use super::report::operations;
use super::{Cell, IozoneError, IozoneGrid, Options, Unit};

/// Columns of the list.
const HEADS: [&str; 11] = [
    "operation",
    "file (kB)",
    "record (kB)",
    "workers",
    "figure",
    "unit",
    "interval low",
    "interval high",
    "runs",
    "CPU (%)",
    "verdict",
];

/// The name of the list.
pub(crate) const LIST: &str = "figures";

/// The workbook as the content of the file `path`.
///
/// # Errors
/// When a cell cannot be written.
pub(crate) fn bytes(
    path: &Path,
    command: &str,
    cells: &[Cell],
    grid: &IozoneGrid,
    options: &Options,
) -> Result<Vec<u8>, IozoneError> {
    build(command, cells, grid, options).map_err(|source| IozoneError::Workbook {
        path: path.to_owned(),
        source,
    })
}

fn build(
    command: &str,
    cells: &[Cell],
    grid: &IozoneGrid,
    options: &Options,
) -> Result<Vec<u8>, XlsxError> {
    let mut book = Workbook::new();
    list(
        book.add_worksheet().set_name(LIST)?,
        command,
        cells,
        options.unit,
    )?;
    for op in operations(cells) {
        let sheet = book.add_worksheet().set_name(names_of(op).plain)?;
        let of_op: Vec<&Cell> = cells.iter().filter(|cell| cell.op == op).collect();
        if of_op.iter().any(|cell| cell.workers.is_some()) {
            by_workers(sheet, &of_op, options.unit)?;
        } else {
            by_size(sheet, &of_op, grid, options.unit)?;
        }
    }
    book.save_to_buffer()
}

fn list(sheet: &mut Worksheet, command: &str, cells: &[Cell], unit: Unit) -> Result<(), XlsxError> {
    let bold = Format::new().set_bold();
    // Text also when somebody edits it, whatever the words begin with.
    let text = Format::new().set_quote_prefix();
    sheet.write_string_with_format(0, 0, command, &text)?;
    for (column, head) in (0..).zip(HEADS) {
        sheet.write_with_format(2, column, head, &bold)?;
    }
    for (row, cell) in (3..).zip(cells) {
        let record = cell.row.record;
        let estimate = cell.judged.estimate();
        sheet.write(row, 0, names_of(cell.op).plain)?;
        sheet.write(row, 1, (cell.row.size.get() >> 10) as f64)?;
        sheet.write(row, 2, (record.get() >> 10) as f64)?;
        sheet.write(row, 3, cell.workers.unwrap_or(1) as u32)?;
        sheet.write(row, 4, cell.figure(unit))?;
        sheet.write(row, 5, unit.rate_name())?;
        if let Some(interval) = estimate.interval {
            let ends = [
                unit.of(interval.low.max(0.0), cell.record()),
                unit.of(interval.high, cell.record()),
            ];
            sheet.write(row, 6, ends[0].min(ends[1]))?;
            sheet.write(row, 7, ends[0].max(ends[1]))?;
        }
        sheet.write(row, 8, estimate.runs)?;
        sheet.write(row, 9, cell.cpu_percent())?;
        sheet.write(row, 10, cell.judged.verdict.to_string())?;
    }
    sheet.autofit();
    Ok(())
}

/// File sizes down, record sizes across.
fn by_size(
    sheet: &mut Worksheet,
    cells: &[&Cell],
    grid: &IozoneGrid,
    unit: Unit,
) -> Result<(), XlsxError> {
    let mut sizes: Vec<_> = grid.rows.iter().map(|row| row.size).collect();
    sizes.dedup();
    sheet.write(
        0,
        0,
        format!("{}; file (kB) down, record (kB) across", unit.rate_name()),
    )?;
    for (column, record) in (1..).zip(&grid.records) {
        sheet.write(1, column, (record.get() >> 10) as f64)?;
    }
    for (line, size) in (2..).zip(&sizes) {
        sheet.write(line, 0, (size.get() >> 10) as f64)?;
        for (column, record) in (1..).zip(&grid.records) {
            let found = cells
                .iter()
                .find(|cell| cell.row.size == *size && cell.row.record == *record);
            if let Some(cell) = found {
                sheet.write(line, column, cell.figure(unit))?;
            }
        }
    }
    Ok(())
}

/// A line for each number of workers, of what the group's lines say: the figure, the parent's, each worker's.
fn by_workers(sheet: &mut Worksheet, cells: &[&Cell], unit: Unit) -> Result<(), XlsxError> {
    sheet.write(0, 0, format!("{}; workers down", unit.rate_name()))?;
    for (column, head) in (0..).zip(["workers", "children see", "parent sees", "each worker"]) {
        sheet.write(1, column, head)?;
    }
    for (line, cell) in (2..).zip(cells) {
        let told = |rate: f64| unit.of(rate, cell.record());
        sheet.write(line, 0, cell.workers.unwrap_or(1) as u32)?;
        if cell.middle.is_none() {
            continue;
        }
        sheet.write(line, 1, cell.figure(unit))?;
        sheet.write(line, 2, told(cell.group.parent))?;
        for (column, &rate) in (3..).zip(&cell.group.workers) {
            sheet.write(line, column, told(rate))?;
        }
    }
    Ok(())
}
