//! What a client asked for and got.

use std::collections::BTreeMap;

use etalon_units::Bytes;

use super::fetch::{Fetched, length};

/// What one client asked for and got.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    pub(crate) pages: u64,
    /// Pages that came whole, with all their images.
    pub(crate) whole_pages: u64,
    pub(crate) requests: u64,
    pub(crate) bytes: Bytes,
    /// Requests without a whole answer, by what was wrong.
    pub(crate) failed: BTreeMap<String, u64>,
}

impl Tally {
    /// Adds what another client got.
    pub(crate) fn add(&mut self, other: &Tally) {
        self.pages += other.pages;
        self.whole_pages += other.whole_pages;
        self.requests += other.requests;
        self.bytes.0 += other.bytes.get();
        for (kind, count) in &other.failed {
            *self.failed.entry(kind.clone()).or_default() += count;
        }
    }

    /// `3 x status 404, 1 x timeout`.
    pub(crate) fn kinds(&self) -> String {
        let kinds = self.failed.iter();
        let kinds: Vec<String> = kinds
            .map(|(kind, count)| format!("{count} x {kind}"))
            .collect();
        kinds.join(", ")
    }

    /// Books an answer; whether it was whole.
    pub(super) fn book(&mut self, fetched: &Fetched) -> bool {
        self.requests += 1;
        match fetched {
            Fetched::Whole(body) => self.bytes.0 += length(body),
            Fetched::Moved(_) => *self.failed.entry("moved away".to_owned()).or_default() += 1,
            Fetched::Failed(kind) => *self.failed.entry(kind.clone()).or_default() += 1,
        }
        matches!(fetched, Fetched::Whole(_))
    }
}
