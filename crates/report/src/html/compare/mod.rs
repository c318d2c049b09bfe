//! The same workloads under other conditions.

mod rows;

use etalon_language::say;
use etalon_model::{Cell, ComparisonArm, Standing, Unit};

use super::grid::{HeatGrid, MANY, grids};
use super::tag::{long, note, section as wrapped, text, wide};
use super::{HtmlReport, heat};
use crate::comparison::{self, ratio_text};
pub(super) use rows::table;

/// More remarks than these are folded away.
const MOST_NOTES: usize = 6;

/// What is faster, in sentences.
pub(super) fn answer(report: &HtmlReport<'_>) -> Vec<String> {
    comparison::answer_of(report.rows, report.names)
}

pub(super) fn section(report: &HtmlReport<'_>) -> String {
    if report.names.len() < 2 {
        return String::new();
    }
    let base = &report.names[0];
    if report.rows.is_empty() {
        return wrapped("compare", &say!("report-comparison"), &notes(report.notes));
    }
    let mut body = note(&say!("report-base-note", base = base));
    let table = table(report.rows, report.names);
    let table = wide(&say!("report-comparison"), &table) + "\n";
    body.push_str(&match report.rows.len() > MANY {
        true => {
            ratios(report)
                + &long(
                    &say!("report-all-workloads", count = report.rows.len()),
                    &table,
                )
        }
        false => table,
    });
    let by_chance = comparison::by_chance(report.rows);
    body.push_str(&notes(&[&by_chance, report.notes].concat()));
    wrapped("compare", &say!("report-comparison"), &body)
}

/// What is said of the rows; of many the first.
fn notes(notes: &[String]) -> String {
    let said = |notes: &[String]| notes.iter().map(|said| note(said)).collect::<String>();
    let (first, more) = notes.split_at(notes.len().min(MOST_NOTES));
    match more.len() {
        0 => said(first),
        _ => {
            said(first)
                + &long(
                    &say!("report-more-remarks", count = more.len()),
                    &said(more),
                )
        }
    }
}

/// A sweep under two conditions, as tables of its sizes.
fn ratios(report: &HtmlReport<'_>) -> String {
    let [base, other] = report.names else {
        return String::new();
    };
    let (grids, _) = grids(report.rows.iter().map(|row| row.cell));
    let arm = |cell: &Cell| {
        let row = report
            .rows
            .iter()
            .find(|row| std::ptr::eq(row.cell, cell))?;
        Some((row.comparison.arms.get(1)?, row.comparison.unit))
    };
    let gist = |grid: &HeatGrid<'_>| {
        let standings: Vec<_> = grid
            .cells()
            .filter_map(|cell| arm(cell)?.0.standing)
            .collect();
        let count = |wanted| {
            standings
                .iter()
                .filter(|standing| **standing == wanted)
                .count()
        };
        let (faster, slower) = (count(Standing::Faster), count(Standing::Slower));
        say!(
            "report-ratio-gist",
            other = other,
            faster = faster,
            slower = slower,
            all = grid.cells().count(),
        )
    };
    let of_grid = |grid: &HeatGrid<'_>| {
        let caption = say!("report-ratio-caption", title = grid.title, base = base);
        heat::table(grid, &caption, |cell| {
            arm(cell).map_or_else(empty, |(arm, unit)| ratio_cell(arm, unit))
        })
    };
    heat::folded(&grids, gist, of_grid)
}

fn empty() -> String {
    "<td></td>".to_owned()
}

/// Sign and colour say the same.
fn ratio_cell(arm: &ComparisonArm, unit: Unit) -> String {
    let (class, sign) = match arm.standing {
        Some(Standing::Faster) => ("up", "▲ "),
        Some(Standing::Slower) => ("dn", "▼ "),
        Some(Standing::Equal) => ("eq", "= "),
        _ => ("dz", ""),
    };
    let Some((value, interval)) = speed(arm, unit) else {
        return empty();
    };
    let ends = interval.map_or_else(|| text(&say!("no-interval")), ends);
    let shown = ratio_text(value);
    format!("<td class=\"{class}\" data-ratio=\"{value}\">{sign}{shown}<small>{ends}</small></td>")
}

/// Both ends of a ratio's interval, with the figures that tell something.
pub(super) fn ends((low, high): (f64, f64)) -> String {
    format!("{} – {}", ratio_text(low), ratio_text(high))
}

/// How many times as fast, with both ends.
pub(super) fn speed(arm: &ComparisonArm, unit: Unit) -> Option<(f64, Option<(f64, f64)>)> {
    let ratio = arm.of_baseline?;
    let interval = ratio.interval.map(|i| (i.low, i.high));
    Some(match unit.less_is_better() {
        true => (
            1.0 / ratio.value,
            interval.map(|(low, high)| (1.0 / high, 1.0 / low)),
        ),
        false => (ratio.value, interval),
    })
}
