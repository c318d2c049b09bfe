//! The passes over the rows of one file size, made and judged like every other measurement.
//!
//! A test of a small file takes microseconds, and looking at the whole machine takes milliseconds.
//! The machine is therefore looked at around passes of 100 ms together, and the counters of the
//! storage around each test that is long enough (`Bench::is_counted`).

use std::convert::Infallible;
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::time::SystemTime;

use etalon_experiment::run::{self, Observer, Schedule, ShortPasses, Step};
use etalon_experiment::{Event, ExperimentError, Witness, WitnessError};
use etalon_file_ops::{ClockWitness, FileOpError, Placed};
use etalon_model::Run;
use etalon_workload::measurable::{EndedPart, PassReport};
use etalon_workload::{Measurable, PartWitness};

use super::allowance::Allowance;
use super::batch::Batch;
use super::kept;
use super::measure::{Bench, writes};
use super::session::IozoneSession;
use super::{GridRow, IozoneError};

/// Passes that are made whatever they take: from one run nothing is learnt.
const FEWEST: u32 = 2;

/// The passes over some rows.
pub(super) struct Rows<'s, 'a> {
    bench: &'s mut Bench<'a>,
    batch: Batch,
    placed: &'s mut Placed,
    paths: Vec<PathBuf>,
    /// The row that left the file as it stands.
    laid_out_for: Option<GridRow>,
    allowance: Allowance,
    /// Whether the pass under way may be ended by what the allowance says.
    is_limited: bool,
    /// Each test that was not reported yet.
    made: Vec<MadeRow>,
    /// Whether something was stopped or failed.
    is_over: bool,
    failure: Result<(), FileOpError>,
}

impl<'s, 'a> Rows<'s, 'a> {
    pub(super) fn new(
        bench: &'s mut Bench<'a>,
        rows: &[GridRow],
        placed: &'s mut Placed,
    ) -> Rows<'s, 'a> {
        let paths = placed.paths();
        let workers = bench.together.is_some().then_some(paths.len());
        Rows {
            batch: Batch::new(bench, rows, workers),
            allowance: Allowance::new(
                rows.len(),
                bench.options.repeat.passes_of_time(),
                bench.spare_seconds,
            ),
            bench,
            placed,
            paths,
            laid_out_for: None,
            is_limited: false,
            made: Vec::new(),
            is_over: false,
            failure: Ok(()),
        }
    }

    /// Makes all passes; without an observer nothing is looked at around them.
    pub(super) fn measure(
        mut self,
        observer: Option<&Observer<'_>>,
    ) -> Result<(Batch, Result<(), FileOpError>), ExperimentError> {
        let stop = self.bench.stop;
        let mut runs = Vec::new();
        let mut session = Passes {
            rows: &mut self,
            observer: observer.map(ShortPasses::new),
        };
        run::repeat(&mut session, Schedule::Rows, stop, &mut Judged, &mut runs)?;
        self.bench.spare_seconds = self.allowance.left();
        self.batch.runs = runs;
        Ok((self.batch, self.failure))
    }

    /// Whether pass number `pass` is to be made.
    fn goes_on(&mut self, pass: u32) -> bool {
        let repeat = self.bench.options.repeat;
        let is_done = pass > 0 && !self.batch.decide(repeat);
        let passes = repeat.passes_of_time();
        let enough = passes.is_some_and(|passes| pass as usize >= passes);
        self.is_limited = pass >= FEWEST && (self.batch.common.is_some() || enough);
        let is_late = self.is_limited && self.allowance.is_spent();
        !(is_done || is_late)
    }

