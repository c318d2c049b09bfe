//! The same workloads under other conditions.

use etalon_model::{Cell, ComparisonArm, Standing, Unit};

use super::grid::{Grid, MANY, grids};
use super::tag::{long, note, section as wrapped, text};
use super::{HtmlReport, heat};
use crate::comparison::{self, ComparedRow};
use crate::role::{figure, label};

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
    let heads = report
        .names
        .iter()
        .map(|name| format!("<th scope=\"col\" class=\"r\">{}</th>", text(name)));
    let rows: String = report.rows.iter().map(row).collect();
    let base = &report.names[0];
    if report.rows.is_empty() {
        return wrapped("compare", "Comparison", &notes(report.notes));
    }
    let mut body = note(&format!(
        "{base} is 1.00. A ratio above 1 is faster than {base}, with its 95 % interval."
    ));
    let table = format!(
        "<div class=\"tab\"><table class=\"res cmp\"><thead><tr><th scope=\"col\">workload</th>{}<th scope=\"col\" class=\"r\">ratio, {} = 1</th><th scope=\"col\" class=\"ver\">verdict</th></tr></thead><tbody>{rows}</tbody></table></div>\n",
        heads.collect::<String>(),
        text(base),
    );
    body.push_str(&match report.rows.len() > MANY {
        true => {
            ratios(report)
                + &long(
                    &format!("All {} workloads, a row each", report.rows.len()),
                    &table,
                )
        }
        false => table,
    });
    body.push_str(&notes(report.notes));
    wrapped("compare", "Comparison", &body)
}

/// What is said of the rows; of many the first.
fn notes(notes: &[String]) -> String {
    let said = |notes: &[String]| notes.iter().map(|said| note(said)).collect::<String>();
    let (first, more) = notes.split_at(notes.len().min(MOST_NOTES));
    match more.len() {
        0 => said(first),
        _ => said(first) + &long(&format!("{} more remarks", more.len()), &said(more)),
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
    let gist = |grid: &Grid<'_>| {
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
        format!(
            "{other} faster at {faster} sizes, slower at {slower}, of {}",
            grid.cells().count()
        )
    };
    let table = |grid: &Grid<'_>| {
        let caption = format!(
            "{}: times as fast as {base}, with the 95 % interval",
            grid.title
        );
        heat::table(grid, &caption, |cell| {
            arm(cell).map_or_else(empty, |(arm, unit)| ratio_cell(arm, unit))
        })
    };
    heat::folded(&grids, gist, table)
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
    let ends = interval.map_or_else(
        || "no interval".to_owned(),
        |(low, high)| format!("{low:.2} – {high:.2}"),
    );
    format!(
        "<td class=\"{class}\" data-ratio=\"{value}\">{sign}{value:.2}<small>{ends}</small></td>"
    )
}

fn row(row: &ComparedRow<'_>) -> String {
    let arms = &row.comparison.arms;
    let values: String = arms
        .iter()
        .map(|arm| {
            let said = figure(row.cell, arm.estimate().value);
            format!("<td class=\"val r\">{}</td>", text(&said))
        })
        .collect();
    let others = arms.iter().filter(|arm| arm.of_baseline.is_some());
    let ratios: Vec<String> = others
        .clone()
        .map(|arm| ratio(arm, row.comparison.unit))
        .collect();
    let standings: Vec<String> = others.map(standing).collect();
    format!(
        "<tr><th scope=\"row\" class=\"nm\">{}</th>{values}<td class=\"pm r\">{}</td><td class=\"ver\">{}</td></tr>\n",
        text(&label(row.cell)),
        ratios.join("<br>"),
        standings.join("<br>"),
    )
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

fn ratio(arm: &ComparisonArm, unit: Unit) -> String {
    match speed(arm, unit) {
        Some((value, Some((low, high)))) => {
            format!("<b>{value:.2}</b><small>{low:.2} – {high:.2}</small>")
        }
        Some((value, None)) => format!("{value:.2}<small>no interval</small>"),
        None => String::new(),
    }
}

fn standing(arm: &ComparisonArm) -> String {
    let (class, word) = match arm.standing {
        Some(Standing::Faster) => ("valid", "faster"),
        Some(Standing::Slower) => ("invalid", "slower"),
        Some(Standing::Equal) => ("eq", "equivalent"),
        _ => ("undecided", "no difference shown"),
    };
    format!("<span class=\"v v-{class}\">{word}</span>")
}
