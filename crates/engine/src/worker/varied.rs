//! Operations of several sizes: what is next, and how far it reaches.

use etalon_units::Bytes;
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::Worker;
use crate::backend::Backend;
use crate::clock::Clock;
use crate::offsets::mix;
use crate::pacing::Mixer;
use crate::recorder::OpKind;

/// Keeps the draws of sizes apart from those of offsets and kinds, which take the same seed.
const STREAM: u64 = 0x5bf0_3635_f0a5_1c8d;

/// What decides over the operations of a job that differ in size.
#[derive(Debug, Clone)]
pub(crate) struct Varied {
    /// What each does that no mixer decides.
    pub(crate) kind: OpKind,
    pub(crate) mixer: Option<Mixer>,
    pub(crate) sizes: SizeDraw,
    /// True when each starts where the one before ended.
    pub(crate) in_line: bool,
}

/// One operation before its place is known.
#[derive(Debug, Clone, Copy)]
pub(super) struct Drawn {
    pub(super) kind: OpKind,
    pub(super) length: u32,
    in_line: bool,
}

impl Varied {
    #[inline(never)]
    pub(super) fn draw(&mut self) -> Drawn {
        Drawn {
            kind: self.mixer.as_mut().map_or(self.kind, Mixer::draw),
            length: self.sizes.draw(),
            in_line: self.in_line,
        }
    }
}

/// Draws sizes in proportion to their weights.
#[derive(Debug, Clone)]
pub(crate) struct SizeDraw {
    rng: Xoshiro256PlusPlus,
    /// Each size with the sum of the weights up to it.
    sums: Vec<(u64, u32)>,
    total: u64,
}

impl SizeDraw {
    /// The draws of job `job`; sizes lie below 2 GiB, as the plan's check has seen to.
    pub(crate) fn new(weights: &[(Bytes, u32)], seed: u64, job: u32) -> SizeDraw {
        let mut total = 0;
        let sums = weights.iter().map(|(size, weight)| {
            total += u64::from(*weight);
            (total, size.get() as u32)
        });
        SizeDraw {
            sums: sums.collect(),
            total,
            rng: Xoshiro256PlusPlus::seed_from_u64(mix(seed ^ STREAM ^ mix(u64::from(job)))),
        }
    }

    fn draw(&mut self) -> u32 {
        // A multiplication in place of a division: its error is below 2^-50 for these sums.
        let drawn = (u128::from(self.rng.next_u64()) * u128::from(self.total)) >> 64;
        let at = self
            .sums
            .partition_point(|(sum, _)| u128::from(*sum) <= drawn);
        self.sums.get(at).map_or(0, |(_, size)| *size)
    }
}

impl<B: Backend, C: Clock> Worker<'_, B, C> {
    /// Counts how far a request reaches; the loop has counted it as one unit of the pitch.
    #[inline(never)]
    pub(super) fn reach(&mut self, drawn: Drawn) {
        let more = u64::from(drawn.length) / self.task.pitch - 1;
        self.issued += more;
        if drawn.in_line {
            self.offsets.skip(more);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_come_by_their_weights_and_by_the_seed() {
        let weights = [(Bytes(4), 60), (Bytes(64), 40)];
        let draws = |seed, job| {
            let mut draw = SizeDraw::new(&weights, seed, job);
            (0..100_000).map(|_| draw.draw()).collect::<Vec<_>>()
        };
        let small = draws(1, 0).iter().filter(|&&size| size == 4).count();
        // 60 000 expected; five standard deviations are 775.
        assert!(small.abs_diff(60_000) < 775, "{small}");
        assert!(draws(1, 0).iter().all(|size| [4, 64].contains(size)));
        assert_eq!(draws(1, 0), draws(1, 0));
        assert_ne!(draws(1, 0), draws(2, 0));
        assert_ne!(draws(1, 0), draws(1, 1));
    }
}
