//! What a person has done of the steps that only a person can do.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Which manual step was done last, shared by all grounds of a plan.
#[derive(Debug, Clone, Default)]
pub struct ManualSteps(Arc<Mutex<Done>>);

#[derive(Debug, Default)]
pub(crate) struct Done {
    /// The level that the machine is in by a person's hand.
    pub(crate) level: Option<String>,
    /// Whether the next step is done already.
    pub(crate) is_ahead: bool,
}

impl ManualSteps {
    /// The next step counts as done: whoever goes on with a plan has said so.
    pub fn next_is_done(&self) {
        self.done().is_ahead = true;
    }

    pub(crate) fn done(&self) -> MutexGuard<'_, Done> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
