//! A statement that takes long ends soon after the work was asked to stop.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use etalon_factor::kill_within;
use etalon_work::WorkError;

/// How often the flag is looked at.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// Ends a statement of a private server, whose processes work in `directory`, by ending them.
pub fn by_signal(directory: PathBuf) -> Box<dyn Fn() + Send> {
    Box::new(move || kill_within(&directory))
}

/// Does `act`, and calls `interrupt` from another thread once `stop` is set meanwhile; whatever fails
/// then has failed for that.
///
/// # Errors
/// Those of `act`; [`WorkError::Stopped`] in their place once `stop` is set.
pub fn on_stop(
    stop: &AtomicBool,
    interrupt: Box<dyn Fn() + Send>,
    act: impl FnOnce() -> Result<(), WorkError>,
) -> Result<(), WorkError> {
    let ended = AtomicBool::new(false);
    let over = &ended;
    std::thread::scope(|scope| {
        let watch = scope.spawn(move || {
            while !over.load(Ordering::Relaxed) {
                if stop.load(Ordering::Relaxed) {
                    interrupt();
                }
                std::thread::park_timeout(POLL_INTERVAL);
            }
        });
        let result = act();
        over.store(true, Ordering::Relaxed);
        watch.thread().unpark();
        match result {
            Err(_) if stop.load(Ordering::Relaxed) => Err(WorkError::Stopped),
            result => result,
        }
    })
}
