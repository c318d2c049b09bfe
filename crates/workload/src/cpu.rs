//! Processor time of the calling thread.

use etalon_units::Nanos;
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeValLike as _;

/// User and system time of the calling thread so far (getrusage(2), `RUSAGE_THREAD`); zero where
/// the kernel does not tell.
pub(crate) fn thread() -> (Nanos, Nanos) {
    getrusage(UsageWho::RUSAGE_THREAD).map_or((Nanos::ZERO, Nanos::ZERO), |usage| {
        let nanos =
            |t: nix::sys::time::TimeVal| Nanos(u64::try_from(t.num_nanoseconds()).unwrap_or(0));
        (nanos(usage.user_time()), nanos(usage.system_time()))
    })
}
