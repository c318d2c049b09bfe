//! The figures of one tree as records for whoever keeps runs.

use std::time::SystemTime;

use etalon_model::{Run, TaskFigure, TaskWorkload};
use etalon_workload::tree::PhaseRecord;

use super::options::Options;
use crate::keeper::{ToolRun, by_one_job, named, yes};

/// The record of a phase that has just ended; `block` counts the trees from 0.
pub(super) fn run(phase: &PhaseRecord, options: &Options, block: u32) -> Run {
    let shape = &options.tree.shape;
    let mut measurement = by_one_job(phase.count, phase.bytes, phase.elapsed());
    measurement.metadata.operations = phase.count;
    measurement.metadata.bytes = phase.bytes;
    measurement.final_fsync = phase.sync;
    let step = phase.phase.words();
    ToolRun {
        cell: step.to_owned(),
        workload: TaskWorkload::of_texts(
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
        ),
        block,
        ended: SystemTime::now(),
        measurement,
    }
    .record()
}
