//! Where workers wait for one another: all start together, or none does.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use etalon_units::Nanos;

/// What the waiting workers are told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Signal {
    /// Start at this moment of the monotonic clock.
    StartAt(Nanos),
    /// Another worker could not get ready.
    GiveUp,
}

#[derive(Debug, Default)]
struct RendezvousState {
    arrived: usize,
    signal: Option<Signal>,
}

/// One meeting of a known number of workers.
#[derive(Debug, Default)]
pub(crate) struct Rendezvous {
    state: Mutex<RendezvousState>,
    changed: Condvar,
}

impl Rendezvous {
    /// A worker is there, ready or not, and waits for the signal.
    pub(crate) fn arrive(&self) -> Signal {
        let mut state = self.lock();
        state.arrived += 1;
        self.changed.notify_all();
        loop {
            if let Some(signal) = state.signal {
                return signal;
            }
            state = self
                .changed
                .wait(state)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Waits until `workers` have arrived.
    pub(crate) fn wait_for(&self, workers: usize) {
        let mut state = self.lock();
        while state.arrived < workers {
            state = self
                .changed
                .wait(state)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Lets everybody go on.
    pub(crate) fn give(&self, signal: Signal) {
        self.lock().signal = Some(signal);
        self.changed.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, RendezvousState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
