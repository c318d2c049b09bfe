//! What each column of the table shows, and how early it is left out where the width is short.

use std::collections::HashMap;

use etalon_language::{figure as local, say};
use etalon_model::{Cell, Ended, Measurement, Run, RunsByCell, TaskFigure, Verdict};
use etalon_stats::{Level, Sample, Summary};
use etalon_units::{Nanos, Percent};

use super::memory::MEMORY;
use super::meters;
use crate::figures::{ABSENT, ends, runs_needed, verdict_word};
use crate::grid::Side;
use crate::median::median;
use crate::role::{figure, figure_apart, label};

/// One line of the table.
pub(crate) struct TableRow<'a> {
    pub(crate) cell: &'a Cell,
    /// The cell's runs, for what no cell holds; may be missing.
    pub(crate) runs: Vec<&'a Run>,
    /// The mark of the first remark below the table that is about it.
    pub(crate) remarked: Option<&'static str>,
}

/// The cells with the runs that bear their names.
pub(crate) fn rows<'a>(
    cells: &'a [Cell],
    runs: &RunsByCell<'a>,
    remarked: &HashMap<&str, &'static str>,
) -> Vec<TableRow<'a>> {
    let row = |cell: &'a Cell| TableRow {
        cell,
        runs: runs.named(&cell.name).to_vec(),
        remarked: remarked.get(&*cell.name).copied(),
    };
    cells.iter().map(row).collect()
}

/// A column of the table.
#[derive(Clone, Copy)]
pub(crate) struct Column {
    pub(crate) heading: fn() -> String,
    /// Columns of a higher rank are left out first; those of rank 0 always stand.
    pub(crate) rank: u8,
    pub(crate) show: Show,
    pub(crate) side: Side,
}

/// What stands in a line.
type Show = fn(&TableRow<'_>) -> String;

/// Of figures.
const fn column(heading: fn() -> String, rank: u8, show: Show) -> Column {
    Column {
        heading,
        rank,
        show,
        side: Side::Right,
    }
}

/// Of names, marks or verdicts.
const fn words(heading: fn() -> String, rank: u8, show: Show) -> Column {
    Column {
        side: Side::Left,
        ..column(heading, rank, show)
    }
}

/// Only where all columns are asked for.
pub(crate) const DETAIL: u8 = 100;

/// Only where all columns are asked for and the machine has such a meter.
pub(crate) const METER: u8 = 101;

/// The columns of these cells, from left to right.
pub(crate) fn columns(cells: &[Cell]) -> &'static [Column] {
    let task = cells.first().and_then(|cell| cell.workload.task());
    match task.map(|task| task.figure) {
        None | Some(TaskFigure::Rate) => &RATES,
        Some(TaskFigure::Throughput) => &TESTS,
        Some(TaskFigure::Time) => &STEPS,
    }
}

const NAME: Column = words(String::new, 0, |row| label(row.cell));
const RESULT: Column = column(|| say!("column-result"), 0, result);
const PLUS_MINUS: Column = column(|| "±".to_owned(), 0, plus_minus);
const INTERVAL: Column = column(|| say!("column-interval"), 6, interval);
const MEAN: Column = column(
    || say!("column-mean"),
    DETAIL,
    |row| figure(row.cell, row.cell.mean.value),
);
const MEDIAN: Column = column(
    || say!("column-median"),
    DETAIL,
    |row| figure(row.cell, row.cell.median.value),
);
const RUNS: Column = column(
    || say!("column-runs"),
    3,
    |row| row.cell.median.runs.to_string(),
);
const CPU: Column = column(
    || say!("column-cpu"),
    METER,
    |row| meters::shown(&row.runs, meters::CPU),
);
const POWER: Column = column(
    || say!("column-power"),
    METER,
    |row| meters::shown(&row.runs, meters::POWER),
);
const HEAT: Column = column(
    || say!("column-heat"),
    METER,
    |row| meters::shown(&row.runs, meters::HEAT),
);
const MARK: Column = words(String::new, 0, mark);
const VERDICT: Column = words(|| say!("column-verdict"), 8, verdict);

const SD: Column = column(
    || "SD".to_owned(),
    DETAIL,
    |row| spread(row, |s| s.sd).map_or_else(absent, |sd| figure(row.cell, sd)),
);
const CV: Column = column(
    || "CV".to_owned(),
    DETAIL,
    |row| spread(row, |s| s.cv).map_or_else(absent, |cv| local(Percent::from_fraction(cv))),
);

const RATES: [Column; 20] = [
    NAME,
    RESULT,
    PLUS_MINUS,
    INTERVAL,
    MEAN,
    MEDIAN,
    SD,
    CV,
    column(|| "p50".to_owned(), 2, |row| tail(row, 0.5)),
    column(|| "p95".to_owned(), DETAIL, |row| tail(row, 0.95)),
    column(|| "p99".to_owned(), 1, |row| tail(row, 0.99)),
    column(|| "p99.9".to_owned(), 4, |row| tail(row, 0.999)),
    column(|| "p99.99".to_owned(), DETAIL, |row| tail(row, 0.9999)),
    column(|| say!("column-device"), 7, device_share),
    CPU,
    POWER,
    HEAT,
    RUNS,
    MARK,
    VERDICT,
];

