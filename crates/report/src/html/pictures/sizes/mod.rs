//! Figures over file size and record size: surfaces, the same as heat maps, and as lines with bands.

use etalon_language::{figure as local, say};
use std::collections::BTreeMap;

use etalon_model::{Cell, IoWorkload, Unit, Workload};
use etalon_picture::{
    Annotations, Axis, Dot, Drawing, HeatCell, HeatMap, Point, Scale, Series, Surface,
    SurfacePoint, SurfaceSet, XyChart,
};
use etalon_units::Bytes;

use super::super::HtmlReport;
use super::super::grid::without_sizes;
use super::super::heat::{is_doubtful, short};
use super::super::measure::{Measure, tick};
use super::sets::{CellSet, PlacedCell, sets};
use super::{HALF, NARROW, Picture};
use crate::role::{figure, operation_words};

/// Of so many operations all pictures are open; of more, those of the first.
const OPEN: usize = 2;

/// Cells by file and record size.
type Places<'a> = BTreeMap<(u64, u64), &'a Cell>;

/// What is done in a subject, apart from its sizes.
#[derive(PartialEq)]
struct SizesWork {
    subject: usize,
    operation: String,
    work: Workload,
}

/// Cells of the same work in the same subject, by file and record size.
type SizesSet<'a> = CellSet<'a, SizesWork, (u64, u64), ()>;

/// The cells of one operation by record and file size, a map for each subject and for all else that differs between cells.
struct SizesGrid<'a> {
    operation: String,
    unit: Unit,
    sets: Vec<(String, Places<'a>)>,
}

impl<'a> SizesGrid<'a> {
    fn axis(&self, of: fn(&(u64, u64)) -> u64) -> Vec<u64> {
        let mut places: Vec<u64> = self
            .sets
            .iter()
            .flat_map(|(_, set)| set.keys().map(of))
            .collect();
        places.sort_unstable();
        places.dedup();
        places
    }

    fn files(&self) -> Vec<u64> {
        self.axis(|(file, _)| *file)
    }

    fn records(&self) -> Vec<u64> {
        self.axis(|(_, record)| *record)
    }

    fn cells(&self) -> impl Iterator<Item = &&'a Cell> {
        self.sets.iter().flat_map(|(_, set)| set.values())
    }

    fn measure(&self) -> Option<Measure> {
        let most = self.cells().map(|cell| top(cell)).fold(0.0, f64::max);
        Some(Measure::of(self.cells().next()?, most))
    }
}

pub(super) fn pictures(report: &HtmlReport<'_>) -> Vec<Picture> {
    let mut pictures = Vec::new();
    let grids = grids(report);
    let folds = grids.len() > OPEN;
    for (n, grid) in grids.iter().enumerate() {
        let drawn = of_grid(grid).into_iter().map(|picture| Picture {
            fold: (folds && n > 0).then(|| grid.operation.clone()),
            ..picture
        });
        pictures.extend(drawn);
    }
    pictures
}

fn of_grid(grid: &SizesGrid<'_>) -> Vec<Picture> {
    let mut pictures = Vec::new();
    let Some(measure) = grid.measure() else {
        return pictures;
    };
    let (files, records) = (grid.files().len(), grid.records().len());
    if files > 1 && records > 1 {
        pictures.extend([surface(grid, measure), heat(grid, measure)]);
    }
    if files > 2 || records > 2 {
        pictures.push(lines(grid, measure));
    }
    pictures
}

/// What was done is apart within a subject, where two works at one place are two sets. Between subjects it may differ, since that
/// is what they are compared for.
fn grids<'a>(report: &HtmlReport<'a>) -> Vec<SizesGrid<'a>> {
    let subjects = report.subjects.iter().enumerate();
    let cells = subjects.flat_map(|(n, subject)| subject.cells.iter().map(move |cell| (n, cell)));
    let measured = cells.filter(|(_, cell)| cell.estimate().runs > 0);
    let mut found = sets(measured.filter_map(|(n, cell)| placed_at(n, cell)));
    found.retain(|set| set.cells.len() > 1);
    let names: Vec<String> = found.iter().map(|set| name(report, set, &found)).collect();
    let mut grids: Vec<SizesGrid<'a>> = Vec::new();
    for (set, name) in found.into_iter().zip(names) {
        add(&mut grids, name, set);
    }
    grids
}

