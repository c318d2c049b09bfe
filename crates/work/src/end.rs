//! How a work ended, from how its steps went and how cleaning up did.

use super::error::{WorkError, with_cleanup};
use super::record::WorkEnd;

/// The end of a work, of which steps were timed or not.
///
/// # Errors
/// What failed before any step was timed.
pub(super) fn end_of(
    worked: Result<(), WorkError>,
    cleaned: Result<(), WorkError>,
    has_steps: bool,
) -> Result<WorkEnd, WorkError> {
    let is_whole = matches!(worked, Ok(()) | Err(WorkError::Stopped));
    match with_cleanup(worked, cleaned) {
        Ok(()) => Ok(WorkEnd::Complete),
        Err(WorkError::Stopped) => Ok(WorkEnd::Interrupted),
        Err(error) if !has_steps => Err(error),
        Err(error) => Ok(failed(is_whole, &error)),
    }
}

fn failed(is_whole: bool, error: &WorkError) -> WorkEnd {
    let message = error.to_string();
    match error.is_disk_full() {
        // Nothing is wrong with the steps.
        _ if is_whole => WorkEnd::LeftOver { message },
        true => WorkEnd::DiskFull { message },
        false => WorkEnd::Failed { message },
    }
}
