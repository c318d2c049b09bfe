//! Throughput along the device: the same work on several parts of it.

use etalon_language::say;
use etalon_model::{Cell, IoWorkload};
use etalon_picture::{Annotations, Axis, Dot, Scale, Series, XyChart};
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

/// The parts of a device on which the same was done under the same conditions, by where they begin, with their lengths.
type PartSet<'a> = CellSet<'a, IoWorkload, Bytes, Bytes>;

/// One part of the device with what was measured on it.
struct MeasuredPart<'a> {
    offset: Bytes,
    length: Bytes,
    cell: &'a Cell,
}

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

/// A cell at its part of the device; none where nobody knows how long that is.
fn placed_at(cell: &Cell) -> Option<PlacedCell<'_, IoWorkload, Bytes, Bytes>> {
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
        drawn: length(io)?,
    })
}

/// How much is used from the offset on. No range reaches to the end, which is known where a size was asked for.
fn length(io: &IoWorkload) -> Option<Bytes> {
    let to_end = Bytes(io.file_size.get().saturating_sub(io.offset.get()));
    let known = [io.range, to_end];
    known.into_iter().find(|length| *length > Bytes::ZERO)
}

fn picture(name: &str, set: PartSet<'_>) -> Picture {
    let cells = set.cells.into_iter();
    let mut parts: Vec<MeasuredPart<'_>> = cells
        .map(|(offset, cell, length)| MeasuredPart {
            offset,
            length,
            cell,
        })
        .collect();
    parts.sort_by_key(|part| part.offset);
    let most = parts.iter().map(|part| top(part.cell)).fold(0.0, f64::max);
    let measure = Measure::of(parts[0].cell, most);
    let series = Series {
        name: name.to_owned(),
        line: parts
            .iter()
            .map(|part| (middle(part), measure.scaled(part.cell.estimate().value)))
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
            scale: Scale::from_zero(parts.iter().map(end)),
            title: &say!("axis-device"),
            format: tick,
        },
        y: Axis {
            scale: Scale::from_zero([measure.scaled(most)]),
            title: &measure.axis_from_zero(),
            format: tick,
        },
        series: vec![series],
        annotations: Annotations::default(),
    };
    let claim = claim(name, &parts);
    let note = say!("picture-position-note", count = parts.len());
    Picture::of_xy("position", claim, note, &chart, false)
}

/// What the first and the last part are good for, where neither is invalid.
fn claim(name: &str, parts: &[MeasuredPart<'_>]) -> String {
    let (first, last) = (&parts[0], &parts[parts.len() - 1]);
    let told = |part: &MeasuredPart<'_>| figure(part.cell, part.cell.estimate().value);
    match is_told(first.cell) && is_told(last.cell) {
        true => say!(
            "picture-position",
            operation = name,
            first = told(first),
            begin = said(first),
            last = told(last),
            end = said(last),
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

fn middle(part: &MeasuredPart<'_>) -> f64 {
    (part.offset.as_f64() + part.length.as_f64() / 2.0) / GIB
}

fn end(part: &MeasuredPart<'_>) -> f64 {
    (part.offset.as_f64() + part.length.as_f64()) / GIB
}

/// `10 GiB from 200 GiB`.
fn said(part: &MeasuredPart<'_>) -> String {
    say!(
        "picture-position-part",
        range = part.length,
        offset = part.offset
    )
}

fn band(part: &MeasuredPart<'_>, measure: Measure) -> Option<(f64, f64, f64)> {
    let interval = part.cell.estimate().interval?;
    Some((
        middle(part),
        measure.scaled(interval.low),
        measure.scaled(interval.high),
    ))
}

fn dot(part: &MeasuredPart<'_>, measure: Measure) -> Dot {
    let value = part.cell.estimate().value;
    Dot {
        x: middle(part),
        y: measure.scaled(value),
        tip: say!(
            "picture-position-tip",
            part = said(part),
            figure = figure(part.cell, value)
        ),
        doubtful: !part.cell.verdict.is_valid(),
    }
}

#[cfg(test)]
mod tests {
    use etalon_model::{Cell, Experiment, IoWorkload};
    use etalon_units::Bytes;

    use crate::html::tests::{drawn, experiment, tips};

    /// The same reads from these offsets on, each of this range, on what is so long.
    fn parts(offsets: [u64; 3], range: Bytes, size: Bytes) -> Experiment {
        let mut experiment = experiment();
        let first = experiment.cells[0].clone();
        let cell = |offset: u64| Cell {
            name: format!("read from {offset} GiB"),
            workload: IoWorkload {
                offset: Bytes::gib(offset),
                range,
                file_size: size,
                ..IoWorkload::default()
            }
            .into(),
            ..first.clone()
        };
        experiment.cells = offsets.map(cell).to_vec();
        experiment
    }

    #[test]
    fn what_was_not_measured_is_no_beginning_and_no_end() {
        let experiment = parts([100, 200, 300], Bytes::gib(10), Bytes::ZERO);
        let [picture] = &drawn(&experiment, "position")[..] else {
            panic!()
        };
        let claim = &picture.claim;
        for word in ["at its beginning", "at its end"] {
            assert!(!claim.contains(word), "{claim}");
        }
        for part in ["10 GiB from 100 GiB", "10 GiB from 300 GiB"] {
            assert!(claim.contains(part), "{claim}");
        }
    }

    #[test]
    fn a_part_without_a_range_reaches_to_the_end_where_that_is_known() {
        let of_size = |size| drawn(&parts([0, 100, 200], Bytes::ZERO, size), "position");
        let [picture] = &of_size(Bytes::gib(300))[..] else {
            panic!()
        };
        let told = tips(picture);
        for (tip, part) in told.iter().zip([
            "300 GiB from 0 B",
            "200 GiB from 100 GiB",
            "100 GiB from 200 GiB",
        ]) {
            assert!(tip.starts_with(&format!("{part}: ")), "{told:?}");
        }
        assert!(of_size(Bytes::ZERO).is_empty());
    }
}
