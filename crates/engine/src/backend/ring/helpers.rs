//! The kernel threads that work for a ring.

use etalon_host::thread::{self, Thread};

/// Run time of the calling thread's `io_uring` workers and of all submission threads of the
/// process: what a file cannot do without waiting is done by them. Their names are in
/// io_uring/io-wq.c and sqpoll.c, the run time is the first field of `schedstat`
/// (Documentation/scheduler/sched-stats.rst). Workers that have ended are not counted.
pub(super) fn helpers_cpu() -> Option<u64> {
    let workers = thread::ring_worker_name();
    let helps = |found: &Thread| found.name == workers || found.name.starts_with("iou-sqp-");
    let times = thread::all().ok()?.filter(helps).filter_map(|helper| {
        let stat = std::fs::read_to_string(helper.directory.join("schedstat")).ok()?;
        stat.split_whitespace().next()?.parse::<u64>().ok()
    });
    Some(times.sum())
}
