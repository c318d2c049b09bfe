//! Every run: as a dot in the order in which it was made, and as a line of a table.

use etalon_language::{figure as local, localized, say};
use std::fmt::Write as _;

use etalon_model::{Cell, RunHeadline};
use etalon_picture::{Annotations, Axis, Dot, Drawing, Plateau, Scale, Series, XyChart, inline};
use etalon_units::{ByteRate, Nanos, OpRate};

use super::Subject;
use super::grid::MANY;
use super::measure::{Measure, tick};
use super::tag::{long, note, section as wrapped, text, wide};
use crate::figures::ABSENT;
use crate::role::{figure, label};

/// More charts of single workloads than these are not looked at.
const MOST_CHARTS: usize = MANY;

/// Beyond so many runs the table is left to `etalon export`.
const MOST_RUNS: usize = 12_000;

/// A chart for each workload, every run a dot.
pub(super) fn dots(subject: &Subject) -> String {
    let shown = subject.cells.iter().take(MOST_CHARTS);
    let charts: String = shown.map(|cell| chart(subject, cell)).collect();
    let left = subject.cells.len().saturating_sub(MOST_CHARTS);
    let left = match left {
        0 => String::new(),
        left => note(&say!("report-dots-left", count = left)),
    };
    let said = note(&say!("report-dots-note"));
    let charts = format!("<div class=\"minis\">{charts}</div>\n");
    let body = match subject.cells.len() > MANY {
        true => format!(
            "{}{left}",
            long(
                &say!("report-dots-first", count = MOST_CHARTS),
                &(said + &charts)
            )
        ),
        false => said + &charts + &left,
    };
    wrapped("each", &say!("report-each-heading"), &body)
}

fn chart(subject: &Subject, cell: &Cell) -> String {
    format!(
        "<div class=\"mini\"><h3>{} <small>{}</small></h3>{}</div>\n",
        text(&label(cell)),
        text(&figure(cell, cell.estimate().value)),
        inline(
            &drawing(cell, &subject.run_numbers(cell)),
            "m",
            &say!(
                "report-runs-of-row",
                count = cell.values.len(),
                row = label(cell)
            )
        )
    )
}

/// The dots of a cell, each at the number of its run.
fn drawing(cell: &Cell, numbers: &[u32]) -> Drawing {
    let estimate = cell.estimate();
    let most = cell.values.iter().copied().fold(0.0, f64::max);
    let measure = Measure::of(cell, most);
    let interval = estimate
        .interval
        .map(|interval| [interval.low, interval.high]);
    let reached = cell.values.iter().chain(interval.iter().flatten());
    let doubtful = !cell.verdict.is_valid();
    let dots = numbers.iter().zip(&cell.values).map(|(number, value)| Dot {
        x: f64::from(*number),
        y: measure.scaled(*value),
        tip: tip(*number, figure(cell, *value)),
        doubtful,
    });
    let (first, last) = ends(numbers);
    let plateau = estimate.interval.map(|interval| Plateau {
        span: (first, last),
        level: measure.scaled(estimate.value),
        band: (measure.scaled(interval.low), measure.scaled(interval.high)),
        name: String::new(),
    });
    let mut runs = Scale::from_zero([last]);
    (runs.low, runs.high) = (first, last);
    let chart = XyChart {
        x: Axis {
            scale: runs,
            title: &say!("report-run-axis"),
            format: tick,
        },
        y: Axis {
            scale: Scale::from_zero(reached.map(|value| measure.scaled(*value))),
            title: &measure.name(),
            format: tick,
        },
        series: vec![Series {
            dots: dots.collect(),
            ..Series::default()
        }],
        annotations: Annotations {
            plateaus: plateau.into_iter().collect(),
            ..Annotations::default()
        },
    };
    chart.draw(330.0, 132.0)
}

/// What is told of a run, by the number that the table of all runs has for it.
pub(super) fn tip(number: u32, figure: String) -> String {
    say!(
        "report-run-tip",
        number = number.to_string(),
        figure = figure
    )
}

