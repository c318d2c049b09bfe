//! The two-way thread between a run and whoever waits for it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use etalon_units::Nanos;

/// Asks a run to stop, and shows how far it is; clones share both.
///
/// ```
/// use std::sync::atomic::Ordering;
///
/// let control = etalon_engine::Control::default();
/// let of_the_run = control.clone();
/// control.stop.store(true, Ordering::Relaxed);
/// assert!(of_the_run.stopped());
/// ```
#[derive(Debug, Clone, Default)]
pub struct Control {
    /// Set to end the work early; noticed within half a second.
    pub stop: Arc<AtomicBool>,
    /// Counts that grow while the work goes on.
    pub progress: Arc<Progress>,
    /// Whether to wait for a target that is in use, instead of refusing it.
    pub wait_for_target: bool,
    /// How long to wait at most until nothing else keeps the disks beneath the target or the processors busy; `None` begins
    /// at once.
    pub wait_for_quiet: Option<Nanos>,
}

/// How far the work is; each counter lags by up to ten milliseconds.
#[derive(Debug, Default)]
pub struct Progress {
    /// Operations ended.
    pub operations: AtomicU64,
    /// Bytes moved, by [`prepare`](crate::prepare) too.
    pub bytes: AtomicU64,
}

impl Control {
    /// True once somebody asked for the end.
    #[inline]
    pub fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}
