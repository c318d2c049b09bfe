//! A statement that takes long ends soon after the work was asked to stop.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use etalon_factor::kill_within;
use etalon_work::WorkError;

use crate::Home;

/// How often the flag is looked at.
const POLL_INTERVAL: Duration = Duration::from_millis(50);
/// How often the end of the log is read.
const LOOK_INTERVAL: Duration = Duration::from_secs(1);
/// What does not end on a filesystem without room for so long waits for room.
const FULL_TIMEOUT: Duration = Duration::from_secs(10);

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
    watched(stop, || false, interrupt, act)
}

/// The same, and `interrupt` also once the server of `home` waits for free space, by its log, or by a filesystem that
/// stays without room, where the log itself finds none: nothing else would end that.
///
/// # Errors
/// Those of `act`; [`WorkError::Stopped`] in their place once `stop` is set.
pub fn on_stop_or_stuck(
    stop: &AtomicBool,
    home: &Home,
    interrupt: Box<dyn Fn() + Send>,
    act: impl FnOnce() -> Result<(), WorkError>,
) -> Result<(), WorkError> {
    let mut full_since = None;
    let is_stuck = move || {
        if !home.has_no_room() {
            full_since = None;
            return home.is_stuck();
        }
        home.is_stuck() || stays(&mut full_since)
    };
    watched(stop, is_stuck, interrupt, act)
}

/// Whether what was first seen at `since`, or is now, has lasted.
fn stays(since: &mut Option<Instant>) -> bool {
    since.get_or_insert_with(Instant::now).elapsed() > FULL_TIMEOUT
}

fn watched(
    stop: &AtomicBool,
    mut is_stuck: impl FnMut() -> bool + Send,
    interrupt: Box<dyn Fn() + Send>,
    act: impl FnOnce() -> Result<(), WorkError>,
) -> Result<(), WorkError> {
    let ended = AtomicBool::new(false);
    let over = &ended;
    std::thread::scope(|scope| {
        let watch = scope.spawn(move || {
            let mut looked = Instant::now();
            while !over.load(Ordering::Relaxed) {
                let is_due = looked.elapsed() > LOOK_INTERVAL;
                if is_due {
                    looked = Instant::now();
                }
                if stop.load(Ordering::Relaxed) || (is_due && is_stuck()) {
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
