//! How far the rebuild of an array was, over time.

use etalon_language::{figure, say};
use etalon_model::{Cell, RebuildRecord};
use etalon_picture::{Annotations, Axis, Dot, Scale, Series, XyChart};
use etalon_units::{ByteRate, Nanos};

use super::super::HtmlReport;
use super::super::measure::tick;
use super::Picture;
use crate::role::label;

/// Fewer points are no curve.
const FEWEST: usize = 3;

pub(super) fn pictures(report: &HtmlReport<'_>) -> Vec<Picture> {
    let subject = &report.subjects[0];
    let drawn = subject.series.iter().filter_map(|series| {
        let rebuild = series.rebuild.as_ref()?;
        let cell = subject.cells.get(series.cell)?;
        (rebuild.curve.len() >= FEWEST).then_some((cell, rebuild))
    });
    let drawn: Vec<(&Cell, &RebuildRecord)> = drawn.collect();
    match drawn.is_empty() {
        true => Vec::new(),
        false => vec![picture(&drawn)],
    }
}

fn picture(drawn: &[(&Cell, &RebuildRecord)]) -> Picture {
    let ends = drawn
        .iter()
        .map(|(_, rebuild)| rebuild.elapsed.as_secs_f64());
    let chart = XyChart {
        x: Axis {
            scale: Scale::from_zero(ends),
            title: &say!("axis-rebuild-seconds"),
            format: tick,
        },
        y: Axis {
            scale: Scale::from_zero([100.0]),
            title: &say!("axis-rebuilt"),
            format: tick,
        },
        series: drawn
            .iter()
            .map(|(cell, rebuild)| curve(cell, rebuild))
            .collect(),
        annotations: Annotations::default(),
    };
    let (cell, first) = drawn[0];
    let note = say!("picture-rebuild-note");
    Picture::of_xy("rebuild", claim(cell, first), note, &chart, false)
}

fn claim(cell: &Cell, rebuild: &RebuildRecord) -> String {
    let (device, row) = (&rebuild.device, label(cell));
    let speed = rebuild.bytes_per_second.map(ByteRate);
    let whole = |left: Nanos| Nanos(rebuild.elapsed.get().saturating_add(left.get()));
    match (rebuild.is_over, rebuild.left, speed) {
        (true, _, Some(speed)) => say!(
            "picture-rebuilt-speed",
            device = device,
            row = row,
            time = rebuild.elapsed,
            speed = speed,
        ),
        (true, _, None) => {
            say!(
                "picture-rebuilt",
                device = device,
                row = row,
                time = rebuild.elapsed
            )
        }
        (false, Some(left), Some(speed)) => say!(
            "picture-would-be-rebuilt-speed",
            device = device,
            row = row,
            time = whole(left),
            speed = speed,
        ),
        (false, Some(left), None) => {
            say!(
                "picture-would-be-rebuilt",
                device = device,
                row = row,
                time = whole(left)
            )
        }
        (false, None, Some(speed)) => {
            say!(
                "picture-being-rebuilt-speed",
                device = device,
                row = row,
                speed = speed
            )
        }
        (false, None, None) => say!("picture-being-rebuilt", device = device, row = row),
    }
}

fn curve(cell: &Cell, rebuild: &RebuildRecord) -> Series {
    let points = rebuild.curve.iter();
    let line: Vec<(f64, f64)> = points
        .map(|point| (point.at.as_secs_f64(), point.done.fraction() * 100.0))
        .collect();
    let last = line.last().map(|(x, y)| Dot {
        x: *x,
        y: *y,
        tip: say!(
            "picture-rebuild-tip",
            row = label(cell),
            share = figure(format!("{y:.1}")),
            seconds = figure(format!("{x:.1}")),
        ),
        doubtful: false,
    });
    Series {
        name: label(cell),
        dots: last.into_iter().collect(),
        line,
        ..Series::default()
    }
}
