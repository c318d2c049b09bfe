//! The kernel's clocks (`clock_gettime(2)`).

use etalon_units::Nanos;
use rustix::time::{ClockId, Timespec, clock_gettime};

/// This moment on the monotonic clock, read without a system call where the kernel allows.
#[inline]
pub fn now() -> Nanos {
    nanos(clock_gettime(ClockId::Monotonic))
}

/// Processor time that the calling thread has used.
pub fn thread_time() -> Nanos {
    nanos(clock_gettime(ClockId::ThreadCPUTime))
}

/// This moment on the wall clock, since 1970.
pub fn wall() -> Nanos {
    nanos(clock_gettime(ClockId::Realtime))
}

/// Time since the start of the machine, time asleep included.
pub fn since_boot() -> Nanos {
    nanos(clock_gettime(ClockId::Boottime))
}

// None of these clocks is before its zero.
#[inline]
fn nanos(time: Timespec) -> Nanos {
    Nanos(
        (time.tv_sec as u64)
            .wrapping_mul(1_000_000_000)
            .wrapping_add(time.tv_nsec as u64),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_go_forward_and_sleep_counts_for_one_of_them() {
        let (first, boot) = (now(), since_boot());
        assert!(now() >= first);
        assert!(since_boot() >= boot && boot >= first);
        assert!(wall() > Nanos::secs(1_500_000_000));
        assert!(thread_time() > Nanos::ZERO);
    }
}
