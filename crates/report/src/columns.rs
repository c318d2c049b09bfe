//! What each column of a table of cells shows, as text.

use etalon_model::{Cell, Ended, Estimate, Interval, Measurement, Run, TaskFigure, Unit};
use etalon_units::{ByteRate, Nanos, OpRate, Percent};

/// Stands where a figure could not be had.
pub(crate) const ABSENT: &str = "–";

/// Below this count no two-sided 95 % interval of a median exists (the binomial tails of the
/// extreme order statistics are too heavy), so none of either statistic is shown.
const MIN_RUNS: u32 = 6;

/// The median of a session that may stop early is computed at 97 %, for which six are too few.
const MIN_RUNS_MEDIAN: u32 = 7;

/// One line of a table: a cell with its runs, which may be missing.
pub(crate) struct Row<'a> {
    pub(crate) cell: &'a Cell,
    pub(crate) runs: Vec<&'a Run>,
}

/// The cells with the runs that bear their names.
pub(crate) fn rows<'a>(cells: &'a [Cell], runs: &'a [Run]) -> Vec<Row<'a>> {
    let row = |cell: &'a Cell| Row {
        cell,
        runs: runs.iter().filter(|run| run.cell == cell.name).collect(),
    };
    cells.iter().map(row).collect()
}

/// A column's heading and what it shows of a row.
pub(crate) type Column = (&'static str, fn(&Row<'_>) -> String);

/// The columns of these cells, from left to right; the first is the name, the last the verdict.
pub(crate) fn columns(cells: &[Cell]) -> &'static [Column] {
    let task = cells.first().and_then(|cell| cell.workload.task());
    match task.map(|task| task.figure) {
        None => &IO,
        Some(TaskFigure::Rate) => &NAMES,
        Some(TaskFigure::Throughput) => &TESTS,
        Some(TaskFigure::Time) => &STEPS,
    }
}

const IO: [Column; 9] = [
    ("workload", |row| row.cell.name.clone()),
    ("median", median),
    ("95 % interval", interval),
    ("runs", count),
    ("p50", |row| tail(row, 0.5)),
    ("p99", |row| tail(row, 0.99)),
    ("p99.9", |row| tail(row, 0.999)),
    ("from device", device_share),
    ("verdict", verdict),
];

const NAMES: [Column; 9] = [
    ("operation", |row| row.cell.name.clone()),
    ("mean", mean),
    ("95 % interval", interval),
    ("median", median),
    ("runs", count),
    ("p50", |row| tail(row, 0.5)),
    ("p99", |row| tail(row, 0.99)),
    ("p99.9", |row| tail(row, 0.999)),
    ("verdict", verdict),
];

const TESTS: [Column; 6] = [
    ("test", |row| row.cell.name.clone()),
    ("mean", mean),
    ("95 % interval", interval),
    ("median", median),
    ("runs", count),
    ("verdict", verdict),
];

const STEPS: [Column; 10] = [
    ("step, until durable", |row| row.cell.name.clone()),
    ("mean", mean),
    ("95 % interval", interval),
    ("median", median),
    ("runs", count),
    ("returned", |row| mean_of(row, returned)),
    ("user", |row| mean_of(row, |m| m.cpu_user)),
    ("system", |row| mean_of(row, |m| m.cpu_system)),
    ("wait", |row| mean_of(row, wait)),
    ("verdict", verdict),
];

/// Until the step returned; what is missing to its figure went by until all was durable.
fn returned(m: &Measurement) -> Nanos {
    m.duration.saturating_sub(m.final_fsync)
}

/// The part of it in which no processor worked for the step.
fn wait(m: &Measurement) -> Nanos {
    let busy = m.cpu_user.get().saturating_add(m.cpu_system.get());
    returned(m).saturating_sub(Nanos(busy))
}

/// The mean over the runs that came to their end.
fn mean_of(row: &Row<'_>, part: fn(&Measurement) -> Nanos) -> String {
    let whole = row.runs.iter().map(|run| &run.measurement);
    let parts: Vec<u64> = whole
        .filter(|m| m.ended == Ended::Complete)
        .map(|m| part(m).get())
        .collect();
    if parts.is_empty() {
        return ABSENT.to_owned();
    }
    let sum = parts
        .iter()
        .fold(0u64, |sum, part| sum.saturating_add(*part));
    Nanos(sum / parts.len() as u64).to_string()
}

fn verdict(row: &Row<'_>) -> String {
    row.cell.verdict.to_string()
}

fn count(row: &Row<'_>) -> String {
    row.cell.median.runs.to_string()
}

fn mean(row: &Row<'_>) -> String {
    quantity(row.cell.mean.value, row.cell.unit)
}

fn median(row: &Row<'_>) -> String {
    quantity(row.cell.median.value, row.cell.unit)
}

fn interval(row: &Row<'_>) -> String {
    interval_of(row.cell.estimate(), row.cell.unit)
}

/// An estimate's interval with its half width, or why there is none.
pub(crate) fn interval_of(estimate: &Estimate, unit: Unit) -> String {
    match (&estimate.interval, estimate.relative_half_width()) {
        (Some(interval), Some(half)) => ends(interval, unit, Percent::from_fraction(half)),
        _ => few(estimate),
    }
}

/// Both ends with one unit, and half the width as a share of the median.
fn ends(interval: &Interval, unit: Unit, half: Percent) -> String {
    let low = quantity(interval.low, unit);
    let high = quantity(interval.high, unit);
    let ends = match (low.split_once(' '), high.split_once(' ')) {
        (Some((number, low_unit)), Some((_, high_unit))) if low_unit == high_unit => {
            format!("{number} … {high}")
        }
        _ => format!("{low} … {high}"),
    };
    format!("{ends} (±{half})")
}

fn few(estimate: &Estimate) -> String {
    match estimate.runs {
        0 => ABSENT.to_owned(),
        n if n < MIN_RUNS => format!("none: {n} of {MIN_RUNS} runs"),
        n if n < MIN_RUNS_MEDIAN => format!("none: {n} of {MIN_RUNS_MEDIAN} runs"),
        _ => ABSENT.to_owned(),
    }
}

fn tail(row: &Row<'_>, q: f64) -> String {
    row.cell
        .latency
        .tail_quantile(q)
        .map_or_else(|| ABSENT.to_owned(), |latency| latency.to_string())
}

fn device_share(row: &Row<'_>) -> String {
    row.cell.device_share.map_or_else(
        || ABSENT.to_owned(),
        |share| Percent::from_fraction(share).to_string(),
    )
}

/// A figure with its unit written out.
pub(crate) fn quantity(value: f64, unit: Unit) -> String {
    match unit {
        Unit::BytesPerSecond => ByteRate(value).to_string(),
        Unit::OperationsPerSecond => OpRate(value).to_string(),
        Unit::Seconds => Nanos::from_secs_f64(value).to_string(),
    }
}
