//! The kernel threads that work for a ring.

/// Run time of the calling thread's `io_uring` workers and of all submission threads of the
/// process: what a file cannot do without waiting is done by them. Their names are in
/// io_uring/io-wq.c and sqpoll.c, the run time is the first field of `schedstat`
/// (Documentation/scheduler/sched-stats.rst). Workers that have ended are not counted.
pub(super) fn helpers_cpu() -> Option<u64> {
    let workers = format!("iou-wrk-{}", rustix::thread::gettid().as_raw_nonzero());
    let mut total = 0;
    for task in std::fs::read_dir("/proc/self/task").ok()?.flatten() {
        let path = task.path();
        let name = std::fs::read_to_string(path.join("comm")).unwrap_or_default();
        if name.trim_end() == workers || name.starts_with("iou-sqp-") {
            let stat = std::fs::read_to_string(path.join("schedstat")).unwrap_or_default();
            let run = stat
                .split_whitespace()
                .next()
                .and_then(|text| text.parse::<u64>().ok());
            total += run.unwrap_or(0);
        }
    }
    Some(total)
}
