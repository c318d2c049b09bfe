//! Throughput along the device: the same work on several parts of it.

use etalon_language::say;
use etalon_model::{Cell, IoWorkload};
use etalon_picture::{Axis, Dot, Scale, Series, XyChart};
use etalon_units::Bytes;

use super::super::HtmlReport;
use super::super::measure::{Measure, tick};
use super::sets::{CellSet, PlacedCell, names, sets};
use super::{Picture, more_than};
use crate::page::is_told;
use crate::role::figure;

/// More pictures of it are not looked at.
const MOST: usize = 4;

/// Fewer parts are rows of a table.
const FEWEST: usize = 3;
const GIB: f64 = 1_073_741_824.0;

/// The parts of a device on which the same was done under the same conditions.
type PartSet<'a> = CellSet<'a, IoWorkload, Bytes, &'a IoWorkload>;

/// One part of the device with what was measured on it.
type MeasuredPart<'a> = (&'a IoWorkload, &'a Cell);

pub(super) fn pictures(report: &HtmlReport<'_>) -> Vec<Picture> {
    let mut along = sets(report.subjects[0].cells.iter().filter_map(placed_at));
    along.retain(|set| set.cells.len() >= FEWEST);
    let names = names(&along, |work| work.operation.name().to_owned());
    let left = along.len().saturating_sub(MOST);
    let drawn = along.into_iter().zip(names).take(MOST);
    let mut pictures: Vec<Picture> = drawn.map(|(set, name)| picture(&name, set)).collect();
    more_than(&mut pictures, left);
    pictures
}

/// A cell at its part of the device.
fn placed_at(cell: &Cell) -> Option<PlacedCell<'_, IoWorkload, Bytes, &IoWorkload>> {
    let io = cell.workload.io()?;
    // What is left of a workload without its place.
    let work = IoWorkload {
        offset: Bytes::ZERO,
        range: Bytes::ZERO,
        seed: 0,
        ..io.clone()
    };
    Some(PlacedCell {
        work,
        place: io.offset,
        cell,
        drawn: io,
    })
}

fn picture(name: &str, set: PartSet<'_>) -> Picture {
    let cells = set.cells.into_iter();
    let mut parts: Vec<MeasuredPart<'_>> = cells.map(|(_, cell, io)| (io, cell)).collect();
    parts.sort_by_key(|(io, _)| io.offset);
    let most = parts.iter().map(|(_, cell)| top(cell)).fold(0.0, f64::max);
    let measure = Measure::of(parts[0].1, most);
    let series = Series {
        name: name.to_owned(),
        line: parts
            .iter()
            .map(|part| (middle(part), measure.scaled(part.1.estimate().value)))
            .collect(),
        band: parts
            .iter()
            .filter_map(|part| band(part, measure))
            .collect(),
        dots: parts.iter().map(|part| dot(part, measure)).collect(),
        ..Series::default()
    };
    let chart = XyChart {
        x: Axis {
            scale: Scale::from_zero(parts.iter().map(|(io, _)| end(io))),
            title: &say!("axis-device"),
            format: tick,
        },
        y: Axis {
            scale: Scale::from_zero([measure.scaled(most)]),
            title: &measure.axis_from_zero(),
            format: tick,
        },
        series: vec![series],
        spans: Vec::new(),
        cuts: Vec::new(),
        plateaus: Vec::new(),
    };
    let claim = claim(name, &parts);
    let note = say!("picture-position-note", count = parts.len());
    Picture::of_xy("position", claim, note, &chart, false)
}

/// What the two ends are good for, where neither is invalid.
fn claim(name: &str, parts: &[MeasuredPart<'_>]) -> String {
    let (first, last) = (parts[0].1, parts[parts.len() - 1].1);
    let figure = |cell: &Cell| figure(cell, cell.estimate().value);
    match is_told(first) && is_told(last) {
        true => say!(
            "picture-position",
            operation = name,
            first = figure(first),
            last = figure(last),
        ),
        false => say!("picture-position-bare", operation = name),
    }
}

/// The highest that is drawn of a cell.
fn top(cell: &Cell) -> f64 {
    let estimate = cell.estimate();
    estimate
        .interval
        .map_or(estimate.value, |interval| interval.high)
}

fn middle((io, _): &MeasuredPart<'_>) -> f64 {
    (io.offset.as_f64() + io.range.as_f64() / 2.0) / GIB
}

fn end(io: &IoWorkload) -> f64 {
    (io.offset.as_f64() + io.range.as_f64()) / GIB
}

fn band(part: &MeasuredPart<'_>, measure: Measure) -> Option<(f64, f64, f64)> {
    let interval = part.1.estimate().interval?;
    Some((
        middle(part),
        measure.scaled(interval.low),
        measure.scaled(interval.high),
    ))
}

fn dot(part: &MeasuredPart<'_>, measure: Measure) -> Dot {
    let (io, cell) = part;
    let value = cell.estimate().value;
    Dot {
        x: middle(part),
        y: measure.scaled(value),
        tip: say!(
            "picture-position-tip",
            range = io.range,
            offset = io.offset,
            figure = figure(cell, value),
        ),
        doubtful: !cell.verdict.is_valid(),
    }
}
