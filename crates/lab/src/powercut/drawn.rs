//! What chance decides of a cut in a guest, whose own times nobody knows beforehand.

use std::time::Duration;

use rand::{RngExt as _, SeedableRng as _};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::disk::CutOrder;

/// A cut falls at most so long after a promise, in microseconds: into the next write, or what makes it durable.
const MOST_DELAY_US: u64 = 30_000;

/// The moment of a cut, and what it leaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DrawnCut {
    /// After so many promises more than there were at the cut before...
    pub promises: u64,
    /// ...and so much later.
    pub delay: Duration,
    /// What is kept of what was not flushed.
    pub order: CutOrder,
}

impl DrawnCut {
    /// The most promises between two cuts.
    pub const MOST_PROMISES: u64 = 12;

    /// That of this number and seed.
    #[must_use]
    pub fn of(seed: u64, number: u64) -> DrawnCut {
        let mut draw = Xoshiro256PlusPlus::seed_from_u64(seed.wrapping_add(number));
        DrawnCut {
            promises: draw.random_range(1..=DrawnCut::MOST_PROMISES),
            delay: Duration::from_micros(draw.random_range(0..=MOST_DELAY_US)),
            order: CutOrder::AnyOrder {
                seed: draw.random(),
            },
        }
    }
}
