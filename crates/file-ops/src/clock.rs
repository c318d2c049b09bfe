//! The counters of a pass.

use std::path::Path;

use etalon_host::thread;

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
    let name = thread::ring_worker_name();
    let of_ring = thread::all().ok()?.filter(|thread| thread.name == name);
    let fetched = of_ring.filter_map(|thread| fetched_by(&thread.directory));
    Some(own + fetched.sum::<u64>())
}

fn fetched_by(task: &Path) -> Option<u64> {
    let text = std::fs::read_to_string(task.join("io")).ok()?;
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix("read_bytes:"))?;
    line.trim().parse().ok()
}
