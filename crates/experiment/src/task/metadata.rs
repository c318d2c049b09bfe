//! Operations on names as an experiment: each operation is a cell in operations per second.

use etalon_engine::Control;
use etalon_workload::metadata::{MetadataOperation, MetadataRecord, MetadataWorkload, Names};

use super::{Repeat, TaskOutcome, on_target};
use crate::{ExperimentError, Witness};

/// What is measured of operations on names.
#[derive(Debug, Clone, PartialEq)]
pub struct MetadataRequest {
    /// On what and how often.
    pub repeat: Repeat,
    /// What is done; its seed is that of the experiment.
    pub workload: MetadataWorkload,
    /// The cells of operations that are not called after them.
    pub cells: Vec<(MetadataOperation, String)>,
}

/// Repeats operations on names in a private directory, which is removed at the end, and judges
/// each operation.
///
/// # Errors
/// [`ExperimentError`] when nothing could be measured. A failure within a run ends the experiment
/// and is told by [`Outcome::failure`](crate::Outcome::failure).
pub fn metadata(
    request: &MetadataRequest,
    control: &Control,
    witness: &mut dyn Witness,
) -> Result<TaskOutcome<MetadataRecord>, ExperimentError> {
    let (outcome, names) = on_target(&request.repeat, control, witness, |place| {
        let names = Names::new(request.workload.clone(), place.to_owned(), &control.stop);
        names.in_cells(request.cells.clone())
    })?;
    Ok(TaskOutcome {
        outcome,
        records: names.into_records(),
    })
}