/// Half a run before the first and behind the last.
fn ends(numbers: &[u32]) -> (f64, f64) {
    let first = numbers.iter().min().copied().unwrap_or(1);
    let last = numbers.iter().max().copied().unwrap_or(1);
    (f64::from(first) - 0.5, f64::from(last) + 0.5)
}

/// Every run, a line each.
pub(super) fn table(subjects: &[Subject]) -> String {
    let count: usize = subjects.iter().map(|subject| subject.runs.len()).sum();
    if count > MOST_RUNS {
        let said = say!("report-runs-exported", count = count);
        return wrapped("runs", &say!("report-runs"), &note(&said));
    }
    let mut rows = String::new();
    for subject in subjects {
        for (cell, run) in &subject.runs {
            row(subject, &subject.cells[*cell], run, &mut rows);
        }
    }
    let head = [
        say!("report-runs-experiment"),
        say!("report-runs-run"),
        say!("report-workload"),
        say!("report-runs-block"),
        say!("report-runs-at"),
        say!("report-runs-lasted"),
        say!("report-runs-per-second"),
        say!("report-runs-bytes"),
        "p50".to_owned(),
        "p99".to_owned(),
        say!("report-runs-longest"),
    ];
    let head: String = head
        .iter()
        .map(|name| format!("<th scope=\"col\">{}</th>", text(name)))
        .collect();
    let table = format!(
        "<table class=\"runs\"><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"
    );
    let body = format!(
        "<details><summary>{}</summary>{}</details>\n",
        text(&say!("report-runs-summary", count = count)),
        wide(&say!("report-runs"), &table),
    );
    wrapped("runs", &say!("report-runs"), &body)
}

fn row(subject: &Subject, cell: &Cell, run: &RunHeadline, rows: &mut String) {
    let begun = subject.header().begun.started_unix_ns;
    let at = Nanos(run.started_unix_ns.saturating_sub(begun).unsigned_abs());
    let bytes = match run.bytes_per_s > 0.0 {
        true => local(ByteRate(run.bytes_per_s)),
        false => ABSENT.to_owned(),
    };
    // Zero is what another program did not tell.
    let operations = match run.operations_per_s > 0.0 {
        true => localized(OpRate(run.operations_per_s).figure("IOPS")).scaled(),
        false => ABSENT.to_owned(),
    };
    let lasted = match run.duration {
        Nanos::ZERO => ABSENT.to_owned(),
        duration => local(duration),
    };
    let span = |ns: Option<Nanos>| ns.map_or_else(|| ABSENT.to_owned(), local);
    let left_out = match subject.counts(run.position) {
        true => String::new(),
        false => format!(" <small>{}</small>", text(&say!("report-runs-left-out"))),
    };
    let _ = writeln!(
        rows,
        "<tr><td>{}<td>{}<td class=\"l\">{}{left_out}<td>{}<td>{}<td>{}<td>{}<td>{bytes}<td>{}<td>{}<td>{}",
        subject.header().id,
        run.position + 1,
        text(&label(cell)),
        run.block + 1,
        local(at),
        lasted,
        operations,
        span(run.p50),
        span(run.p99),
        span(run.max),
    );
}

#[cfg(test)]
mod tests {
    use etalon_picture::{Class, Shape};

    use super::drawing;
    use crate::samples::cells;

    #[test]
    fn an_interval_that_reaches_beyond_its_runs_is_drawn_whole() {
        let mut cell = cells().remove(0);
        if let Some(interval) = &mut cell.mean.interval {
            interval.high = cell.mean.value * 3.0;
        }
        let numbers: Vec<u32> = (1..).take(cell.values.len()).collect();
        let drawn = drawing(&cell, &numbers);
        let ends = |class| {
            let marks = drawn.marks.iter().filter(move |mark| mark.class == class);
            marks.filter_map(|mark| match &mark.shape {
                Shape::Rect { at, .. } => Some(at.y),
                Shape::Path { points, .. } => Some(points.first()?.y),
                _ => None,
            })
        };
        // The axis ends at a round figure, at which a line of the grid stands.
        let highest = ends(Class::Grid).fold(f64::INFINITY, f64::min);
        let band = ends(Class::Band).next().unwrap();
        assert!(band >= highest, "{band} {highest}");
    }
}
