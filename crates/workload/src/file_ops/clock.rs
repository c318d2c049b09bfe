//! The clocks and counters of a pass.

use std::path::Path;

use etalon_units::Nanos;
use rustix::time::{ClockId, clock_gettime};

/// This moment on the monotonic clock.
#[inline]
pub(crate) fn now() -> Nanos {
    read_clock(ClockId::Monotonic)
}

/// `read_bytes` of this thread (proc_pid_io(5)): what reads made the kernel fetch, the page cache's
/// hits left out and its readahead included. The twin for writes counts what was dirtied, not what
/// was written, and is of no use.
///
/// With `helpers`, those of the kernel threads that work for this thread's ring are added: their
/// names are in io_uring/io-wq.c. What threads fetched that have ended meanwhile is lost.
pub(crate) fn fetched_so_far(helpers: bool) -> Option<u64> {
    let own = fetched_by(Path::new("/proc/thread-self"))?;
    if !helpers {
        return Some(own);
    }
    let name = format!("iou-wrk-{}", rustix::thread::gettid().as_raw_nonzero());
    let tasks = std::fs::read_dir("/proc/self/task").ok()?.flatten();
    let of_ring = tasks.map(|task| task.path()).filter(|task| {
        std::fs::read_to_string(task.join("comm")).is_ok_and(|found| found.trim_end() == name)
    });
    Some(own + of_ring.filter_map(|task| fetched_by(&task)).sum::<u64>())
}

fn fetched_by(task: &Path) -> Option<u64> {
    let text = std::fs::read_to_string(task.join("io")).ok()?;
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix("read_bytes:"))?;
    line.trim().parse().ok()
}

/// Processor time that this thread has used.
pub(crate) fn thread_time() -> Nanos {
    read_clock(ClockId::ThreadCPUTime)
}

#[inline]
fn read_clock(clock: ClockId) -> Nanos {
    let t = clock_gettime(clock);
    Nanos(
        (t.tv_sec as u64)
            .wrapping_mul(1_000_000_000)
            .wrapping_add(t.tv_nsec as u64),
    )
}
