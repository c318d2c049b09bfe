//! An experiment as a workbook: summary, runs, grid and environment, with charts.
//!
//! Every text is written as text: no cell is a formula, whatever a name begins with.

use std::collections::BTreeSet;

use etalon_model::{Cell, Experiment};
use rust_xlsxwriter::{Chart, ChartType, Format, Workbook, Worksheet, XlsxError};
use serde_json::Value;

use crate::grid::{Block, blocks};
use crate::{ExportError, RunRow};

const SUMMARY: &str = "summary";
const GRID: &str = "grid";
const HEADS: [&str; 12] = [
    "workload",
    "result",
    "interval low",
    "interval high",
    "unit",
    "runs",
    "verdict",
    "p50 ns",
    "p99 ns",
    "p99.9 ns",
    "from device",
    "findings",
];

/// The workbook's bytes.
///
/// # Errors
/// [`ExportError::Workbook`] when it cannot be put together.
pub fn to_workbook(experiment: &Experiment) -> Result<Vec<u8>, ExportError> {
    build(experiment).map_err(|error| ExportError::Workbook(error.to_string()))
}

fn build(experiment: &Experiment) -> Result<Vec<u8>, XlsxError> {
    let mut book = Workbook::new();
    summary(experiment, book.add_worksheet().set_name(SUMMARY)?)?;
    runs(experiment, book.add_worksheet().set_name("runs")?)?;
    grid(experiment, book.add_worksheet().set_name(GRID)?)?;
    environment(experiment, book.add_worksheet().set_name("environment")?)?;
    book.save_to_buffer()
}

fn heads(sheet: &mut Worksheet, names: &[&str]) -> Result<(), XlsxError> {
    let bold = Format::new().set_bold();
    for (column, name) in (0..).zip(names) {
        sheet.write_string_with_format(0, column, *name, &bold)?;
    }
    sheet.set_freeze_panes(1, 0)?;
    Ok(())
}

fn number(
    sheet: &mut Worksheet,
    row: u32,
    column: u16,
    value: Option<f64>,
) -> Result<(), XlsxError> {
    if let Some(value) = value.filter(|value| value.is_finite()) {
        sheet.write_number(row, column, value)?;
    }
    Ok(())
}

fn summary(experiment: &Experiment, sheet: &mut Worksheet) -> Result<(), XlsxError> {
    heads(sheet, &HEADS)?;
    for (row, cell) in (1..).zip(&experiment.cells) {
        cell_row(sheet, row, cell)?;
    }
    sheet.set_column_width(0, 36)?;
    let last = u32::try_from(experiment.cells.len()).unwrap_or(u32::MAX);
    if last > 0 {
        let mut chart = Chart::new(ChartType::Bar);
        chart
            .title()
            .set_name("Results, from 0; units as in the column");
        let series = chart.add_series();
        series
            .set_categories((SUMMARY, 1, 0, last, 0))
            .set_values((SUMMARY, 1, 1, last, 1));
        chart.legend().set_hidden();
        sheet.insert_chart(last + 2, 0, &chart)?;
    }
    Ok(())
}

fn cell_row(sheet: &mut Worksheet, row: u32, cell: &Cell) -> Result<(), XlsxError> {
    let estimate = cell.estimate();
    sheet.write_string(row, 0, &cell.name)?;
    number(sheet, row, 1, Some(estimate.value))?;
    number(sheet, row, 2, estimate.interval.map(|i| i.low))?;
    number(sheet, row, 3, estimate.interval.map(|i| i.high))?;
    sheet.write_string(row, 4, cell.unit.sign())?;
    number(sheet, row, 5, Some(f64::from(estimate.runs)))?;
    sheet.write_string(row, 6, cell.verdict.to_string())?;
    for (column, q) in [(7, 0.5), (8, 0.99), (9, 0.999)] {
        let span = cell.latency.tail_quantile(q);
        number(sheet, row, column, span.map(|ns| ns.get() as f64))?;
    }
    number(sheet, row, 10, cell.device_share)?;
    sheet.write_string(row, 11, codes(cell).join(" "))?;
    Ok(())
}

/// The codes of its findings, each once: runs that count and those that were left out may have one each.
fn codes(cell: &Cell) -> Vec<&str> {
    let mut codes: Vec<&str> = Vec::new();
    for finding in &cell.findings {
        if !codes.contains(&finding.code.as_str()) {
            codes.push(&finding.code);
        }
    }
    codes
}

/// The table of `export --csv`, each figure a number.
fn runs(experiment: &Experiment, sheet: &mut Worksheet) -> Result<(), XlsxError> {
    for (row, run) in (1..).zip(RunRow::all(experiment)) {
        let Ok(Value::Object(fields)) = serde_json::to_value(run) else {
            continue;
        };
        if row == 1 {
            heads(
                sheet,
                &fields.keys().map(String::as_str).collect::<Vec<_>>(),
            )?;
        }
        for (column, value) in (0..).zip(fields.values()) {
            match value {
                Value::Number(value) => number(sheet, row, column, value.as_f64())?,
                Value::String(text) => drop(sheet.write_string(row, column, text)?),
                Value::Bool(is) => drop(sheet.write_boolean(row, column, *is)?),
                _ => {}
            }
        }
    }
    Ok(())
}

/// Files down, records across, as iozone's spreadsheet has it; a block for what differs in nothing else.
fn grid(experiment: &Experiment, sheet: &mut Worksheet) -> Result<(), XlsxError> {
    let mut top = 0;
    for block in blocks(experiment) {
        top = block_rows(sheet, top, &block)?;
    }
    Ok(())
}