    /// One pass over the open rows; whether all of it ended well.
    fn sweep(&mut self, witness: &(dyn PartWitness + Sync)) -> Result<bool, FileOpError> {
        for row in 0..self.batch.rows.len() {
            if !self.batch.rows[row].is_open() {
                continue;
            }
            if self.is_limited && self.allowance.is_spent() {
                break;
            }
            if !self.row(row, witness)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Measures the open operations of a row once; whether all of them ended well.
    fn row(
        &mut self,
        index: usize,
        witness: &(dyn PartWitness + Sync),
    ) -> Result<bool, FileOpError> {
        let row = &mut self.batch.rows[index];
        let stands = self.laid_out_for.replace(row.row) == Some(row.row);
        let settings = self.bench.settings(row.row);
        // Like iozone: what is dirty now is not to be written back during the tests.
        rustix::fs::sync();
        let layer = row.layer();
        for (at, figure) in row.all.iter_mut().enumerate() {
            let series = &mut figure.series;
            // Where another row was at the file, what lays it out comes first.
            let lays_out = !stands && layer == Some(at);
            if !series.open && !lays_out {
                continue;
            }
            if self.bench.stop.load(Ordering::Relaxed) || !self.bench.come_to_rest()? {
                return Ok(false);
            }
            let number = series.measured.len();
            let clock = Clock {
                part: (&figure.cell, number),
                witness,
            };
            let told: &dyn ClockWitness = match self.bench.is_counted(series.op, row.row) {
                true => &clock,
                false => &(),
            };
            let (paths, placed) = (&self.paths, &mut *self.placed);
            let work = (series.op, &settings);
            let measured = match self.bench.once(work, paths, placed, told) {
                Err(error) if error.is_stop() => return Ok(false),
                measured => measured?,
            };
            let cut = measured.cut().is_some();
            series.measured.push(measured);
            self.made.push(MadeRow {
                row: index,
                figure: at,
                number,
            });
            if cut {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

impl IozoneSession<'_> {
    /// Measures every operation at every row until the goal is reached, something fails, or the
    /// user stops it. What was measured until then is returned in any case, and beside it what kept
    /// an operation from beginning.
    pub(crate) fn batch(
        &mut self,
        rows: &[GridRow],
        placed: &mut Placed,
    ) -> Result<(Batch, Result<(), FileOpError>), IozoneError> {
        self.look(placed);
        Ok(Rows::new(&mut self.bench, rows, placed).measure(self.observer.as_ref())?)
    }
}

/// A test that was made: its row, its figure there, and which of its runs it was.
#[derive(Clone, Copy)]
struct MadeRow {
    row: usize,
    figure: usize,
    number: usize,
}

/// What a run of a cell is called among the parts of passes.
fn part(cell: &str, number: usize) -> String {
    format!("{cell}, {number}")
}

/// Tells the witness of a pass of the clock of one of its parts.
struct Clock<'c> {
    part: (&'c str, usize),
    witness: &'c (dyn PartWitness + Sync),
}

impl ClockWitness for Clock<'_> {
    fn starts(&self) {
        self.witness.begins(&part(self.part.0, self.part.1));
    }

    fn stopped(&self) {
        self.witness.ended(&part(self.part.0, self.part.1));
    }
}

impl Measurable for Rows<'_, '_> {
    type Error = Infallible;

    /// What is found in files after a pass that wrote them says nothing of the tests before.
    fn files(&self, _target: usize) -> Vec<PathBuf> {
        let operations = self.bench.options.operations();
        match operations.into_iter().any(writes) {
            true => Vec::new(),
            false => self.paths.clone(),
        }
    }

    fn carry_out(&mut self, witness: &(dyn PartWitness + Sync)) -> Result<(), Infallible> {
        self.allowance.begin();
        let swept = self.sweep(witness);
        self.allowance.end();
        self.is_over = !matches!(swept, Ok(true));
        self.failure = swept.map(drop);
        Ok(())
    }

    fn report(&mut self, _ended: &[EndedPart]) -> PassReport {
        let (rows, options) = (&self.batch.rows, self.bench.options);
        let report = |made: MadeRow| {
            let figure = &rows[made.row].all[made.figure];
            let measured = &figure.series.measured[made.number];
            let part = part(&figure.cell, made.number);
            kept::report((figure, measured), &part, options)
        };
        PassReport {
            parts: self.made.drain(..).map(report).collect(),
            ..PassReport::default()
        }
    }
}

/// The rows with whoever looks around their passes.
struct Passes<'p, 's, 'a, 'o> {
    rows: &'p mut Rows<'s, 'a>,
    observer: Option<ShortPasses<'p, 'o>>,
}

impl run::Session for Passes<'_, '_, '_, '_> {
    fn open(
        &mut self,
        block: u32,
        _runs: &[Run],
        _witness: &mut dyn Witness,
    ) -> Result<Vec<usize>, ExperimentError> {
        let goes_on = self.rows.goes_on(block);
        Ok(if goes_on { vec![0] } else { Vec::new() })
    }

    fn pass(
        &mut self,
        step: Step,
        _witness: &mut dyn Witness,
    ) -> Result<Vec<Run>, ExperimentError> {
        let pass = step.begun.pass;
        match &mut self.observer {
            Some(observer) => observer.observe(self.rows, pass),
            None => {
                let begun = SystemTime::now();
                let Ok(()) = self.rows.carry_out(&());
                let parts = self.rows.report(&[]).parts.into_iter();
                Ok(parts
                    .map(|part| run::unobserved(part, pass, begun))
                    .collect())
            }
        }
    }

    fn is_over(&self) -> bool {
        self.rows.is_over
    }

    fn rest(&mut self) -> Vec<Run> {
        let open = self.observer.as_mut();
        open.map_or_else(Vec::new, |observer| observer.close(self.rows))
    }
}

/// The runs go to whoever keeps them when their figures are judged.
struct Judged;

impl Witness for Judged {
    fn event(&mut self, _event: Event<'_>) -> Result<(), WitnessError> {
        Ok(())
    }
}
