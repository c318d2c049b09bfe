//! The runs of a figure as records, for the judge and for whoever keeps them.

use crate::keeper::part_of;
use etalon_file_ops::{Direction, FileOp, Pass};
use etalon_model::{Fallback, JobTotals, Measurement, OpTotals};
use etalon_units::Bytes;
use etalon_workload::measurable::PartReport;

use super::Options;
use super::batch::BatchFigure;
use super::series::Measured;

/// What one run of a figure came to, as this part of a pass.
pub(super) fn report(
    (figure, measured): (&BatchFigure, &Measured),
    part: &str,
    options: &Options,
) -> PartReport {
    let op = figure.series.op;
    let names = (part, figure.cell.as_str());
    let measurement = measurement(op, measured, options);
    part_of(names, figure.workload.clone(), measurement)
}

fn measurement(op: FileOp, measured: &Measured, options: &Options) -> Measurement {
    let totals = |direction: Direction| {
        let passes = || {
            let all = measured.passes.iter();
            all.filter(move |pass| direction_of(op, pass) == direction)
        };
        OpTotals {
            operations: passes().map(|pass| pass.operations).sum(),
            bytes: Bytes(passes().map(|pass| pass.bytes.get()).sum()),
            ..OpTotals::default()
        }
    };
    let jobs = measured.passes.iter().map(|pass| JobTotals {
        operations: pass.operations,
        bytes: pass.bytes,
        duration: pass.elapsed(),
    });
    let mut record = Measurement::of_nothing(measured.elapsed);
    record.direct = Some(measured.passes.iter().all(|pass| pass.direct));
    record.reads = totals(Direction::Read);
    record.writes = totals(Direction::Write);
    record.bytes_with_warm_up = measured.bytes();
    record.jobs = jobs.collect();
    record.fsyncs = fsyncs(op, &record, options);
    let mut refusals = measured.passes.iter().map(|pass| pass.direct_refused);
    if let Some(errno) = refusals.find_map(|refused| refused) {
        record.fallbacks.push(Fallback::DirectRefused { errno });
    }
    if let Some(ended) = measured.cut() {
        record.ended = ended;
    }
    record
}

/// How often data were made durable inside the clock: each record, or each file at its end.
fn fsyncs(op: FileOp, record: &Measurement, options: &Options) -> u64 {
    let written = record.writes.operations;
    match (options.durable(op), options.settings.flush_in_clock) {
        (false, _) => 0,
        (true, true) => written.min(record.jobs.len() as u64),
        (true, false) => written,
    }
}

/// The workers of a mixed operation differ.
fn direction_of(op: FileOp, pass: &Pass) -> Direction {
    match op {
        FileOp::Mixed => pass.op.direction(),
        _ => op.direction(),
    }
}
