//! A phase of a tree as a part of a pass that is measured.

use etalon_model::{TaskFigure, TaskWorkload};
use etalon_workload::measurable::PartReport;
use etalon_workload::tree::PhaseRecord;

use super::options::Options;
use crate::keeper::{by_one_job, named, part_of, yes};

/// The report of a phase that has just ended.
pub(super) fn report(phase: &PhaseRecord, options: &Options) -> PartReport {
    let shape = &options.tree.shape;
    let mut measurement = by_one_job(phase.count, phase.bytes, phase.elapsed());
    measurement.metadata.operations = phase.count;
    measurement.metadata.bytes = phase.bytes;
    measurement.final_fsync = phase.sync;
    measurement.fsyncs = u64::from(options.tree.sync);
    let step = phase.phase.words();
    let workload = TaskWorkload::of_texts(
        "fdtree",
        step,
        TaskFigure::Rate,
        named([
            ("levels", shape.levels.to_string()),
            ("directories", shape.directories.to_string()),
            ("files", shape.files.to_string()),
            ("file_size", shape.file_size().to_string()),
            ("sync", yes(options.tree.sync)),
            ("zero", yes(options.tree.zero)),
        ]),
    );
    part_of((step, step), workload, measurement)
}
