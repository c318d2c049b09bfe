//! Experiments that are made up, for a store of known size.

use etalon_model::{
    ExperimentKind, IoWorkload, Measurement, NewExperiment, Run, RunId, TargetRecord,
};
use etalon_store::{Store, StoreError};

/// An experiment of which nothing is known but its kind.
///
/// # Errors
///
/// Those of [`Store::begin_experiment`].
pub fn begin_made(store: &mut Store, kind: ExperimentKind) -> Result<RunId, StoreError> {
    store.begin_experiment(&NewExperiment {
        kind,
        started_unix_ns: 0,
        target: TargetRecord::default(),
        settings: serde_json::json!({}),
        seed: 1,
        tool_version: String::new(),
        owner: None,
    })
}

/// A run of random reads of 4 KiB at this queue depth, after which its cell is called, in this block and position.
pub fn made_run(depth: u32, (block, position): (u32, u32), measurement: Measurement) -> Run {
    let workload = IoWorkload {
        queue_depth: depth,
        ..IoWorkload::default()
    };
    let cell = format!("random read 4 KiB, QD{depth}");
    Run {
        block,
        position,
        ..Run::of(&cell, workload, measurement)
    }
}
