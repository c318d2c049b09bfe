//! From the runs of the rows that were measured together to their cells.

use std::collections::BTreeMap;

use etalon_judge::sift;
use etalon_model::{Finding, Run};

use super::batch::{Batch, Figure, RowSeries};
use super::cell::CellGoal;
use super::findings::Ground;
use super::kept::Records;
use super::series::Series;
use super::session::{RowCells, Session};
use super::{Cell, Options};

/// A figure's runs after the checks.
struct Checked {
    series: Series,
    findings: Vec<Finding>,
    /// The numbers of the runs that its figure is of.
    counted: Vec<usize>,
}

impl Session<'_> {
    /// Judges the series of rows that were measured together, row by row, and hands them on; what was
    /// never begun is left out.
    pub(crate) fn judge(&mut self, batch: Batch, workers: Option<usize>) -> Vec<RowCells> {
        let options: &Options = self.options;
        let (general, ground) = (self.general(), self.ground());
        let goal = CellGoal {
            precision: options.precision(),
            repeat: &self.bench.repeat,
            common: batch.common.as_ref(),
        };
        let mut runs = batch.runs;
        let mut records = Records::new(general);
        let mut rows = Vec::new();
        let mut places = places(&runs);
        for RowSeries { row, all } in batch.rows {
            let mut cells = Vec::new();
            for figure in all.into_iter().filter(Figure::is_begun) {
                let own = places.remove(&figure.cell).unwrap_or_default();
                let Checked {
                    series,
                    mut findings,
                    counted,
                } = check(figure.series, (&mut runs, &own), ground);
                // What holds for all figures is said once.
                findings.retain(|finding| !records.holds_for_all(finding));
                let cell = Cell::judge(series, row, workers, &goal, findings);
                let counted: Vec<&Run> = counted.iter().map(|at| &runs[*at]).collect();
                records.add(&cell, &counted);
                cells.push(cell);
            }
            self.cells.extend(cells.iter().cloned());
            if !cells.is_empty() {
                rows.push((row, cells));
            }
        }
        self.keep(records.cells, runs);
        rows
    }
}

/// Where the runs of each cell are.
fn places(runs: &[Run]) -> BTreeMap<String, Vec<usize>> {
    let mut places: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (at, run) in runs.iter().enumerate() {
        places.entry(run.cell.clone()).or_default().push(at);
    }
    places
}

/// Completes the findings of the runs `own`, and leaves those out that do not count. Of a series that
/// did not end well all runs count, since its figure covers what was done until then.
fn check(series: Series, (runs, own): (&mut [Run], &[usize]), ground: Ground<'_>) -> Checked {
    if own.len() != series.measured.len() {
        let all = series.measured.iter();
        let found = all.flat_map(|measured| ground.of_pass(series.op, measured, None));
        return Checked {
            findings: gravest(found),
            series,
            counted: Vec::new(),
        };
    }
    for (number, (measured, at)) in (0..).zip(series.measured.iter().zip(own)) {
        let run = &mut runs[*at];
        run.block = number;
        run.findings = ground.of_pass(series.op, measured, Some(run));
    }
    let all: Vec<&Run> = own.iter().map(|at| &runs[*at]).collect();
    match sift(&all).filter(|_| series.cut().is_none()) {
        Some(sifted) => {
            let counts = |run: &&Run| sifted.kept.iter().any(|kept| std::ptr::eq(*kept, *run));
            let flags: Vec<bool> = all.iter().map(counts).collect();
            let counted = own.iter().zip(&flags).filter(|(_, counts)| **counts);
            Checked {
                counted: counted.map(|(at, _)| *at).collect(),
                series: series.only(&flags),
                findings: sifted.findings,
            }
        }
        None => Checked {
            findings: gravest(all.iter().flat_map(|run| run.findings.clone())),
            counted: own.to_vec(),
            series,
        },
    }
}

/// Each code once, as the gravest of its findings says it.
fn gravest(all: impl Iterator<Item = Finding>) -> Vec<Finding> {
    let mut found: Vec<Finding> = Vec::new();
    for finding in all {
        match found.iter_mut().find(|known| known.code == finding.code) {
            Some(known) if finding.severity > known.severity => *known = finding,
            Some(_) => {}
            None => found.push(finding),
        }
    }
    found
}
