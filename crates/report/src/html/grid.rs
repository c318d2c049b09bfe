//! The cells of a sweep, laid out by what was varied: record sizes down, file sizes and depths across.

use etalon_language::say;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use etalon_model::{Cell, Parameter, TaskWorkload, Unit, Workload};
use etalon_units::Bytes;

use crate::role::{display_name, label};

/// From so many cells on, a list of rows is no longer looked at as a whole.
pub(super) const MANY: usize = 24;
/// Fewer cells of one operation are as well told in rows.
const FEWEST: usize = 6;

/// Across: file size, queue depth and jobs.
type Column = (u64, u32, u32);

/// Cells that differ in these sizes alone.
pub(super) struct HeatGrid<'a> {
    /// What was done in all of them.
    pub(super) title: String,
    /// The sizes and depths, the smallest first.
    pub(super) columns: Vec<Column>,
    /// Record sizes in bytes, the smallest first.
    pub(super) rows: Vec<u64>,
    cells: BTreeMap<(u64, Column), &'a Cell>,
    /// What was done, without these sizes.
    work: Workload,
    unit: Unit,
}

impl<'a> HeatGrid<'a> {
    /// The cell at a place, where there is one.
    pub(super) fn at(&self, row: u64, column: Column) -> Option<&'a Cell> {
        self.cells.get(&(row, column)).copied()
    }

    /// Every cell, by its place.
    pub(super) fn cells(&self) -> impl Iterator<Item = &'a Cell> {
        self.cells.values().copied()
    }

    /// What columns are called: by what differs between them.
    pub(super) fn column_name(&self, column: Column) -> String {
        let varies = |of: fn(&Column) -> u64| {
            let mut all = self.columns.iter().map(of);
            let first = all.next();
            all.any(|one| Some(one) != first)
        };
        let (depths, jobs) = (varies(|c| u64::from(c.1)), varies(|c| u64::from(c.2)));
        let mut words = Vec::new();
        if varies(|c| c.0) || !(depths || jobs) {
            words.push(etalon_language::figure(Bytes(column.0)));
        }
        words.extend(depths.then(|| format!("QD{}", column.1)));
        words.extend(jobs.then(|| say!("count-jobs", count = column.2)));
        words.join(", ")
    }

    fn arranged(mut self) -> HeatGrid<'a> {
        self.rows = self.cells.keys().map(|(row, _)| *row).collect();
        self.columns = self.cells.keys().map(|(_, column)| *column).collect();
        self.columns.sort_unstable();
        self.columns.dedup();
        // Records are the first part of each place, so that they are in order.
        self.rows.dedup();
        self
    }
}

/// The grids among the cells, in the order of the table, and the cells that are in none.
pub(super) fn grids<'a>(
    cells: impl IntoIterator<Item = &'a Cell>,
) -> (Vec<HeatGrid<'a>>, Vec<&'a Cell>) {
    let (mut grids, mut rest) = (Vec::<HeatGrid<'_>>::new(), Vec::new());
    for cell in cells {
        let Some((title, work, place)) = placed(cell) else {
            rest.push(cell);
            continue;
        };
        let at = grids
            .iter()
            .position(|grid| grid.work == work && grid.unit == cell.unit);
        let at = at.unwrap_or_else(|| {
            grids.push(HeatGrid {
                title,
                columns: Vec::new(),
                rows: Vec::new(),
                cells: BTreeMap::new(),
                work,
                unit: cell.unit,
            });
            grids.len() - 1
        });
        // Two at one place differ in what the sizes do not say, such as the level of a plan.
        match grids[at].cells.entry(place) {
            Entry::Occupied(_) => rest.push(cell),
            Entry::Vacant(free) => {
                free.insert(cell);
            }
        }
    }
    let (grids, few): (Vec<_>, Vec<_>) = grids.into_iter().partition(|g| g.cells.len() >= FEWEST);
    rest.extend(few.iter().flat_map(HeatGrid::cells));
    (named(grids), rest)
}

/// Grids of one operation are told apart by their first cell.
fn named(grids: Vec<HeatGrid<'_>>) -> Vec<HeatGrid<'_>> {
    let titles: Vec<String> = grids.iter().map(|grid| grid.title.clone()).collect();
    let is_shared = |title: &String| titles.iter().filter(|other| *other == title).count() > 1;
    let named = grids.into_iter().map(|grid| {
        let first = grid.cells().next().filter(|_| is_shared(&grid.title));
        let title =
            first.map(|first| say!("report-grid-from", title = grid.title, row = label(first)));
        let mut grid = grid.arranged();
        grid.title = title.unwrap_or(grid.title);
        grid
    });
    named.collect()
}

/// What a cell does, the same without its sizes, and its place.
fn placed(cell: &Cell) -> Option<(String, Workload, (u64, Column))> {
    match &cell.workload {
        Workload::Io(io) => {
            let record = io.block_size.one()?.get();
            let column = (io.file_size.get(), io.queue_depth, io.jobs);
            let mut other = io.clone();
            other.block_size = Bytes::ZERO.into();
            other.file_size = Bytes::ZERO;
            (other.queue_depth, other.jobs) = (0, 0);
            let title = display_name(io.operation.name());
            Some((title, other.into(), (record, column)))
        }
        Workload::Task(task) => {
            let column = (task.file_size?.get(), 0, task.jobs.unwrap_or(0));
            let record = task.block_size?.get();
            let mut other = without_sizes(task);
            other.jobs = None;
            other.parameters.retain(|name, _| name != "workers");
            let title = format!("{} {}", task.work, task.step);
            Some((title, other.into(), (record, column)))
        }
    }
}

/// The same at any size. Tools keep their sizes as they were asked for, too.
pub(super) fn without_sizes(task: &TaskWorkload) -> TaskWorkload {
    let sizes = [task.file_size, task.block_size];
    let mut other = task.clone();
    (other.file_size, other.block_size) = (None, None);
    other.parameters.retain(
        |_, value| !matches!(value, Parameter::Size { bytes } if sizes.contains(&Some(*bytes))),
    );
    other
}
