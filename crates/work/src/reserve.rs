//! A tenth of the filesystem stays free also where nobody can tell before how much a step will write.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use etalon_host::FreeSpace;

use super::error::WorkError;
use super::step::Step;

/// How often the free space is looked at while a step goes on.
const POLL_INTERVAL: Duration = Duration::from_millis(100);

/// Acts as long as more than that tenth is free on the filesystem of `place`; the act is stopped when it no longer is.
///
/// # Errors
/// Those of `act`, and [`WorkError::Reserve`].
pub(super) fn within<T>(
    place: &Path,
    step: &mut Step<'_>,
    act: impl FnOnce(&mut Step<'_>) -> Result<T, WorkError>,
) -> Result<T, WorkError> {
    look(place)?;
    let (ends, over) = (AtomicBool::new(false), AtomicBool::new(false));
    let stop = step.stop;
    thread::scope(|scope| {
        let watch = scope.spawn(|| watch(place, stop, (&ends, &over)));
        let going = Going(&over);
        let mut watched = Step {
            stop: &ends,
            tally: step.tally,
        };
        let result = act(&mut watched);
        step.tally = watched.tally;
        drop(going);
        watch.thread().unpark();
        match (result, watch.join()) {
            (Err(WorkError::Stopped), Ok(Err(why))) => Err(why),
            (result, _) => result,
        }
    })
}

/// Looks until all is over, and says why the act ends before.
fn watch(
    place: &Path,
    stop: &AtomicBool,
    (ends, over): (&AtomicBool, &AtomicBool),
) -> Result<(), WorkError> {
    while !over.load(Ordering::Relaxed) {
        let seen = match stop.load(Ordering::Relaxed) {
            true => Err(WorkError::Stopped),
            false => look(place),
        };
        if seen.is_err() {
            ends.store(true, Ordering::Relaxed);
            return seen;
        }
        thread::park_timeout(POLL_INTERVAL);
    }
    Ok(())
}

/// A filesystem that does not answer, or has no size, sets no limit.
fn look(place: &Path) -> Result<(), WorkError> {
    match FreeSpace::of_path(place) {
        Ok(space) if space.has_size() && space.allowance().get() == 0 => Err(WorkError::Reserve {
            place: place.components().collect(),
            free: space.available(),
            kept: space.kept(),
        }),
        _ => Ok(()),
    }
}

/// An act that goes on; also a panic in it ends the watch.
struct Going<'o>(&'o AtomicBool);

impl Drop for Going<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
