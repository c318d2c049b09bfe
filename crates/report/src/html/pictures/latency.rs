//! Latencies: how many operations ended within which time, and how they spread.

use etalon_language::{figure, say};
use etalon_model::Cell;
use etalon_picture::{Annotations, Axis, Dot, HeatCell, HeatMap, Scale, Series, XyChart};

use super::super::measure::{tick, tick_share, tick_time};
use super::super::{HtmlReport, LatencyGist, RunSeries, Subject};
use super::{HALF, NARROW, Picture};
use crate::page::is_told;
use crate::role::label;

pub(super) fn pictures(report: &HtmlReport<'_>) -> Vec<Picture> {
    let subject = &report.subjects[0];
    let drawn: Vec<(&Cell, &LatencyGist)> = subject
        .cells
        .iter()
        .zip(&subject.latencies)
        .filter(|(_, latency)| latency.curve.len() > 4)
        .collect();
    if drawn.is_empty() {
        return Vec::new();
    }
    let mut pictures = vec![curves(&drawn), histogram(&drawn)];
    pictures.extend(
        subject
            .series
            .iter()
            .filter_map(|series| over_time(subject, series))
            .take(2),
    );
    pictures
}

/// The distribution function, its tail spread out.
fn curves(drawn: &[(&Cell, &LatencyGist)]) -> Picture {
    let series: Vec<Series> = drawn
        .iter()
        .map(|(cell, latency)| curve(cell, latency))
        .collect();
    let times = drawn
        .iter()
        .flat_map(|(_, l)| l.curve.iter().skip(1).map(|(_, ns)| *ns));
    let chart = XyChart {
        x: Axis {
            scale: Scale::log(times),
            title: &say!("axis-latency-log"),
            format: tick_time,
        },
        y: Axis {
            scale: Scale::tail(),
            title: &say!("axis-share"),
            format: tick_share,
        },
        series,
        annotations: Annotations::default(),
    };
    let told = drawn.iter().filter(|(cell, _)| is_told(cell));
    let slowest = told.filter_map(|(cell, l)| Some((l.p99?, cell)));
    let claim = slowest.max_by_key(|(p99, _)| *p99).map_or_else(
        || say!("picture-latency"),
        |(p99, cell)| say!("picture-latency-slowest", latency = p99, row = label(cell)),
    );
    let note = say!("picture-latency-note");
    Picture::of_xy("latency-ecdf", claim, note, &chart, true)
}

fn curve(cell: &Cell, latency: &LatencyGist) -> Series {
    let percentiles = [
        ("p50", 0.5, latency.p50),
        ("p99", 0.99, latency.p99),
        ("p99.9", 0.999, latency.p999),
    ];
    let dots = percentiles.iter().filter_map(|(name, share, span)| {
        let span = (*span)?;
        Some(Dot {
            x: span.get() as f64,
            y: *share,
            tip: format!("{}, {name}: {}", label(cell), figure(span)),
            doubtful: !cell.verdict.is_valid(),
        })
    });
    Series {
        name: label(cell),
        line: latency
            .curve
            .iter()
            .map(|(share, ns)| (*ns, *share))
            .collect(),
        dots: dots.collect(),
        ..Series::default()
    }
}

/// Share of the operations in each class of latency.
fn histogram(drawn: &[(&Cell, &LatencyGist)]) -> Picture {
    let series: Vec<Series> = drawn
        .iter()
        .map(|(cell, latency)| density(cell, latency))
        .collect();
    let times = series.iter().flat_map(|s| s.line.iter().map(|(ns, _)| *ns));
    let chart = XyChart {
        x: Axis {
            scale: Scale::log(times.collect::<Vec<_>>()),
            title: &say!("axis-latency-log"),
            format: tick_time,
        },
        y: Axis {
            scale: Scale::from_zero(series.iter().flat_map(|s| s.line.iter().map(|(_, y)| *y))),
            title: &say!("axis-density"),
            format: tick,
        },
        series,
        annotations: Annotations::default(),
    };
    let claim = say!("picture-histogram");
    let note = say!("picture-histogram-note");
    Picture::of_xy("latency-histogram", claim, note, &chart, true)
}

/// The classes from the first to the last that has operations, with nothing on both sides.
pub(super) fn density(cell: &Cell, latency: &LatencyGist) -> Series {
    let ends = latency
        .classes
        .keys()
        .next()
        .zip(latency.classes.keys().last());
    let (first, last) = ends.map_or((0, 0), |(first, last)| (*first, *last));
    let share = |class: i32| {
        let count = latency.classes.get(&class).copied().unwrap_or(0);
        count as f64 / latency.count.max(1) as f64 * 100.0
    };
    let begins = |class: i32| 10f64.powf(f64::from(class) / 10.0);
    Series {
        name: label(cell),
        line: (first - 1..=last + 1)
            .map(|class| (begins(class), share(class)))
            .collect(),
        steps: true,
        ..Series::default()
    }
}

