//! Many figures at a glance: for each operation a table of sizes, shaded by the figures, which a phone scrolls
//! sideways under a column that stays.

use etalon_language::{figure as local, say};
use std::fmt::Write as _;

use etalon_model::Cell;
use etalon_units::{Bytes, Percent};

use super::grid::HeatGrid;
use super::measure::{Measure, tick};
use super::tag::{text, wide};
use crate::figures::runs_needed;
use crate::role::figure;

/// Shades, the palest and the darkest included; the style sheet has one for each.
const SHADES: f64 = 12.0;
/// Up to so many tables all are open.
const OPEN: usize = 3;
/// Wider intervals than this share of the figure make it doubtful.
const WIDE_INTERVAL: f64 = 0.25;

/// Whether a figure is not to be relied on: not valid, or known to no better than a quarter.
pub(super) fn is_doubtful(cell: &Cell) -> bool {
    let half = cell.estimate().relative_half_width();
    !cell.verdict.is_valid() || half.is_none_or(|half| half > WIDE_INTERVAL)
}

/// The figures of all grids, the first few open.
pub(super) fn tables(grids: &[HeatGrid<'_>]) -> String {
    let of = |grid: &HeatGrid<'_>| {
        let most = grid.cells().map(|cell| cell.estimate().value);
        let most = most.filter(|value| value.is_finite()).fold(0.0, f64::max);
        let measure = grid.cells().next().map(|first| Measure::of(first, most));
        let Some(measure) = measure else {
            return String::new();
        };
        let caption = say!(
            "report-grid-caption",
            title = grid.title,
            unit = measure.name()
        );
        table(grid, &caption, |cell| value(cell, measure, most))
    };
    folded(grids, gist, of)
}

/// A table for each grid, below what is said of it; of many all but the first are folded away.
pub(super) fn folded(
    grids: &[HeatGrid<'_>],
    gist: impl Fn(&HeatGrid<'_>) -> String,
    table: impl Fn(&HeatGrid<'_>) -> String,
) -> String {
    let mut said = String::new();
    for (n, grid) in grids.iter().enumerate() {
        let open = if grids.len() > OPEN && n > 0 {
            ""
        } else {
            " open"
        };
        let _ = writeln!(
            said,
            "<details class=\"grid\"{open}><summary><b>{}</b> <small>{}</small></summary>{}</details>",
            text(&grid.title),
            text(&gist(grid)),
            table(grid)
        );
    }
    said
}

/// `4.0 MiB/s – 2.1 GiB/s, 128 of 130 valid`.
fn gist(grid: &HeatGrid<'_>) -> String {
    let by_value = |a: &&Cell, b: &&Cell| a.estimate().value.total_cmp(&b.estimate().value);
    let measured = || grid.cells().filter(|cell| cell.estimate().runs > 0);
    let (Some(low), Some(high)) = (measured().min_by(by_value), measured().max_by(by_value)) else {
        return say!("not-measured");
    };
    let all = grid.cells().count();
    let valid = grid.cells().filter(|cell| cell.verdict.is_valid()).count();
    let said = |cell: &Cell| figure(cell, cell.estimate().value);
    say!(
        "report-grid-gist",
        low = said(low),
        high = said(high),
        valid = valid,
        all = all
    )
}

/// A grid as a table, whose `cell`s are HTML.
pub(super) fn table(grid: &HeatGrid<'_>, caption: &str, cell: impl Fn(&Cell) -> String) -> String {
    let columns = grid.columns.iter();
    let heads: String = columns
        .map(|column| {
            format!(
                "<th scope=\"col\">{}</th>",
                text(&grid.column_name(*column))
            )
        })
        .collect();
    let mut rows = String::new();
    for row in &grid.rows {
        let _ = write!(rows, "<tr><th scope=\"row\">{}</th>", local(Bytes(*row)));
        for column in &grid.columns {
            let found = grid.at(*row, *column);
            rows.push_str(&found.map_or_else(|| "<td></td>".to_owned(), &cell));
        }
        rows.push_str("</tr>\n");
    }
    let table = format!(
        "<table class=\"heat\"><caption>{}</caption><thead><tr><th scope=\"col\">{}</th>{heads}</tr></thead>\
         <tbody>{rows}</tbody></table>",
        text(caption),
        text(&say!("report-record")),
    );
    wide(&grid.title, &table)
}

fn value(cell: &Cell, measure: Measure, most: f64) -> String {
    let estimate = cell.estimate();
    if estimate.runs == 0 {
        return "<td>–</td>".to_owned();
    }
    let class = match (&cell.verdict, is_doubtful(cell)) {
        (verdict, _) if verdict.is_invalid() => "dz iv".to_owned(),
        (_, true) => "dz".to_owned(),
        _ => format!("h{}", shade(estimate.value, most)),
    };
    format!(
        "<td class=\"{class}\" data-figure=\"{}\"><b>{}</b><small>{}</small></td>",
        estimate.value,
        short(measure.scaled(estimate.value)),
        spread(cell)
    )
}

/// From the palest, 0, to the darkest.
fn shade(value: f64, most: f64) -> u32 {
    let share = value / most.max(f64::MIN_POSITIVE);
    (share.clamp(0.0, 1.0) * SHADES).round() as u32
}

/// Three digits, as the ± below it leaves no more to tell, and two of what is small beside the largest figure: only 0 is 0.
pub(super) fn short(value: f64) -> String {
    let decimals = match value.abs() {
        v if v >= 100.0 => return tick(value.round()),
        v if v >= 10.0 => 1,
        v if v >= 0.1 || v == 0.0 => 2,
        v => 1 + (-v.log10()).ceil() as usize,
    };
    local(format!("{value:.decimals$}"))
}

/// `± 3 %`, or how many runs there are of how many.
fn spread(cell: &Cell) -> String {
    let estimate = cell.estimate();
    match (estimate.relative_half_width(), runs_needed(estimate)) {
        (Some(half), _) => format!("± {}", local(Percent::from_fraction(half))),
        (None, Some(needed)) => say!("count-runs-of", count = estimate.runs, needed = needed),
        (None, None) => say!("no-interval"),
    }
}

/// What hatching and colours of the tables mean.
pub(super) fn key() -> String {
    format!(
        "<div class=\"key\"><span>{}</span><span class=\"dz\">{}</span><span class=\"dz iv\"><b>{}</b>: {}</span></div>\n",
        text(&say!("report-grid-key-shade")),
        text(&say!("report-grid-key-hatched")),
        text(&say!("report-grid-key-struck")),
        text(&say!("verdict-invalid")),
    )
}
