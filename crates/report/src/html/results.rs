//! The table: a row for each workload.

use std::fmt::Write as _;

use etalon_model::{Cell, Verdict};
use etalon_picture::Strip;
use etalon_units::{Nanos, Percent};

use super::grid::{MANY, grids};
use super::tag::{long, note, section as wrapped, sign, text};
use super::{LatencyGist, Subject, heat};
use crate::figures::{ABSENT, ends, runs_needed};
use crate::role::{figure_apart, label};

pub(super) fn section(subject: &Subject) -> String {
    let body = match subject.cells.len() > MANY {
        true => at_a_glance(subject),
        false => format!("{}{}{KEY}", note(WHAT), table(subject, |_| true)),
    };
    wrapped("results", "Results", &body)
}

const WHAT: &str = "The result is the median of the runs, ± half its 95 % interval; of older experiments it may be the mean. Every dot is a run.";

/// A sweep: its sizes as tables, what is in none of them as rows, and every figure as a row for whoever unfolds it.
fn at_a_glance(subject: &Subject) -> String {
    let (grids, rest) = grids(&subject.cells);
    let mut body = note("Each figure is the median of the runs, ± half its 95 % interval.");
    body.push_str(&heat::tables(&grids));
    if !grids.is_empty() {
        body.push_str(heat::KEY);
    }
    let is_left = |cell: &Cell| rest.iter().any(|left| std::ptr::eq(*left, cell));
    if !grids.is_empty() && !rest.is_empty() && rest.len() <= MANY {
        body.push_str(&table(subject, is_left));
    }
    let all = subject.cells.len();
    let rows = format!("{}{}{KEY}", note(WHAT), table(subject, |_| true));
    body.push_str(&long(
        &format!("All {all} figures, a row each: interval, runs, latencies, verdict"),
        &rows,
    ));
    body
}

fn table(subject: &Subject, is_shown: impl Fn(&Cell) -> bool) -> String {
    let rows = subject.cells.iter().zip(&subject.latencies);
    let rows = rows.filter(|(cell, _)| is_shown(cell));
    let rows: String = rows.map(|(cell, latency)| row(cell, latency)).collect();
    format!(
        "<table class=\"res\" role=\"table\"><caption hidden>Results</caption>{HEAD}<tbody role=\"rowgroup\">{rows}</tbody></table>\n"
    )
}

const HEAD: &str = "<thead role=\"rowgroup\"><tr role=\"row\">\
<th role=\"columnheader\" scope=\"col\">workload</th><th role=\"columnheader\" scope=\"col\" class=\"r\">result</th>\
<th role=\"columnheader\" scope=\"col\" class=\"r\">95 % interval</th>\
<th role=\"columnheader\" scope=\"col\" class=\"st\">runs, 0 to 200 % of the row’s result</th>\
<th role=\"columnheader\" scope=\"col\" class=\"r\">p50</th><th role=\"columnheader\" scope=\"col\" class=\"r\">p99</th>\
<th role=\"columnheader\" scope=\"col\" class=\"r\">p99.9</th><th role=\"columnheader\" scope=\"col\" class=\"r\">from device</th>\
<th role=\"columnheader\" scope=\"col\" class=\"ver\">verdict</th></tr></thead>";

const KEY: &str = "<div class=\"key\"><span><svg class=\"mk v-valid\" aria-hidden=\"true\"><use href=\"#m-valid\"/></svg>valid: nothing contradicts the figure</span>\
<span><svg class=\"mk v-invalid\" aria-hidden=\"true\"><use href=\"#m-invalid\"/></svg>invalid: something else was measured</span>\
<span><svg class=\"mk v-undecided\" aria-hidden=\"true\"><use href=\"#m-undecided\"/></svg>undecided: too few runs for an interval</span></div>\n";

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
    let device = device.map_or_else(|| ABSENT.to_owned(), |share| share.to_string());
    let _ = writeln!(
        row,
        "<td role=\"cell\" class=\"dev\" data-l=\"from device\">{device}</td><td role=\"cell\" class=\"ver\">{}</td></tr>",
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
        let why = needed.map(|needed| format!("none: {} of {needed} runs", estimate.runs));
        return why.unwrap_or_else(|| ABSENT.to_owned());
    };
    let said = ends(interval, |value| figure_apart(cell, value)).replace(" … ", " – ");
    format!(
        "± {}<small>{}</small>",
        Percent::from_fraction(half),
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
        label: format!("{} runs around the result", cell.values.len()),
    }
    .svg()
}

fn verdict(cell: &Cell) -> String {
    let word = cell.verdict.word();
    let reason = match &cell.verdict {
        Verdict::Invalid { reasons } => reasons
            .first()
            .map(|code| format!("<small><a href=\"#f-{0}\">{0}</a></small>", text(code))),
        Verdict::Undecided { needed: Some(time) } => {
            Some(format!("<small>needs {time} more</small>"))
        }
        _ => None,
    };
    let runs = format!("<small>{} runs</small>", cell.estimate().runs);
    format!(
        "{}<span class=\"v v-{word}\">{word}</span>{}",
        sign(word),
        reason.unwrap_or(runs)
    )
}

fn span(latency: Option<Nanos>) -> String {
    latency.map_or_else(|| ABSENT.to_owned(), |ns| ns.to_string())
}
