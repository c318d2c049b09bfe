//! The threads of this process, among them those that the kernel adds.

use std::io;
use std::path::PathBuf;

/// A thread of this process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Thread {
    /// Its name (`comm`); empty where it has ended meanwhile.
    pub name: String,
    /// Its directory in `/proc/self/task` (proc_pid_task(5)).
    pub directory: PathBuf,
}

impl Thread {
    /// The name of the kernel threads that work for a ring of this thread (io_uring/io-wq.c).
    pub fn ring_worker_name(&self) -> String {
        let number = self.directory.file_name().unwrap_or_default();
        format!("iou-wrk-{}", number.to_string_lossy())
    }
}

/// All threads of this process.
///
/// # Errors
/// When `/proc` cannot be listed.
pub fn all() -> io::Result<impl Iterator<Item = Thread>> {
    let tasks = std::fs::read_dir("/proc/self/task")?.flatten();
    Ok(tasks.map(|task| {
        let directory = task.path();
        let name = std::fs::read_to_string(directory.join("comm")).unwrap_or_default();
        Thread {
            name: name.trim_end().to_owned(),
            directory,
        }
    }))
}

/// The name of the kernel threads that work for a ring of the calling thread (io_uring/io-wq.c).
pub fn ring_worker_name() -> String {
    format!("iou-wrk-{}", rustix::thread::gettid().as_raw_nonzero())
}

/// The name of the kernel thread that submits what stands in a ring of the calling thread, where one does
/// (io_uring/sqpoll.c).
pub fn ring_submitter_name() -> String {
    format!("iou-sqp-{}", rustix::thread::gettid().as_raw_nonzero())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_is_found_by_its_name() {
        let look = || all().unwrap().any(|thread| thread.name == "looked-for");
        let named = std::thread::Builder::new().name("looked-for".to_owned());
        assert!(named.spawn(look).unwrap().join().unwrap());
        // It is joined before the kernel has taken it out of /proc.
        while look() {
            std::thread::yield_now();
        }
    }
}