/// Columns of the map over time.
const COLUMNS: usize = 48;
/// Rows of the map, where the finest classes of these to a decade fit in.
const MOST_ROWS: i64 = 24;
const CLASSES: [u32; 3] = [6, 3, 2];

/// How the mean latency of 100 ms slices moved within one run.
fn over_time(subject: &Subject, series: &RunSeries) -> Option<Picture> {
    let means: Vec<(usize, f64)> = series
        .points
        .iter()
        .enumerate()
        .filter(|(_, point)| point.operations > 0)
        .map(|(n, point)| (n, point.latency_sum_ns as f64 / point.operations as f64))
        .filter(|(_, mean)| *mean >= 1.0)
        .collect();
    if means.len() < 10 {
        return None;
    }
    let classes = classes(&means);
    let map = map(&means, series.points.len(), classes);
    let cell = subject.cells.get(series.cell)?;
    let claim = say!("picture-over-time", row = label(cell));
    let note = say!(
        "picture-over-time-note",
        classes = classes,
        number = series.position + 1
    );
    Some(Picture {
        wide: map.draw(HALF),
        narrow: map.draw(NARROW),
        half: true,
        ..Picture::plain("latency-over-time", claim, note)
    })
}

/// The lowest and the highest of so many classes to a decade, with an empty one on each side.
fn ends(means: &[(usize, f64)], classes: u32) -> (i64, i64) {
    let all = || means.iter().map(|(_, ns)| class(*ns, classes));
    let (low, high) = (all().min().unwrap_or(0), all().max().unwrap_or(0));
    (low - 1, high + 1)
}

fn class(ns: f64, classes: u32) -> i64 {
    (ns.log10() * f64::from(classes)).floor() as i64
}

/// How many classes a decade has; the coarsest take whatever rows there are.
fn classes(means: &[(usize, f64)]) -> u32 {
    let fits = |classes: &u32| {
        let (low, high) = ends(means, *classes);
        high - low < MOST_ROWS
    };
    let coarsest = CLASSES[CLASSES.len() - 1];
    CLASSES.into_iter().find(fits).unwrap_or(coarsest)
}

fn map(means: &[(usize, f64)], slices: usize, classes: u32) -> HeatMap {
    let (low, high) = ends(means, classes);
    let rows = usize::try_from(high - low + 1).unwrap_or(1);
    let columns = slices.clamp(1, COLUMNS);
    let mut counts = vec![0u32; rows * columns];
    for (slice, ns) in means {
        let row = usize::try_from(high - class(*ns, classes)).unwrap_or(0);
        counts[row * columns + (slice * columns / slices).min(columns - 1)] += 1;
    }
    let cells = counts.iter().enumerate().filter(|(_, count)| **count > 0);
    let cells = cells.map(|(n, count)| HeatCell {
        column: n % columns,
        row: n / columns,
        value: f64::from(*count),
        text: String::new(),
        tip: say!("picture-slices", count = count),
        doubtful: false,
    });
    let step = slices as f64 / columns as f64 / 10.0;
    HeatMap {
        title: String::new(),
        columns: (0..columns)
            .map(|n| figure(format!("{:.1}", n as f64 * step)))
            .collect(),
        columns_title: say!("axis-seconds"),
        rows: (0..rows)
            .map(|n| tick_time(10f64.powf((high - n as i64) as f64 / f64::from(classes))))
            .collect(),
        rows_title: say!("axis-latency-from"),
        most: counts.iter().copied().max().map_or(1.0, f64::from),
        cells: cells.collect(),
        row_height: 20.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_latency_lies_in_the_row_of_its_class() {
        for (span, expected) in [(3, 6), (6, 3), (9, 2), (12, 2)] {
            let means: Vec<(usize, f64)> = (0..=span)
                .map(|n| (n, 2.0 * 10f64.powi(i32::try_from(n).unwrap())))
                .collect();
            let classes = classes(&means);
            assert_eq!(classes, expected, "{span} decades");
            let map = map(&means, means.len(), classes);
            assert_eq!(map.cells.len(), means.len());
            let rows: Vec<usize> = map.cells.iter().map(|cell| cell.row).collect();
            // A decade is so many rows, down to the last but one.
            let step = classes as usize;
            let expected: Vec<usize> = (0..=span).map(|n| 1 + n * step).collect();
            assert_eq!(rows, expected);
            assert_eq!(map.rows.len(), span * step + 3);
        }
    }
}
