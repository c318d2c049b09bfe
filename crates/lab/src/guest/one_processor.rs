//! A guest whose emulator stays on one processor of this machine.
//!
//! QEMU emulates a processor in one thread and speaks with its disks in another. Where they sleep on two processors, each word between
//! them is an interrupt that wakes one, and in a virtual machine that took so long that the 32 pieces in which a socket carries 1 MiB
//! needed 2.3 ms to send in the place of 0.25. On one processor they take turns without it.

use rustix::thread::{CpuSet, sched_getaffinity, sched_getcpu, sched_setaffinity};

/// What this thread starts meanwhile runs on the processor that it runs on now.
pub(super) struct OneProcessor {
    /// Where the thread may run again afterwards.
    before: CpuSet,
}

impl OneProcessor {
    /// Nothing, where the kernel does not let a thread choose.
    pub(super) fn hold() -> Option<OneProcessor> {
        let before = sched_getaffinity(None).ok()?;
        let mut one = CpuSet::new();
        one.set(sched_getcpu());
        sched_setaffinity(None, &one).ok()?;
        Some(OneProcessor { before })
    }
}

impl Drop for OneProcessor {
    fn drop(&mut self) {
        // It was allowed to run there before.
        let _ = sched_setaffinity(None, &self.before);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_started_meanwhile_stays_on_one_processor_and_this_thread_does_not() {
        let before = sched_getaffinity(None).unwrap();
        let held = OneProcessor::hold().unwrap();
        let started = std::thread::spawn(|| sched_getaffinity(None).unwrap().count());
        assert_eq!(started.join().unwrap(), 1);
        drop(held);
        assert_eq!(sched_getaffinity(None).unwrap(), before);
    }
}
