//! The table: a row for each workload.

use etalon_language::{figure, say};
use std::fmt::Write as _;

use etalon_model::{Cell, Verdict};
use etalon_picture::Strip;
use etalon_units::{Nanos, Percent};

use super::grid::{MANY, grids};
use super::tag::{long, note, section as wrapped, sign, text};
use super::{LatencyGist, Subject, heat};
use crate::figures::{ABSENT, ends, runs_needed, verdict_word};
use crate::role::{figure_apart, label};

pub(super) fn section(subject: &Subject) -> String {
    let body = match subject.cells.len() > MANY {
        true => at_a_glance(subject),
        false => rows(subject),
    };
    wrapped("results", &say!("report-results"), &body)
}

/// Every figure as a row, with what the table shows.
fn rows(subject: &Subject) -> String {
    let table = table(subject, |_| true);
    format!("{}{table}{}", note(&say!("report-results-note")), key())
}

/// A sweep: its sizes as tables, what is in none of them as rows, and every figure as a row for whoever unfolds it.
fn at_a_glance(subject: &Subject) -> String {
    let (grids, rest) = grids(&subject.cells);
    let mut body = note(&say!("report-glance-note"));
    body.push_str(&heat::tables(&grids));
    if !grids.is_empty() {
        body.push_str(&heat::key());
    }
    let is_left = |cell: &Cell| rest.iter().any(|left| std::ptr::eq(*left, cell));
    if !grids.is_empty() && !rest.is_empty() && rest.len() <= MANY {
        body.push_str(&table(subject, is_left));
    }
    let all = subject.cells.len();
    let summary = say!("report-all-figures", count = all);
    body.push_str(&long(&summary, &rows(subject)));
    body
}

fn table(subject: &Subject, is_shown: impl Fn(&Cell) -> bool) -> String {
    let rows = subject.cells.iter().zip(&subject.latencies);
    let rows = rows.filter(|(cell, _)| is_shown(cell));
    let rows: String = rows.map(|(cell, latency)| row(cell, latency)).collect();
    format!(
        "<table class=\"res\" role=\"table\"><caption hidden>{}</caption>{}<tbody role=\"rowgroup\">{rows}</tbody></table>\n",
        text(&say!("report-results")),
        head(),
    )
}

fn head() -> String {
    let columns = [
        ("", say!("report-workload")),
        (" class=\"r\"", say!("report-result")),
        (" class=\"r\"", say!("report-interval")),
        (" class=\"st\"", say!("report-strip")),
        (" class=\"r\"", "p50".to_owned()),
        (" class=\"r\"", "p99".to_owned()),
        (" class=\"r\"", "p99.9".to_owned()),
        (" class=\"r\"", say!("report-from-device")),
        (" class=\"ver\"", say!("report-verdict")),
    ];
    let columns = columns.iter().map(|(class, name)| {
        let name = text(name);
        format!("<th role=\"columnheader\" scope=\"col\"{class}>{name}</th>")
    });
    format!(
        "<thead role=\"rowgroup\"><tr role=\"row\">{}</tr></thead>",
        columns.collect::<String>()
    )
}

/// What the signs of the verdicts mean.
fn key() -> String {
    let signs = [
        ("valid", say!("report-key-valid")),
        ("invalid", say!("report-key-invalid")),
        ("undecided", say!("report-key-undecided")),
    ];
    let signs = signs
        .iter()
        .map(|(word, meaning)| format!("<span>{}{}</span>", sign(word), text(meaning)));
    format!("<div class=\"key\">{}</div>\n", signs.collect::<String>())
}

