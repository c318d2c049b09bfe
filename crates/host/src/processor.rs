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

/// How long the calling thread has been ready to run and had no processor (the second number of
/// `/proc/thread-self/schedstat`, the kernel's scheduler/sched-stats.rst); zero where the kernel does not
/// say.
pub fn thread_waited() -> Nanos {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    Nanos(waited(&text).unwrap_or(0))
}

fn waited(schedstat: &str) -> Option<u64> {
    schedstat.split_whitespace().nth(1)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waiting_is_the_second_number() {
        assert_eq!(waited("81512 4711 3\n"), Some(4711));
        assert_eq!(waited(""), None);
        assert!(thread_waited() <= thread_waited());
    }

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