/// A place stays empty where no cell is, or one whose figure is not what was to be measured.
fn block_rows(sheet: &mut Worksheet, top: u32, block: &Block<'_>) -> Result<u32, XlsxError> {
    let files: BTreeSet<u64> = block.cells.keys().map(|(file, _)| *file).collect();
    let records: BTreeSet<u64> = block.cells.keys().map(|(_, record)| *record).collect();
    sheet.write_string(top, 0, headline(block))?;
    for (column, record) in (1..).zip(&records) {
        number(sheet, top + 1, column, Some(*record as f64))?;
    }
    let mut row = top + 1;
    for file in &files {
        row += 1;
        number(sheet, row, 0, Some(*file as f64))?;
        for (column, record) in (1..).zip(&records) {
            let found = block.cells.get(&(*file, *record));
            let found = found.filter(|cell| !cell.verdict.is_invalid());
            let figure = found.map(|cell| cell.estimate().value);
            number(sheet, row, column, figure)?;
        }
    }
    Ok(chart_of(sheet, top, row, records.len())? + 2)
}

fn headline(block: &Block<'_>) -> String {
    let (title, unit) = (&block.title, block.unit.sign());
    let mut cells = block.cells.values();
    let invalid = match cells.any(|cell| cell.verdict.is_invalid()) {
        true => "; invalid figures are left out",
        false => "",
    };
    format!("{title}, {unit}; files down, records across, in bytes{invalid}")
}

/// A chart of a block that has more than one figure to a line, at its right.
fn chart_of(sheet: &mut Worksheet, top: u32, last: u32, records: usize) -> Result<u32, XlsxError> {
    let Some(width) = u16::try_from(records).ok().filter(|width| *width > 1) else {
        return Ok(last);
    };
    let mut chart = Chart::new(ChartType::Line);
    for row in (top + 2)..=last {
        let series = chart.add_series();
        series
            .set_categories((GRID, top + 1, 1, top + 1, width))
            .set_values((GRID, row, 1, row, width));
    }
    sheet.insert_chart(top, width + 2, &chart)?;
    Ok(last.max(top + 16))
}

fn environment(experiment: &Experiment, sheet: &mut Worksheet) -> Result<(), XlsxError> {
    heads(sheet, &["environment", "fact", "value"])?;
    let mut row = 1;
    for record in experiment.environments() {
        for (key, value) in &record.manifest.facts {
            sheet.write_string(row, 0, &record.manifest.hash)?;
            sheet.write_string(row, 1, key)?;
            sheet.write_string(row, 2, value)?;
            row += 1;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::experiment;
    use calamine::{Data, Reader as _, Xlsx};
    use etalon_model::Verdict;
    use std::io::Cursor;

    fn read(experiment: &Experiment) -> Xlsx<Cursor<Vec<u8>>> {
        Xlsx::new(Cursor::new(to_workbook(experiment).unwrap())).unwrap()
    }

    #[test]
    fn the_sheets_hold_cells_runs_sizes_and_facts() {
        let mut book = read(&experiment());
        assert_eq!(
            book.sheet_names(),
            ["summary", "runs", "grid", "environment"]
        );
        let summary = book.worksheet_range("summary").unwrap();
        assert_eq!(summary.get_value((1, 1)), Some(&Data::Float(550.0)));
        assert_eq!(summary.get_value((1, 2)), Some(&Data::Float(500.0)));
        let runs = book.worksheet_range("runs").unwrap();
        assert_eq!(runs.height(), 4, "a head and three runs");
        let environment = book.worksheet_range("environment").unwrap();
        assert_eq!(
            environment.get_value((1, 2)),
            Some(&Data::String("performance".into()))
        );
    }

    #[test]
    fn an_invalid_figure_is_in_no_grid_and_its_codes_stand_once_in_the_summary() {
        let mut experiment = experiment();
        let reasons = vec!["page-cache".to_owned()];
        let twice = experiment.cells[0].findings[0].clone();
        experiment.cells[0].findings.push(twice);
        let mut book = read(&experiment);
        let grid = book.worksheet_range("grid").unwrap();
        assert_eq!(grid.get_value((2, 1)), Some(&Data::Float(550.0)));
        experiment.cells[0].verdict = Verdict::Invalid { reasons };
        let mut book = read(&experiment);
        let grid = book.worksheet_range("grid").unwrap();
        let title = grid.get_value((0, 0)).unwrap().to_string();
        assert!(title.ends_with("; invalid figures are left out"), "{title}");
        let figures = grid.used_cells().filter(|(row, ..)| *row > 1);
        assert_eq!(figures.count(), 1, "the size alone");
        let summary = book.worksheet_range("summary").unwrap();
        let codes = summary.get_value((1, 11));
        assert_eq!(codes, Some(&Data::String("page-cache".into())));
    }

    #[test]
    fn no_name_is_a_formula() {
        let mut experiment = experiment();
        experiment.cells[0].name = "=cmd|' /C calc'!A0".into();
        experiment.runs[0].cell = "@SUM(A1)".into();
        let mut book = read(&experiment);
        for sheet in book.sheet_names() {
            let formulas = book.worksheet_formula(&sheet).unwrap();
            assert!(
                formulas
                    .used_cells()
                    .all(|(_, _, formula)| formula.is_empty()),
                "{sheet}"
            );
        }
        let summary = book.worksheet_range("summary").unwrap();
        let name = summary.get_value((1, 0));
        assert_eq!(name, Some(&Data::String("=cmd|' /C calc'!A0".into())));
    }
}