fn row(cell: &Cell, latency: &LatencyGist) -> String {
    let word = cell.verdict.word();
    let mut row = format!(
        "<tr role=\"row\" class=\"{word}\"{}><th role=\"rowheader\" scope=\"row\" class=\"nm\">{}</th>",
        exact(cell),
        text(&label(cell)),
    );
    let (number, unit) = parts(cell, cell.estimate().value);
    let _ = write!(
        row,
        "<td role=\"cell\" class=\"val\"><b>{}</b> <span class=\"u\">{}</span></td><td role=\"cell\" class=\"pm\">{}</td><td role=\"cell\" class=\"st\">{}</td>",
        text(&number),
        text(unit),
        interval(cell),
        strip(cell),
    );
    for (name, value) in [
        ("p50", latency.p50),
        ("p99", latency.p99),
        ("p99.9", latency.p999),
    ] {
        let _ = write!(
            row,
            "<td role=\"cell\" class=\"lat\" data-l=\"{name}\">{}</td>",
            span(value)
        );
    }
    let device = cell.device_share.map(Percent::from_fraction);
    let device = device.map_or_else(|| ABSENT.to_owned(), figure);
    let _ = writeln!(
        row,
        "<td role=\"cell\" class=\"dev\" data-l=\"{}\">{device}</td><td role=\"cell\" class=\"ver\">{}</td></tr>",
        text(&say!("report-from-device")),
        verdict(cell)
    );
    row
}

/// The figures as the store has them, for whoever reads the page by a program.
fn exact(cell: &Cell) -> String {
    let estimate = cell.estimate();
    let mut data = format!(
        " data-cell=\"{}\" data-unit=\"{}\" data-value=\"{}\" data-runs=\"{}\" data-verdict=\"{}\"",
        text(&cell.name),
        cell.unit.sign(),
        estimate.value,
        estimate.runs,
        cell.verdict.word(),
    );
    if let Some(interval) = estimate.interval {
        let _ = write!(
            data,
            " data-low=\"{}\" data-high=\"{}\"",
            interval.low, interval.high
        );
    }
    data
}

/// Number and unit of a figure apart.
fn parts(cell: &Cell, value: f64) -> (String, &'static str) {
    if cell.estimate().runs == 0 {
        return (ABSENT.to_owned(), "");
    }
    let said = figure_apart(cell, value);
    (said.scaled(), said.unit)
}

fn interval(cell: &Cell) -> String {
    let estimate = cell.estimate();
    let Some((interval, half)) = estimate
        .interval
        .as_ref()
        .zip(estimate.relative_half_width())
    else {
        let needed = runs_needed(estimate);
        let why = needed.map(|needed| {
            say!(
                "count-runs-of-needed",
                count = estimate.runs,
                needed = needed
            )
        });
        return why.unwrap_or_else(|| ABSENT.to_owned());
    };
    let said = ends(interval, |value| figure_apart(cell, value)).replace(" … ", " – ");
    format!(
        "± {}<small>{}</small>",
        figure(Percent::from_fraction(half)),
        text(&said)
    )
}

fn strip(cell: &Cell) -> String {
    let estimate = cell.estimate();
    Strip {
        middle: estimate.value,
        interval: estimate.interval.map(|i| (i.low, i.high)),
        runs: &cell.values,
        verdict: cell.verdict.word(),
        label: say!("report-runs-around", count = cell.values.len()),
    }
    .svg()
}

fn verdict(cell: &Cell) -> String {
    let word = cell.verdict.word();
    let reason = match &cell.verdict {
        Verdict::Invalid { reasons } => reasons
            .first()
            .map(|code| format!("<small><a href=\"#f-{0}\">{0}</a></small>", text(code))),
        Verdict::Undecided { needed: Some(time) } => Some(format!(
            "<small>{}</small>",
            text(&say!("report-needs-more", time = time))
        )),
        _ => None,
    };
    let runs = say!("count-runs", count = cell.estimate().runs);
    let runs = format!("<small>{}</small>", text(&runs));
    format!(
        "{}<span class=\"v v-{word}\">{}</span>{}",
        sign(word),
        text(&verdict_word(&cell.verdict)),
        reason.unwrap_or(runs)
    )
}

fn span(latency: Option<Nanos>) -> String {
    latency.map_or_else(|| ABSENT.to_owned(), figure)
}
