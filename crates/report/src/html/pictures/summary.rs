//! Every figure with its interval and its runs, a picture for each unit.

use etalon_language::say;
use etalon_model::Cell;
use etalon_picture::{Axis, DotRow, RowsChart, RunDot, Scale};

use super::super::grid::MANY;
use super::super::measure::{Measure, tick};
use super::super::runs::tip;
use super::super::{HtmlReport, Subject};
use super::Picture;
use crate::page::is_told;
use crate::role::{figure, label};

/// More rows than these are for the table.
const MOST_ROWS: usize = 40;

pub(super) fn pictures(report: &HtmlReport<'_>) -> Vec<Picture> {
    let cells = report.subjects[0].cells.iter();
    let measured: Vec<&Cell> = cells.filter(|cell| cell.estimate().runs > 0).collect();
    let mut units: Vec<(&'static str, Vec<&Cell>)> = Vec::new();
    for cell in measured {
        let unit = Measure::of(cell, f64::MAX).unit;
        match units.iter_mut().find(|(name, _)| *name == unit) {
            Some((_, same)) => same.push(cell),
            None => units.push((unit, vec![cell])),
        }
    }
    units
        .iter()
        .map(|(_, cells)| picture(report, cells))
        .collect()
}

fn picture(report: &HtmlReport<'_>, cells: &[&Cell]) -> Picture {
    let shown = &cells[..cells.len().min(MOST_ROWS)];
    let most = shown
        .iter()
        .flat_map(|cell| &cell.values)
        .copied()
        .fold(0.0, f64::max);
    let measure = Measure::of(shown[0], most);
    let subject = &report.subjects[0];
    let rows = shown.iter().map(|cell| row(subject, cell, measure));
    let rows: Vec<DotRow> = rows.collect();
    let all = rows.iter().flat_map(|row| {
        let (low, high) = row.interval.unwrap_or((row.value, row.value));
        let runs = row.runs.iter().map(|run| run.value);
        runs.chain([row.value, low, high])
    });
    let title = measure.axis_from_zero();
    let chart = RowsChart {
        axis: Axis {
            scale: Scale::from_zero(all),
            title: &title,
            format: tick,
        },
        rows,
        equal: None,
        base: None,
    };
    let (unit, number) = (measure.name(), report.subjects[0].header().id.to_string());
    let note = match cells.len() - shown.len() {
        0 => say!("picture-results-note", unit = unit, number = number),
        more => say!(
            "picture-results-note-more",
            unit = unit,
            number = number,
            more = more
        ),
    };
    let fold = (report.subjects[0].cells.len() > MANY).then(|| {
        say!(
            "picture-results-fold",
            count = shown.len(),
            all = cells.len()
        )
    });
    Picture {
        fold,
        ..Picture::of_rows("results", claim(cells), note, &chart)
    }
}

/// The highest and the lowest, where their intervals do not touch. What is invalid is drawn, and told in no sentence.
fn claim(cells: &[&Cell]) -> String {
    let told = || cells.iter().filter(|cell| is_told(cell));
    let order = |a: &&&Cell, b: &&&Cell| a.estimate().value.total_cmp(&b.estimate().value);
    let (Some(low), Some(high)) = (told().min_by(order), told().max_by(order)) else {
        return say!("picture-results-invalid");
    };
    let apart = match (low.estimate().interval, high.estimate().interval) {
        (Some(low), Some(high)) => high.low > low.high,
        _ => false,
    };
    match apart {
        true => say!(
            "picture-results-range",
            low = figure(low, low.estimate().value),
            low_row = label(low),
            high = figure(high, high.estimate().value),
            high_row = label(high),
        ),
        false => runs_of(high),
    }
}

/// Between what figures the runs lie.
fn runs_of(cell: &Cell) -> String {
    let values = || cell.values.iter().copied();
    let ends = values().reduce(f64::min).zip(values().reduce(f64::max));
    match ends.filter(|(low, high)| low < high) {
        Some((low, high)) => say!(
            "picture-results-one",
            row = label(cell),
            low = figure(cell, low),
            high = figure(cell, high)
        ),
        None => format!("{}: {}", label(cell), figure(cell, cell.estimate().value)),
    }
}

fn row(subject: &Subject, cell: &Cell, measure: Measure) -> DotRow {
    let estimate = cell.estimate();
    let interval = estimate.interval;
    let runs = subject.run_numbers(cell).into_iter().zip(&cell.values);
    let runs = runs.map(|(number, value)| RunDot {
        value: measure.scaled(*value),
        tip: tip(number, figure(cell, *value)),
    });
    DotRow {
        name: label(cell),
        value: measure.scaled(estimate.value),
        interval: interval.map(|i| (measure.scaled(i.low), measure.scaled(i.high))),
        runs: runs.collect(),
        text: figure(cell, estimate.value),
        doubtful: !cell.verdict.is_valid(),
        colour: 2,
    }
}
