//! Every run: as a dot in the order in which it was made, and as a line of a table.

use std::fmt::Write as _;

use etalon_model::{Cell, RunHeadline};
use etalon_picture::{Axis, Dot, Plateau, Scale, Series, XyChart, inline};
use etalon_units::{ByteRate, Nanos, OpRate};

use super::Subject;
use super::grid::MANY;
use super::measure::{Measure, tick};
use super::tag::{long, note, section as wrapped, text};
use crate::figures::ABSENT;
use crate::role::{figure, label};

/// More charts of single workloads than these are not looked at.
const MOST_CHARTS: usize = MANY;

/// Beyond so many runs the table is left to `etalon export`.
const MOST_RUNS: usize = 12_000;

/// A chart for each workload, every run a dot.
pub(super) fn dots(subject: &Subject) -> String {
    let shown = subject.cells.iter().take(MOST_CHARTS);
    let charts: String = shown.map(chart).collect();
    let left = subject.cells.len().saturating_sub(MOST_CHARTS);
    let left = match left {
        0 => String::new(),
        left => note(&format!(
            "{left} further workloads stand in the table above, every run a dot."
        )),
    };
    let said = note(
        "From left to right in the order in which they were made, from 0 at the foot; the band is the 95 % interval.",
    );
    let charts = format!("<div class=\"minis\">{charts}</div>\n");
    let body = match subject.cells.len() > MANY {
        true => format!(
            "{}{left}",
            long(
                &format!("The first {MOST_CHARTS} workloads, every run a dot"),
                &(said + &charts)
            )
        ),
        false => said + &charts + &left,
    };
    wrapped("each", "Each run in its order", &body)
}

fn chart(cell: &Cell) -> String {
    let drawing = of_cell(cell).draw(330.0, 132.0);
    format!(
        "<div class=\"mini\"><h3>{} <small>{}</small></h3>{}</div>\n",
        text(&label(cell)),
        text(&figure(cell, cell.estimate().value)),
        inline(
            &drawing,
            "m",
            &format!("{} runs of {}", cell.values.len(), label(cell))
        )
    )
}

fn of_cell(cell: &Cell) -> XyChart<'static> {
    let most = cell.values.iter().copied().fold(0.0, f64::max);
    let measure = Measure::of(cell, most);
    let doubtful = !cell.verdict.is_valid();
    let dots = cell.values.iter().enumerate().map(|(n, value)| Dot {
        x: n as f64 + 1.0,
        y: measure.scaled(*value),
        tip: format!("run {}: {}", n + 1, figure(cell, *value)),
        doubtful,
    });
    let last = cell.values.len().max(1) as f64 + 0.5;
    let estimate = cell.estimate();
    let plateau = estimate.interval.map(|interval| Plateau {
        span: (0.5, last),
        level: measure.scaled(estimate.value),
        band: (measure.scaled(interval.low), measure.scaled(interval.high)),
        name: String::new(),
    });
    let mut runs = Scale::from_zero([last]);
    (runs.low, runs.high) = (0.5, last);
    XyChart {
        x: Axis {
            scale: runs,
            title: "run",
            format: tick,
        },
        y: Axis {
            scale: Scale::from_zero(cell.values.iter().map(|v| measure.scaled(*v))),
            title: measure.unit,
            format: tick,
        },
        series: vec![Series {
            dots: dots.collect(),
            ..Series::default()
        }],
        zones: Vec::new(),
        cuts: Vec::new(),
        plateaus: plateau.into_iter().collect(),
    }
}

/// Every run, a line each.
pub(super) fn table(subjects: &[Subject]) -> String {
    let count: usize = subjects.iter().map(|subject| subject.runs.len()).sum();
    if count > MOST_RUNS {
        let said = format!("{count} runs: `etalon export ID --csv` has them, a line each.");
        return wrapped("runs", "Every run", &note(&said));
    }
    let mut rows = String::new();
    for subject in subjects {
        for (cell, run) in &subject.runs {
            row(subject, &subject.cells[*cell], run, &mut rows);
        }
    }
    let head = [
        "experiment",
        "run",
        "workload",
        "block",
        "at",
        "lasted",
        "per second",
        "bytes",
        "p50",
        "p99",
        "longest",
    ];
    let head: String = head
        .iter()
        .map(|name| format!("<th scope=\"col\">{name}</th>"))
        .collect();
    let body = format!(
        "<details><summary>{count} runs in the order in which they were made</summary><div class=\"tab\"><table class=\"runs\"><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div></details>\n",
    );
    wrapped("runs", "Every run", &body)
}

fn row(subject: &Subject, cell: &Cell, run: &RunHeadline, rows: &mut String) {
    let begun = subject.header().begun.started_unix_ns;
    let at = Nanos(run.started_unix_ns.saturating_sub(begun).unsigned_abs());
    let bytes = match run.bytes_per_s > 0.0 {
        true => ByteRate(run.bytes_per_s).to_string(),
        false => ABSENT.to_owned(),
    };
    // Zero is what another program did not tell.
    let operations = match run.operations_per_s > 0.0 {
        true => OpRate(run.operations_per_s).figure("op/s").scaled(),
        false => ABSENT.to_owned(),
    };
    let lasted = match run.duration {
        Nanos::ZERO => ABSENT.to_owned(),
        duration => duration.to_string(),
    };
    let span = |ns: Option<Nanos>| ns.map_or_else(|| ABSENT.to_owned(), |ns| ns.to_string());
    let _ = writeln!(
        rows,
        "<tr><td>{}<td>{}<td class=\"l\">{}<td>{}<td>{at}<td>{}<td>{}<td>{bytes}<td>{}<td>{}<td>{}",
        subject.header().id,
        run.position + 1,
        text(&label(cell)),
        run.block + 1,
        lasted,
        operations,
        span(run.p50),
        span(run.p99),
        span(run.max),
    );
}
