//! Processors, and the time that threads have used of them.

use etalon_units::Nanos;
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::{TimeVal, TimeValLike as _};

/// Processors that this process may run on; one where that is not known.
pub fn count() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// User and system time of the calling thread so far (`getrusage(2)`, `RUSAGE_THREAD`); zero where
/// the kernel does not say.
pub fn thread_time() -> (Nanos, Nanos) {
    let nanos = |time: TimeVal| Nanos(u64::try_from(time.num_nanoseconds()).unwrap_or(0));
    getrusage(UsageWho::RUSAGE_THREAD).map_or((Nanos::ZERO, Nanos::ZERO), |usage| {
        (nanos(usage.user_time()), nanos(usage.system_time()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_a_processor_and_its_time_grows() {
        assert!(count() > 0);
        let sum = |(user, system): (Nanos, Nanos)| user.get() + system.get();
        let before = sum(thread_time());
        while sum(thread_time()) == before {
            std::hint::spin_loop();
        }
    }
}
