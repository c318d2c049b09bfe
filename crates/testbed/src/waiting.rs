//! Waiting for what a machine or a program does.

use std::thread;
use std::time::{Duration, Instant};

use crate::HANG;

/// Short beside what tests wait for, and long beside a look.
const REST: Duration = Duration::from_millis(2);

/// Waits until `done` gives something; fails after [`HANG`], in which `what` never came.
pub fn wait_for<T>(what: &str, mut done: impl FnMut() -> Option<T>) -> T {
    let begun = Instant::now();
    loop {
        if let Some(value) = done() {
            return value;
        }
        assert!(begun.elapsed() < HANG, "waited in vain for {what}");
        thread::sleep(REST);
    }
}
