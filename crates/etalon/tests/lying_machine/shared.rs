//! Measurements that several rows look at, each for a code of its own: made once.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

use crate::lab::{Report, Try};

/// What was measured, and what etalon found.
#[derive(Default)]
pub(crate) struct Shared {
    reports: RefCell<BTreeMap<String, Report>>,
    was_kept: Cell<bool>,
}

impl Shared {
    /// The report of a measurement of this name, which is made where there is none yet.
    pub(crate) fn report(&self, name: String, measure: impl FnOnce() -> Try) -> Try {
        if let Some(report) = self.reports.borrow().get(&name) {
            self.was_kept.set(true);
            return Ok(report.clone());
        }
        let report = measure()?;
        self.reports.borrow_mut().insert(name, report.clone());
        Ok(report)
    }

    /// A try begins.
    pub(crate) fn begin(&self) {
        self.was_kept.set(false);
    }

    /// Forgets all of them, since the last was not as wanted; whether it had been made in a try before that one, whose
    /// weather says nothing of it.
    pub(crate) fn forget(&self) -> bool {
        self.reports.borrow_mut().clear();
        self.was_kept.get()
    }
}
