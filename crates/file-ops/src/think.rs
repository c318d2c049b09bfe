//! What a worker does between its records.

use std::thread;
use std::time::Duration;

use etalon_host::clock::{now, thread_time};
use etalon_units::{Bytes, Nanos};
use serde::{Deserialize, Serialize};

use super::halt::Halt;
use super::steps::PassAccess;

/// How long a rest lasts before it looks whether the pass is to end.
const LOOK: Duration = Duration::from_millis(10);

/// Computing and resting between records.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Think {
    /// Computing before each record; a list of accesses has delays of its own.
    pub compute: Nanos,
    /// Rests between bursts of records.
    pub burst: Option<Burst>,
    /// Whether all this is part of the time of a pass.
    pub counted: bool,
}

/// So many bytes, then a rest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Burst {
    /// Bytes until the next rest; the record that reaches them is moved whole.
    pub bytes: Bytes,
    /// How long the worker sleeps.
    pub rest: Nanos,
}

/// The pauses of one pass so far.
#[derive(Debug)]
pub(crate) struct Pauses {
    think: Think,
    since_rest: u64,
    /// Time between records.
    pub(crate) spent: Nanos,
    /// Processor time in it.
    pub(crate) cpu: Nanos,
}

impl Pauses {
    pub(crate) fn new(think: Think) -> Pauses {
        Pauses {
            think,
            since_rest: 0,
            spent: Nanos::ZERO,
            cpu: Nanos::ZERO,
        }
    }

    /// Rests and computes as long as is due before `step`, or until `halt` is reached.
    pub(crate) fn before(&mut self, step: &PassAccess, halt: Halt<'_>) {
        let burst = self.think.burst;
        let rest = burst.filter(|burst| self.since_rest >= burst.bytes.get());
        if rest.is_some() {
            self.since_rest = 0;
        }
        self.since_rest += step.length as u64;
        let rest = rest.map_or(Nanos::ZERO, |burst| burst.rest);
        if rest == Nanos::ZERO && step.delay == Nanos::ZERO {
            return;
        }
        let (from, cpu) = (now(), thread_time());
        sleep(rest, halt);
        compute(step.delay, halt);
        if !self.think.counted {
            self.cpu.0 += thread_time().0.saturating_sub(cpu.0);
            self.spent.0 += now().0.saturating_sub(from.0);
        }
    }
}

fn sleep(rest: Nanos, halt: Halt<'_>) {
    let end = now().0.saturating_add(rest.0);
    while !halt.reached() {
        let left = Duration::from_nanos(end.saturating_sub(now().0));
        if left.is_zero() {
            return;
        }
        thread::sleep(left.min(LOOK));
    }
}

/// Keeps the processor busy, as the application would.
fn compute(span: Nanos, halt: Halt<'_>) {
    let end = now().0.saturating_add(span.0);
    while now().0 < end && !halt.reached() {
        std::hint::spin_loop();
    }
}
