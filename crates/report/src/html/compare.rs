//! The same workloads under other conditions.

use etalon_language::{figure as local, say};
use etalon_model::{Cell, ComparisonArm, Standing, Unit};

use super::grid::{HeatGrid, MANY, grids};
use super::tag::{long, note, section as wrapped, text, wide};
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
    let heads = report.names.iter().map(|name| {
        format!(
            "<th role=\"columnheader\" scope=\"col\" class=\"r\">{}</th>",
            text(name)
        )
    });
    let rows = report.rows.iter().map(|shown| row(shown, report.names));
    let rows: String = rows.collect();
    let base = &report.names[0];
    if report.rows.is_empty() {
        return wrapped("compare", &say!("report-comparison"), &notes(report.notes));
    }
    let mut body = note(&say!("report-base-note", base = base));
    let table = format!(
        "<table class=\"res cmp\" role=\"table\"><thead role=\"rowgroup\"><tr role=\"row\"><th role=\"columnheader\" scope=\"col\">{}</th>{}<th role=\"columnheader\" scope=\"col\" class=\"r\">{}</th><th role=\"columnheader\" scope=\"col\" class=\"ver\">{}</th></tr></thead><tbody role=\"rowgroup\">{rows}</tbody></table>",
        text(&say!("report-workload")),
        heads.collect::<String>(),
        text(&say!("report-ratio", base = base)),
        text(&say!("report-verdict")),
    );
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
    let table = |grid: &HeatGrid<'_>| {
        let caption = say!("report-ratio-caption", title = grid.title, base = base);
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
        || text(&say!("no-interval")),
        |(low, high)| local(format!("{low:.2} – {high:.2}")),
    );
    let shown = local(format!("{value:.2}"));
    format!("<td class=\"{class}\" data-ratio=\"{value}\">{sign}{shown}<small>{ends}</small></td>")
}

/// A row, whose cells say on a phone what the head of their column says else.
fn row(row: &ComparedRow<'_>, names: &[String]) -> String {
    let arms = &row.comparison.arms;
    let value = |(arm, name): (&ComparisonArm, &String)| {
        let said = figure(row.cell, arm.estimate().value);
        format!(
            "<td role=\"cell\" class=\"val r\" data-l=\"{}\">{}</td>",
            text(name),
            text(&said)
        )
    };
    let values: String = arms.iter().zip(names).map(value).collect();
    let others = arms.iter().filter(|arm| arm.of_baseline.is_some());
    let ratios: Vec<String> = others
        .clone()
        .map(|arm| ratio(arm, row.comparison.unit))
        .collect();
    let standings: Vec<String> = others.map(standing).collect();
    format!(
        "<tr role=\"row\"><th role=\"rowheader\" scope=\"row\" class=\"nm\">{}</th>{values}<td role=\"cell\" class=\"pm r\" data-l=\"{}\">{}</td><td role=\"cell\" class=\"ver\" data-l=\"{}\">{}</td></tr>\n",
        text(&label(row.cell)),
        text(&say!("report-ratio", base = names[0])),
        ratios.join("<br>"),
        text(&say!("report-verdict")),
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
            let shown = local(format!("{value:.2}"));
            let ends = local(format!("{low:.2} – {high:.2}"));
            format!("<b>{shown}</b><small>{ends}</small>")
        }
        Some((value, None)) => format!(
            "{}<small>{}</small>",
            local(format!("{value:.2}")),
            text(&say!("no-interval"))
        ),
        None => String::new(),
    }
}

fn standing(arm: &ComparisonArm) -> String {
    let (class, word) = match arm.standing {
        Some(Standing::Faster) => ("valid", say!("report-faster")),
        Some(Standing::Slower) => ("invalid", say!("report-slower")),
        Some(Standing::Equal) => ("eq", say!("report-equivalent")),
        _ => ("undecided", say!("report-no-difference")),
    };
    format!("<span class=\"v v-{class}\">{}</span>", text(&word))
}
