//! A run from its directory to its removal.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use super::error::MetadataError;
use super::prepared::prepare;
use super::record::{MetadataEnd, MetadataRecord};
use super::settings::MetadataWorkload;
use crate::PartWitness;

/// Carries out `workload` in a new directory below `place`, which is removed in the end, also when
/// the run fails or `stop` is set; a stop is noticed within one operation of each job. The witness
/// is told of each phase from the first on that is asked for, while all jobs wait.
///
/// # Errors
/// [`MetadataError`] when the run could not begin, or its directory not be removed after a run in
/// which nothing failed. What fails within it is told by [`MetadataRecord::ended`], with all figures
/// until then; its directory may then be left, as on a disk that is gone.
pub fn run(
    workload: &MetadataWorkload,
    place: &Path,
    stop: &AtomicBool,
    witness: &(dyn PartWitness + Sync),
) -> Result<MetadataRecord, MetadataError> {
    let prepared = prepare(workload, place, stop)?;
    let record = prepared.run(stop, witness)?;
    let removed = prepared.remove();
    match record.ended {
        // What failed first is told, not what that left behind.
        MetadataEnd::DiskFull { .. } | MetadataEnd::Failed { .. } => {}
        MetadataEnd::Complete | MetadataEnd::Interrupted => removed?,
    }
    Ok(record)
}
