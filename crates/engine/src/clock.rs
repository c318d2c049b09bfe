//! Time as a worker sees it: the kernel's monotonic clock, or the modelled device's virtual one.

use std::cell::Cell;
use std::rc::Rc;
use std::time::Duration;

use crate::Control;

/// Sleeping is late by tens of microseconds, so the last stretch before a deadline is waited out
/// in a loop (timer slack is 50 µs: prctl(2), `PR_SET_TIMERSLACK`).
const SPIN: u64 = 50_000;

/// The longest sleep that does not look at the stop flag.
const MAX_SLEEP_NS: u64 = 100_000_000;

/// A source of nanoseconds.
pub(crate) trait Clock {
    /// Before a moment that must be met, how long waiting is done by looking at the clock.
    const SPIN: u64;

    /// Nanoseconds since some fixed moment; never goes back.
    fn now(&self) -> u64;

    /// Returns at `deadline`, or earlier when asked to stop.
    fn wait_until(&self, deadline: u64, control: &Control);
}

/// `CLOCK_MONOTONIC`, read without a system call where the kernel allows.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MonotonicClock;

impl Clock for MonotonicClock {
    const SPIN: u64 = SPIN;

    #[inline]
    fn now(&self) -> u64 {
        etalon_host::clock::now().get()
    }

    fn wait_until(&self, deadline: u64, control: &Control) {
        loop {
            let left = deadline.saturating_sub(self.now());
            if left == 0 || control.stopped() {
                return;
            }
            if left > SPIN {
                std::thread::sleep(Duration::from_nanos((left - SPIN).min(MAX_SLEEP_NS)));
            } else {
                std::hint::spin_loop();
            }
        }
    }
}

/// A clock that moves only when told to; clones show the same time.
#[derive(Debug, Clone, Default)]
pub(crate) struct VirtualClock(Rc<Cell<u64>>);

impl VirtualClock {
    /// Moves forward to `moment`; a moment in the past changes nothing.
    pub(crate) fn advance_to(&self, moment: u64) {
        self.0.set(self.0.get().max(moment));
    }
}

impl Clock for VirtualClock {
    const SPIN: u64 = 0;

    #[inline]
    fn now(&self) -> u64 {
        self.0.get()
    }

    fn wait_until(&self, deadline: u64, _control: &Control) {
        self.advance_to(deadline);
    }
}
