//! From the runs of the rows that were measured together to their cells.

use std::collections::BTreeMap;

use etalon_model::{self as model, Finding, Run};

use super::Cell;
use super::batch::{Batch, BatchFigure, RowSeries};
use super::session::{IozoneSession, RowCells};

impl IozoneSession<'_> {
    /// Judges the series of rows that were measured together, row by row, and hands them on; what was
    /// never begun is left out.
    pub(crate) fn judge(&mut self, batch: Batch, workers: Option<usize>) -> Vec<RowCells> {
        let (general, facts) = (self.general(), self.common_facts());
        let uses_common_spread = batch.common.is_some();
        let goal = self.options.repeat.goal(batch.common);
        let mut runs = batch.runs;
        let mut records = Vec::new();
        let mut rows = Vec::new();
        let mut places = places(&runs);
        let first = self.passes;
        for RowSeries { row, all } in batch.rows {
            let mut cells = Vec::new();
            for figure in all.into_iter().filter(BatchFigure::is_begun) {
                let own = places.remove(&figure.cell).unwrap_or_default();
                let (op, measured) = (figure.series.op, &figure.series.measured);
                for (block, (measured, at)) in (first..).zip(measured.iter().zip(&own)) {
                    let run = &mut runs[*at];
                    run.block = block;
                    self.passes = self.passes.max(block + 1);
                    run.findings = facts.of_pass(op, measured, run);
                }
                let own: Vec<&Run> = own.iter().map(|at| &runs[*at]).collect();
                let cell = Cell::judge(figure, (row, workers), &own, &goal);
                cells.extend(cell.map(|cell| Cell {
                    uses_common_spread,
                    ..without(cell, &general)
                }));
            }
            records.extend(cells.iter().map(|cell| record(cell, &general)));
            self.cells.extend(cells.iter().cloned());
            if !cells.is_empty() {
                rows.push((row, cells));
            }
        }
        self.keep(records, runs);
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

/// What holds for all figures is said once.
fn without(mut cell: Cell, general: &[Finding]) -> Cell {
    let is_general = |finding: &Finding| general.iter().any(|all| all.code == finding.code);
    cell.judged.findings.retain(|finding| !is_general(finding));
    cell
}

/// What is kept of a cell: with the findings that hold for all.
fn record(cell: &Cell, general: &[Finding]) -> model::Cell {
    let findings = general.iter().chain(&cell.judged.findings);
    model::Cell {
        findings: findings.cloned().collect(),
        ..cell.judged.clone()
    }
}
