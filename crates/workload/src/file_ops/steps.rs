//! What a pass does, step by step.

use super::Visits;

/// One read or write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Step {
    /// Where it begins in the file.
    pub(crate) offset: u64,
    /// Its bytes, no more than a buffer holds.
    pub(crate) length: usize,
}

/// The steps of one pass, in their order.
#[derive(Debug, Clone)]
pub(crate) struct Steps {
    visits: Visits,
    record: usize,
}

impl Steps {
    /// Whole records of `record` bytes.
    pub(crate) fn records(visits: Visits, record: usize) -> Steps {
        Steps { visits, record }
    }
}

impl Iterator for Steps {
    type Item = Step;

    #[inline]
    fn next(&mut self) -> Option<Step> {
        let (visited, length) = (self.visits.next()?, self.record);
        Some(Step {
            offset: visited * length as u64,
            length,
        })
    }
}
