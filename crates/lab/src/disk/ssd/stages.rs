//! What requests do next within the disk, by its time.

use std::collections::BTreeMap;

use crate::disk::Request;

/// What has happened to a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stage {
    /// The controller knows what it is.
    Decoded,
    /// Its pages have left their dies, and take the interface.
    Read,
    /// Its data have come across the interface.
    Received,
}

/// The stages to come; those of one time are reached in the order in which they were added.
#[derive(Debug, Default)]
pub(super) struct Stages {
    coming: BTreeMap<(u64, u64), (Stage, Request)>,
    added: u64,
}

impl Stages {
    pub(super) fn add(&mut self, at_ns: u64, stage: Stage, request: Request) {
        self.added += 1;
        self.coming.insert((at_ns, self.added), (stage, request));
    }

    pub(super) fn next_ns(&self) -> Option<u64> {
        self.coming.first_key_value().map(|((at_ns, _), _)| *at_ns)
    }

    /// The next one, if it is reached by then.
    pub(super) fn take(&mut self, at_ns: u64) -> Option<(Stage, Request)> {
        let next = self.coming.first_entry();
        next.filter(|next| next.key().0 <= at_ns)
            .map(|next| next.remove())
    }
}
