//! The rows of one file size, measured together: each pass goes over all of them, so that what
//! changes with time touches all alike, and their figures learn from one another how runs scatter.

use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::time::Instant;

use etalon_file_ops::{FileOpError, Placed};
use etalon_stats::{CommonSpread, Sample};

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

/// The time that a batch may take: that of so many of its first passes, and what smaller files have
/// left over.
struct Allowance {
    begun: Instant,
    passes: Option<usize>,
    /// Seconds that were left over before; below zero where more was taken.
    spare: f64,
    /// What of that a later batch has to give back.
    debt: f64,
    /// Seconds in all; known after the first pass.
    whole: Option<f64>,
}

/// Seconds that every batch may take: small files are passed over so quickly that many runs cost
/// nothing. Larger files pay them back, each a little.
const LEAST: f64 = 0.2;

/// How much of a pass is paid back at most.
const REPAID: f64 = 0.1;

/// Passes that are made whatever they take: from one run nothing is learnt.
const FEWEST: usize = 2;

impl Allowance {
    fn new(passes: Option<usize>, spare: f64) -> Allowance {
        Allowance {
            begun: Instant::now(),
            passes,
            spare,
            debt: 0.0,
            whole: None,
        }
    }

    /// The first pass over all rows has just ended.
    fn pass_is_over(&mut self) {
        let pass = self.begun.elapsed().as_secs_f64();
        let spare = self.spare.max(-REPAID * pass);
        self.whole = self.passes.map(|passes| passes as f64 * pass + spare);
        self.debt = self.spare - spare;
    }

    fn is_spent(&self) -> bool {
        self.whole
            .is_some_and(|whole| self.begun.elapsed().as_secs_f64() >= whole.max(LEAST))
    }

    /// What is left for the next batch.
    fn left(&self) -> f64 {
        let whole = self.whole.unwrap_or(0.0);
        self.debt + whole - self.begun.elapsed().as_secs_f64()
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
        let mut allowance = Allowance::new(self.repeat.passes_of_time(), self.spare_seconds);
        for pass in 0.. {
            let is_limited = pass >= FEWEST && batch.common.is_some();
            for row in batch.rows.iter_mut().filter(|row| row.is_open()) {
                if is_limited && allowance.is_spent() {
                    break;
                }
                let stands = laid_out_for.replace(row.row) == Some(row.row);
                match self.pass(row, stands, &paths, placed) {
                    Ok(true) => {}
                    Ok(false) => return (batch, Ok(())),
                    Err(error) => return (batch, Err(error)),
                }
            }
            if pass == 0 {
                allowance.pass_is_over();
            }
            if !batch.decide(&self.repeat) || (is_limited && allowance.is_spent()) {
                break;
            }
        }
        self.spare_seconds = allowance.left();
        (batch, Ok(()))
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

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    /// An allowance whose first pass took a second, and which is now so many seconds old.
    fn after(seconds: f64, passes: Option<usize>, spare: f64) -> Allowance {
        let ago = |seconds| Instant::now().checked_sub(Duration::from_secs_f64(seconds));
        let mut allowance = Allowance::new(passes, spare);
        allowance.begun = ago(1.0).unwrap();
        allowance.pass_is_over();
        allowance.begun = ago(seconds).unwrap();
        allowance
    }

    #[test]
    fn three_passes_time_and_what_others_left() {
        assert!(!after(2.9, Some(3), 0.0).is_spent());
        assert!(after(3.1, Some(3), 0.0).is_spent());
        assert!(!after(3.9, Some(3), 1.0).is_spent());
        assert!((after(2.5, Some(3), 1.0).left() - 1.5).abs() < 0.01);
        assert!(!after(1000.0, None, 0.0).is_spent(), "there is no limit");
    }

    #[test]
    fn debts_are_paid_back_by_and_by() {
        let allowance = after(2.95, Some(3), -1.0);
        assert!(allowance.is_spent(), "a tenth of a pass goes back");
        assert!(
            (allowance.left() + 0.95).abs() < 0.01,
            "{}",
            allowance.left()
        );
    }
}