/// Adds a set to the grid of its operation.
fn add<'a>(grids: &mut Vec<SizesGrid<'a>>, name: String, set: SizesSet<'a>) {
    let (operation, unit) = (set.work.operation, set.unit);
    let is_same = |grid: &SizesGrid<'_>| grid.operation == operation && grid.unit == unit;
    let at = grids.iter().position(is_same);
    let at = at.unwrap_or_else(|| {
        let sets = Vec::new();
        grids.push(SizesGrid {
            operation,
            unit,
            sets,
        });
        grids.len() - 1
    });
    let places = set.cells.into_iter().map(|(place, cell, ())| (place, cell));
    grids[at].sets.push((name, places.collect()));
}

/// The subject; where it has several sets of one operation, what the cells of this one are called.
fn name(report: &HtmlReport<'_>, set: &SizesSet<'_>, all: &[SizesSet<'_>]) -> String {
    let key = |set: &SizesSet<'_>| (set.work.subject, set.work.operation.clone(), set.unit);
    let count = all.iter().filter(|other| key(other) == key(set)).count();
    let subject = report.name(set.work.subject);
    match (count, report.subjects.len()) {
        (1, _) => subject,
        (_, 1) => set.name(),
        (_, _) => format!("{subject}, {}", set.name()),
    }
}

/// A cell of a subject at its file and its record size.
fn placed_at(subject: usize, cell: &Cell) -> Option<PlacedCell<'_, SizesWork, (u64, u64), ()>> {
    let (operation, work, place) = match &cell.workload {
        Workload::Io(io) => {
            let depth = io.queue_depth * io.jobs;
            let operation = format!("{} QD{depth}", operation_words(io.operation));
            let work = IoWorkload {
                block_size: Bytes::ZERO.into(),
                file_size: Bytes::ZERO,
                seed: 0,
                ..io.clone()
            };
            let place = (io.file_size.get(), io.block_size.one()?.get());
            (operation, work.into(), place)
        }
        Workload::Task(task) => {
            let place = (task.file_size?.get(), task.block_size?.get());
            let operation = format!("{} {}", task.work, task.step);
            (operation, without_sizes(task).into(), place)
        }
    };
    Some(PlacedCell {
        work: SizesWork {
            subject,
            operation,
            work,
        },
        place,
        cell,
        drawn: (),
    })
}

fn top(cell: &Cell) -> f64 {
    let estimate = cell.estimate();
    estimate
        .interval
        .map_or(estimate.value, |interval| interval.high)
}

fn places(sizes: &[u64]) -> Vec<(f64, String)> {
    sizes
        .iter()
        .map(|size| (*size as f64, local(Bytes(*size))))
        .collect()
}

/// The ends of its interval; the figure itself where it has none.
fn interval(cell: &Cell, measure: Measure) -> (f64, f64) {
    let estimate = cell.estimate();
    let ends = estimate.interval.map(|i| (i.low, i.high));
    let (low, high) = ends.unwrap_or((estimate.value, estimate.value));
    (measure.scaled(low), measure.scaled(high))
}

/// Places of an axis from 0 on.
fn quarters(most: f64) -> Vec<(f64, String)> {
    let parts = [0.25, 0.5, 0.75, 1.0];
    parts.map(|part| (most * part, tick(most * part))).to_vec()
}

fn surface(grid: &SizesGrid<'_>, measure: Measure) -> Picture {
    let (files, records) = (grid.files(), grid.records());
    let point = |set: &Places<'_>, file, record| {
        let cell = set.get(&(file, record))?;
        Some(SurfacePoint {
            value: measure.scaled(cell.estimate().value),
            interval: interval(cell, measure),
            doubtful: is_doubtful(cell),
        })
    };
    let most = grid.cells().map(|cell| measure.scaled(top(cell)));
    let most = Scale::from_zero(most).high;
    let surface = Surface {
        x: places(&files),
        x_title: say!("axis-log", what = say!("size-file")),
        y: places(&records),
        y_title: say!("axis-log", what = say!("size-record")),
        z: quarters(most),
        z_title: measure.axis_from_zero(),
        most,
        sets: grid
            .sets
            .iter()
            .map(|(name, set)| SurfaceSet {
                name: name.clone(),
                points: records
                    .iter()
                    .map(|r| files.iter().map(|f| point(set, *f, *r)).collect())
                    .collect(),
            })
            .collect(),
    };
    let claim = say!("picture-surface", operation = grid.operation);
    let note = say!("picture-surface-note", unit = measure.name());
    Picture {
        wide: surface.draw(HALF),
        narrow: surface.draw(NARROW),
        half: true,
        scene: Some(surface.data()),
        ..Picture::plain("surface", claim, note)
    }
}

