//! When and on which processor a worker starts.

use std::thread;
use std::time::Duration;

use etalon_host::clock::now;
use etalon_units::Nanos;
use rustix::thread::{CpuSet, sched_setaffinity};

use super::FileOpError;
use super::prepare::WorkerJob;

/// Sleeps most of the way; the wake-up may be late by the timer's slack (50 µs), which is outside
/// this worker's own clock.
pub(crate) fn sleep_until(moment: Nanos) {
    loop {
        let left = moment.0.saturating_sub(now().0);
        if left == 0 {
            return;
        }
        thread::sleep(Duration::from_nanos(left));
    }
}

/// Binds the calling thread to one processor.
pub(crate) fn bind(cpu: usize, job: &WorkerJob) -> Result<(), FileOpError> {
    let mut set = CpuSet::new();
    set.set(cpu);
    sched_setaffinity(None, &set).map_err(|errno| FileOpError::Io {
        action: "bind to a processor the worker of",
        path: job.path.clone(),
        source: errno.into(),
    })
}
