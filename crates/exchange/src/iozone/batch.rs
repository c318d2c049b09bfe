//! The rows of one file size, measured together: each pass goes over all of them, so that what
//! changes with time touches all alike, and their figures learn from one another how runs scatter.

use std::path::PathBuf;
use std::sync::atomic::Ordering;

use etalon_stats::{CommonSpread, Sample};
use etalon_workload::file_ops::{FileOpError, Placed};

use super::Row;
use super::measure::{Bench, Series};
use super::repeat::Repeat;

/// A row of the table with the runs of its operations.
#[derive(Debug, Clone)]
pub(crate) struct RowSeries {
    pub(crate) row: Row,
    pub(crate) all: Vec<Series>,
}

impl RowSeries {
    fn is_open(&self) -> bool {
        self.all.iter().any(|series| series.open)
    }
}

/// Rows that were measured together.
#[derive(Debug)]
pub(crate) struct Batch {
    pub(crate) rows: Vec<RowSeries>,
    /// What their figures have in common; `None` where they are too few.
    pub(crate) common: Option<CommonSpread>,
}

impl Batch {
    fn new(bench: &Bench<'_>, rows: &[Row]) -> Batch {
        let operations = bench.options.operations();
        let all = || operations.iter().map(|&op| Series::new(op)).collect();
        let rows = rows.iter().map(|&row| RowSeries { row, all: all() });
        Batch {
            rows: rows.collect(),
            common: None,
        }
    }

    /// Decides of each series whether it goes on; whether any does.
    fn decide(&mut self, repeat: &Repeat) -> bool {
        let series = || self.rows.iter().flat_map(|row| &row.all);
        let samples: Option<Vec<Sample>> = series().map(Series::sample).collect();
        self.common = samples.and_then(|samples| CommonSpread::of(&samples));
        let common = self.common.as_ref();
        let mut any = false;
        for series in self.rows.iter_mut().flat_map(|row| &mut row.all) {
            series.open = series.open && repeat.is_open(series, common);
            any |= series.open;
        }
        any
    }
}

impl Bench<'_> {
    /// Measures every operation at every row until the goal is reached, something fails, or the
    /// user stops it. What was measured until then is returned in any case, and beside it what kept
    /// an operation from beginning.
    pub(crate) fn batch(
        &mut self,
        rows: &[Row],
        placed: &mut Placed,
    ) -> (Batch, Result<(), FileOpError>) {
        let mut batch = Batch::new(self, rows);
        let paths = placed.paths();
        let mut laid_out_for = None;
        loop {
            for row in batch.rows.iter_mut().filter(|row| row.is_open()) {
                let stands = laid_out_for.replace(row.row) == Some(row.row);
                match self.pass(row, stands, &paths, placed) {
                    Ok(true) => {}
                    Ok(false) => return (batch, Ok(())),
                    Err(error) => return (batch, Err(error)),
                }
            }
            if !batch.decide(&self.repeat) {
                return (batch, Ok(()));
            }
        }
    }

    /// Measures the open operations of a row once; whether all of them ended well. `stands` tells
    /// that the file is as this row left it.
    fn pass(
        &mut self,
        row: &mut RowSeries,
        stands: bool,
        paths: &[PathBuf],
        placed: &mut Placed,
    ) -> Result<bool, FileOpError> {
        let settings = self.settings(row.row, paths.len());
        // Like iozone: what is dirty now is not to be written back during the tests.
        rustix::fs::sync();
        for series in &mut row.all {
            // Where another row was at the file, what lays it out comes first.
            let lays_out = !stands && series.op.creates();
            if !series.open && !lays_out {
                continue;
            }
            if self.stop.load(Ordering::Relaxed) {
                return Ok(false);
            }
            let measured = self.once(series.op, &settings, paths, placed)?;
            let cut = measured.cut().is_some();
            series.measured.push(measured);
            if cut {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