const TESTS: [Column; 14] = [
    NAME, RESULT, PLUS_MINUS, INTERVAL, MEAN, MEDIAN, SD, CV, CPU, POWER, HEAT, RUNS, MARK, VERDICT,
];

const STEPS: [Column; 18] = [
    words(|| say!("column-step"), 0, |row| label(row.cell)),
    RESULT,
    PLUS_MINUS,
    INTERVAL,
    MEAN,
    MEDIAN,
    SD,
    CV,
    column(
        || say!("column-returned"),
        4,
        |row| median_of(row, |m| Some(returned(m))),
    ),
    column(
        || say!("column-user"),
        1,
        |row| median_of(row, |m| m.cpu_user),
    ),
    column(
        || say!("column-system"),
        2,
        |row| median_of(row, |m| m.cpu_system),
    ),
    column(|| say!("column-wait"), 5, |row| median_of(row, wait)),
    CPU,
    POWER,
    HEAT,
    RUNS,
    MARK,
    VERDICT,
];

/// The figure that the interval belongs to.
fn result(row: &TableRow<'_>) -> String {
    let estimate = row.cell.estimate();
    match estimate.runs {
        0 => ABSENT.to_owned(),
        _ => figure(row.cell, estimate.value),
    }
}

/// Half the interval's width, or a question mark with what is missing.
pub(crate) fn plus_minus(row: &TableRow<'_>) -> String {
    let estimate = row.cell.estimate();
    match (estimate.relative_half_width(), runs_needed(estimate)) {
        (Some(half), _) => local(Percent::from_fraction(half)),
        (None, Some(needed)) => {
            say!("page-few-of", count = estimate.runs, needed = needed)
        }
        (None, None) => "?".to_owned(),
    }
}

fn interval(row: &TableRow<'_>) -> String {
    let of = row.cell.estimate().interval.as_ref();
    of.map_or_else(
        || ABSENT.to_owned(),
        |interval| ends(interval, |value| figure_apart(row.cell, value)),
    )
}

fn absent() -> String {
    ABSENT.to_owned()
}

/// How far the runs lie apart; `None` below two of them.
fn spread(row: &TableRow<'_>, of: fn(&Summary) -> Option<f64>) -> Option<f64> {
    let sample = Sample::new(row.cell.values.clone()).ok()?;
    of(&sample.summary(Level::REPORTED))
}

/// The verdict with its reason.
fn verdict(row: &TableRow<'_>) -> String {
    match &row.cell.verdict {
        Verdict::Invalid { reasons } => {
            say!("page-verdict-invalid", reasons = reasons.join(", "))
        }
        Verdict::Undecided { needed: Some(time) } => say!("page-verdict-needs", time = time),
        other => verdict_word(other),
    }
}

/// `✗` invalid, `!` see the remark, `~` wider than was asked for, `m` memory took it.
fn mark(row: &TableRow<'_>) -> String {
    let is_wide = row.cell.verdict == Verdict::Valid && row.cell.misses_precision();
    match (&row.cell.verdict, row.remarked) {
        (Verdict::Invalid { .. }, _) => "✗",
        (_, Some(mark)) if mark != MEMORY => "!",
        _ if is_wide => "~",
        (_, mark) => mark.unwrap_or_default(),
    }
    .to_owned()
}

/// Until the step returned; what is missing to its figure went by until all was durable.
fn returned(m: &Measurement) -> Nanos {
    m.duration.saturating_sub(m.final_fsync)
}

/// The part of it in which no processor worked for the step.
fn wait(m: &Measurement) -> Option<Nanos> {
    Some(returned(m).saturating_sub(m.cpu()?))
}

/// The median over the runs that the result is of and that came to their end, as the result is a median: one run that
/// stalled moves neither.
fn median_of(row: &TableRow<'_>, part: fn(&Measurement) -> Option<Nanos>) -> String {
    let keeps_all = matches!(row.cell.verdict, Verdict::Invalid { .. });
    let runs = row.runs.iter().filter(|run| keeps_all || !run.is_invalid());
    let whole = runs.map(|run| &run.measurement);
    let parts = whole.filter(|m| m.ended == Ended::Complete);
    let parts = parts.filter_map(|m| part(m).map(Nanos::as_secs_f64));
    median(parts).map_or_else(absent, |seconds| local(Nanos::from_secs_f64(seconds)))
}

fn tail(row: &TableRow<'_>, q: f64) -> String {
    row.cell
        .latency
        .tail_quantile(q)
        .map_or_else(|| ABSENT.to_owned(), local)
}

fn device_share(row: &TableRow<'_>) -> String {
    row.cell.device_share.map_or_else(
        || ABSENT.to_owned(),
        |share| local(Percent::from_fraction(share)),
    )
}
