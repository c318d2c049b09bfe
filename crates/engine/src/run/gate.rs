//! The common start: every job waits until all are ready, or leaves when one is not.

use std::sync::{Condvar, Mutex, PoisonError};

/// What the jobs wait for.
#[derive(Debug, Default)]
pub(super) struct StartGate {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum State {
    #[default]
    Closed,
    Open(u64),
    Cancelled,
}

impl StartGate {
    /// Lets the jobs go; `start` is the moment that all of them count from.
    pub(super) fn open(&self, start: u64) {
        self.set(State::Open(start));
    }

    /// Sends the jobs home.
    pub(super) fn cancel(&self) {
        self.set(State::Cancelled);
    }

    fn set(&self, state: State) {
        *self.state.lock().unwrap_or_else(PoisonError::into_inner) = state;
        self.changed.notify_all();
    }

    /// Waits for the start; `None` when the run was called off.
    pub(super) fn pass(&self) -> Option<u64> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            match *state {
                State::Open(start) => return Some(start),
                State::Cancelled => return None,
                State::Closed => {
                    state = self
                        .changed
                        .wait(state)
                        .unwrap_or_else(PoisonError::into_inner);
                }
            }
        }
    }
}
