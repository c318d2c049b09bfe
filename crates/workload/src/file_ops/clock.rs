//! The clocks and counters of a pass.

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
pub(crate) fn fetched_so_far() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/thread-self/io").ok()?;
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
