//! How far the rebuild of an array was, over time.

use etalon_model::{Cell, RebuildRecord};
use etalon_picture::{Axis, Dot, Scale, Series, XyChart};
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
            title: "seconds since it began, from 0",
            format: tick,
        },
        y: Axis {
            scale: Scale::from_zero([100.0]),
            title: "% rebuilt, from 0",
            format: tick,
        },
        series: drawn
            .iter()
            .map(|(cell, rebuild)| curve(cell, rebuild))
            .collect(),
        zones: Vec::new(),
        cuts: Vec::new(),
        plateaus: Vec::new(),
    };
    let (cell, first) = drawn[0];
    let note = "As md tells it (sync_completed), beside the run in the middle of each workload.";
    Picture::of_xy(
        "rebuild",
        claim(cell, first),
        note.to_owned(),
        &chart,
        false,
    )
}

fn claim(cell: &Cell, rebuild: &RebuildRecord) -> String {
    let speed = rebuild
        .bytes_per_second
        .map(|speed| format!(", {} in the median", ByteRate(speed)));
    let speed = speed.unwrap_or_default();
    let beside = format!("{} beside {}", rebuild.device, label(cell));
    match (rebuild.is_over, rebuild.left) {
        (true, _) => format!("{beside} was rebuilt in {}{speed}", rebuild.elapsed),
        (false, Some(left)) => {
            let whole = Nanos(rebuild.elapsed.get().saturating_add(left.get()));
            format!("{beside} would be rebuilt in {whole}{speed}")
        }
        (false, None) => format!("{beside} was being rebuilt{speed}"),
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
        tip: format!("{}: {y:.1} % after {x:.1} s", label(cell)),
        doubtful: false,
    });
    Series {
        name: label(cell),
        dots: last.into_iter().collect(),
        line,
        ..Series::default()
    }
}
