//! Requests whose end is known, in the order of their ends.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::{Completion, DiskError};

/// What the heap is ordered by: the end, then the order in which the ends became known.
type Key = Reverse<(u64, u64)>;

/// Ends by time; those of one time come in the order in which they were added.
#[derive(Debug, Default)]
pub(crate) struct Finished {
    heap: BinaryHeap<(Key, u64, Option<Failed>)>,
    added: u64,
}

/// An error in an order of its own, which the heap never needs: keys are unique.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Failed(DiskError);

impl PartialOrd for Failed {
    fn partial_cmp(&self, other: &Failed) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Failed {
    fn cmp(&self, _: &Failed) -> std::cmp::Ordering {
        std::cmp::Ordering::Equal
    }
}

impl Finished {
    pub(crate) fn add(&mut self, at_ns: u64, id: u64) {
        self.add_with(at_ns, id, None);
    }

    pub(crate) fn add_with(&mut self, at_ns: u64, id: u64, failed: Option<DiskError>) {
        self.added += 1;
        let key = Reverse((at_ns, self.added));
        self.heap.push((key, id, failed.map(Failed)));
    }

    pub(crate) fn next_ns(&self) -> Option<u64> {
        self.heap.peek().map(|(Reverse((at_ns, _)), ..)| *at_ns)
    }

    pub(crate) fn take(&mut self) -> Option<Completion> {
        let (Reverse((at_ns, _)), id, failed) = self.heap.pop()?;
        Some(Completion {
            id,
            at_ns,
            failed: failed.map(|failed| failed.0),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_come_by_time_and_then_as_they_were_added() {
        let mut finished = Finished::default();
        for (at_ns, id) in [(5, 1), (3, 2), (5, 3), (4, 4)] {
            finished.add(at_ns, id);
        }
        let ids: Vec<u64> = std::iter::from_fn(|| finished.take())
            .map(|c| c.id)
            .collect();
        assert_eq!(ids, [2, 4, 1, 3]);
    }
}