/// A map for each condition, one below the other, with one scale of shades.
fn heat(grid: &SizesGrid<'_>, measure: Measure) -> Picture {
    let most = grid
        .cells()
        .map(|cell| measure.scaled(cell.estimate().value))
        .fold(0.0, f64::max);
    let maps: Vec<HeatMap> = grid
        .sets
        .iter()
        .map(|(name, set)| map(grid, name, set, measure, most))
        .collect();
    let stacked = |width: f64| {
        let mut all = Drawing::new(width, 0.0);
        for map in &maps {
            append(&mut all, map.draw(width));
        }
        all
    };
    let claim = say!("picture-heat", operation = grid.operation);
    let note = say!("picture-heat-note", unit = measure.name());
    Picture {
        wide: stacked(HALF),
        narrow: stacked(NARROW),
        half: true,
        ..Picture::plain("heat", claim, note)
    }
}

fn append(all: &mut Drawing, map: Drawing) {
    let below = all.height;
    all.height += map.height + 8.0;
    all.marks.extend(map.marks.into_iter().map(|mut mark| {
        mark.shape.moved(Point::new(0.0, below));
        mark
    }));
}

fn map(grid: &SizesGrid<'_>, name: &str, set: &Places<'_>, measure: Measure, most: f64) -> HeatMap {
    let (files, records) = (grid.files(), grid.records());
    let cells = set.iter().filter_map(|((file, record), cell)| {
        let value = measure.scaled(cell.estimate().value);
        Some(HeatCell {
            column: files.iter().position(|f| f == file)?,
            row: records.iter().rev().position(|r| r == record)?,
            value,
            text: short(value),
            tip: figure(cell, cell.estimate().value),
            doubtful: is_doubtful(cell),
        })
    });
    HeatMap {
        title: format!("{name}, {}", measure.name()),
        columns: files.iter().map(|f| local(Bytes(*f))).collect(),
        columns_title: say!("size-file"),
        rows: records.iter().rev().map(|r| local(Bytes(*r))).collect(),
        rows_title: say!("size-record"),
        cells: cells.collect(),
        most,
        row_height: 26.0,
    }
}

/// A line with its band along the longer axis, one for each condition and place of the other.
fn lines(grid: &SizesGrid<'_>, measure: Measure) -> Picture {
    let (files, records) = (grid.files(), grid.records());
    let by_record = records.len() >= files.len();
    let (along, others) = if by_record {
        (&records, &files)
    } else {
        (&files, &records)
    };
    let mut series = Vec::new();
    for (name, set) in &grid.sets {
        for other in others {
            let cell = |at: &u64| match by_record {
                true => set.get(&(*other, *at)),
                false => set.get(&(*at, *other)),
            };
            let found: Vec<(u64, &&Cell)> = along
                .iter()
                .filter_map(|at| Some((*at, cell(at)?)))
                .collect();
            let named = match grid.sets.len() {
                1 => local(Bytes(*other)),
                _ => format!("{name}, {}", local(Bytes(*other))),
            };
            series.push(line(named, &found, measure));
        }
    }
    series.retain(|one| one.line.len() > 1);
    let all = series
        .iter()
        .flat_map(|one| one.band.iter().map(|band| band.2));
    let (what, other) = match by_record {
        true => (say!("size-record"), say!("size-file")),
        false => (say!("size-file"), say!("size-record")),
    };
    let title = measure.axis_from_zero();
    let x_title = say!("axis-log", what = what);
    let chart = XyChart {
        x: Axis {
            scale: Scale::binary(along.iter().map(|at| *at as f64)),
            title: &x_title,
            format: |at| local(Bytes(at.round() as u64)),
        },
        y: Axis {
            scale: Scale::from_zero(all.collect::<Vec<_>>()),
            title: &title,
            format: tick,
        },
        series,
        annotations: Annotations::default(),
    };
    let claim = say!("picture-sizes", operation = grid.operation, what = what);
    let note = say!("picture-sizes-note", unit = measure.name(), other = other);
    Picture::of_xy("sizes", claim, note, &chart, false)
}

fn line(name: String, found: &[(u64, &&Cell)], measure: Measure) -> Series {
    let value = |cell: &Cell| measure.scaled(cell.estimate().value);
    Series {
        name,
        line: found
            .iter()
            .map(|(at, cell)| (*at as f64, value(cell)))
            .collect(),
        band: found
            .iter()
            .map(|(at, cell)| {
                let (low, high) = interval(cell, measure);
                (*at as f64, low, high)
            })
            .collect(),
        dots: found
            .iter()
            .map(|(at, cell)| Dot {
                x: *at as f64,
                y: value(cell),
                tip: format!(
                    "{}: {}",
                    local(Bytes(*at)),
                    figure(cell, cell.estimate().value)
                ),
                doubtful: is_doubtful(cell),
            })
            .collect(),
        ..Series::default()
    }
}

#[cfg(test)]
mod tests;
