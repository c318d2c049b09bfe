//! What the tests of several files use.

use std::path::Path;

use etalon_units::Nanos;

use super::QuickRequest;

/// A check that names nothing but its target and its time.
pub(super) fn request(target: &Path, budget: Nanos) -> QuickRequest {
    QuickRequest {
        target: target.to_owned(),
        budget,
        precision: None,
        file_size: None,
        min_runs: 6,
        max_runs: 30,
        replacements: 0,
        needed_blocks: 1,
        seed: 1,
        earlier: Vec::new(),
        earlier_took: Nanos::ZERO,
    }
}
