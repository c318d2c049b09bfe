//! What each column of a table of cells shows, as text.

use etalon_model::{Cell, Estimate, Interval};
use etalon_units::{ByteRate, Nanos, OpRate, Percent};

/// Stands where a figure could not be had.
pub(crate) const ABSENT: &str = "–";

/// Below this count no two-sided 95 % interval of a median exists (the binomial tails of the
/// extreme order statistics are too heavy), so none of either statistic is shown.
const MIN_RUNS: u32 = 6;

/// The median of a session that may stop early is computed at 97 %, for which six are too few.
const MIN_RUNS_MEDIAN: u32 = 7;

/// A column's heading and what it shows of a cell.
pub(crate) type Column = (&'static str, fn(&Cell) -> String);

/// The columns, from left to right.
pub(crate) const COLUMNS: [Column; 9] = [
    ("workload", |cell| cell.name.clone()),
    ("median", median),
    ("95 % interval", interval),
    ("runs", |cell| cell.median.runs.to_string()),
    ("p50", |cell| tail(cell, 0.5)),
    ("p99", |cell| tail(cell, 0.99)),
    ("p99.9", |cell| tail(cell, 0.999)),
    ("from device", device_share),
    ("verdict", |cell| cell.verdict.to_string()),
];

fn median(cell: &Cell) -> String {
    quantity(cell.median.value, &cell.unit)
}

fn interval(cell: &Cell) -> String {
    interval_of(cell.estimate(), &cell.unit)
}

/// An estimate's interval with its half width, or why there is none.
pub(crate) fn interval_of(estimate: &Estimate, unit: &str) -> String {
    match (&estimate.interval, estimate.relative_half_width()) {
        (Some(interval), Some(half)) => ends(interval, unit, Percent::from_fraction(half)),
        _ => few(estimate),
    }
}

/// Both ends with one unit, and half the width as a share of the median.
fn ends(interval: &Interval, unit: &str, half: Percent) -> String {
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

fn tail(cell: &Cell, q: f64) -> String {
    cell.latency
        .tail_quantile(q)
        .map_or_else(|| ABSENT.to_owned(), |latency| latency.to_string())
}

fn device_share(cell: &Cell) -> String {
    cell.device_share.map_or_else(
        || ABSENT.to_owned(),
        |share| Percent::from_fraction(share).to_string(),
    )
}

/// A figure with its unit written out.
pub(crate) fn quantity(value: f64, unit: &str) -> String {
    match unit {
        "B/s" => ByteRate(value).to_string(),
        "op/s" => OpRate(value).to_string(),
        "s" => Nanos::from_secs_f64(value).to_string(),
        other => format!("{value:.3} {other}"),
    }
}
