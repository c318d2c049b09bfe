//! The 100 ms slices of a run as a sample of windows.

use etalon_model::Run;
use etalon_stats::Sample;
use etalon_units::Nanos;

/// Length of one slice of a series.
pub(crate) const SLICE: Nanos = Nanos::millis(100);

/// Fewer slices tell nothing of a run's course.
const FEWEST: usize = 40;

/// Operations of each whole slice; `None` of a run that is too short. The last slice is cut off by
/// the end of the run.
pub(crate) fn windows(run: &Run) -> Option<Sample> {
    let whole = run
        .measurement
        .series
        .split_last()
        .map(|(_, whole)| whole)?;
    if whole.len() < FEWEST {
        return None;
    }
    Sample::new(whole.iter().map(|point| point.operations as f64).collect()).ok()
}
