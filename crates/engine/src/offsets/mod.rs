//! Where each operation of a job goes.

mod permutation;
mod skewed;

use etalon_model::{Distribution, Order};

pub use permutation::Permutation;
pub(crate) use permutation::{mix, unmix};
use skewed::Skewed;

/// Which blocks a job visits: its share of `blocks`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Share {
    /// Blocks of the whole used range.
    pub(crate) blocks: u64,
    /// This job's number among those that share the range, from 0.
    pub(crate) index: u64,
    /// How many jobs share the range, at least 1.
    pub(crate) of: u64,
}

impl Share {
    /// First block and number of blocks when the range is cut into contiguous parts.
    pub(crate) fn part(self) -> (u64, u64) {
        let cut = |k: u64| (u128::from(self.blocks) * u128::from(k) / u128::from(self.of)) as u64;
        let first = cut(self.index);
        (first, cut(self.index + 1) - first)
    }

    /// How many of `0..blocks` are `index` modulo `of`.
    pub(crate) fn interleaved(self) -> u64 {
        (self.blocks + self.of - 1 - self.index) / self.of
    }
}

/// An endless sequence of block numbers, pass after pass.
#[derive(Debug, Clone)]
pub(crate) struct Offsets {
    picker: Picker,
    share: Share,
    /// Operations in one pass of this job.
    per_pass: u64,
    position: u64,
    pass: u64,
}

#[derive(Debug, Clone)]
enum Picker {
    Forward { first: u64, shift: u64 },
    Backward { first: u64 },
    Strided { first: u64, stride: u64, next: u64 },
    Permuted { order: Permutation, seed: u64 },
    Skewed(Box<Skewed>),
}

/// How a job visits its blocks.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Visit {
    pub(crate) order: Order,
    pub(crate) distribution: Distribution,
    pub(crate) stride: u32,
    pub(crate) seed: u64,
    /// Whether a sequential order begins at a place that the seed decides, and goes round from there: what
    /// a device's buffer kept of an earlier run is then elsewhere.
    pub(crate) fresh: bool,
}

impl Visit {
    /// How far from its first block a job of `blocks` blocks begins.
    fn shift(&self, blocks: u64) -> u64 {
        match self.fresh {
            true => mix(self.seed) % blocks.max(1),
            false => 0,
        }
    }
}

impl Offsets {
    /// The sequence for one job. Jobs that share a range cover it together: sequential orders cut
    /// it into contiguous parts, a permutation deals out its positions, other random orders draw
    /// from all of it.
    pub(crate) fn new(visit: Visit, share: Share) -> Self {
        let (first, blocks) = share.part();
        let (picker, per_pass) = match (visit.order, visit.distribution) {
            (Order::Sequential, _) => {
                let shift = visit.shift(blocks);
                (Picker::Forward { first, shift }, blocks)
            }
            (Order::Backward, _) => (Picker::Backward { first }, blocks),
            (Order::Strided, _) => (
                Picker::Strided {
                    first,
                    stride: u64::from(visit.stride.max(1)),
                    next: 0,
                },
                blocks,
            ),
            (Order::Random, Distribution::Permutation) => {
                let order = Permutation::new(share.blocks, visit.seed, 0);
                (
                    Picker::Permuted {
                        order,
                        seed: visit.seed,
                    },
                    share.interleaved(),
                )
            }
            (Order::Random, distribution) => {
                let skewed = Skewed::new(distribution, share.blocks, visit.seed, share.index);
                (Picker::Skewed(Box::new(skewed)), share.interleaved())
            }
        };
        Offsets {
            picker,
            share,
            per_pass: per_pass.max(1),
            position: 0,
            pass: 0,
        }
    }

    /// Operations that make one pass over this job's share.
    pub(crate) fn per_pass(&self) -> u64 {
        self.per_pass
    }

    /// The pass that the next block belongs to, from 0.
    pub(crate) fn pass(&self) -> u64 {
        self.pass
    }

    /// Passes over `blocks` that the last one reached into, as far as the pass goes.
    #[inline]
    pub(crate) fn skip(&mut self, blocks: u64) {
        self.position = self.position.saturating_add(blocks).min(self.per_pass);
    }

    /// The next block, counted from the start of the used range.
    #[inline]
    pub(crate) fn next_block(&mut self) -> u64 {
        if self.position == self.per_pass {
            self.turn();
        }
        let position = self.position;
        self.position += 1;
        match &mut self.picker {
            Picker::Forward { first, shift } => {
                let at = position + *shift;
                *first
                    + if at < self.per_pass {
                        at
                    } else {
                        at - self.per_pass
                    }
            }
            Picker::Backward { first } => *first + (self.per_pass - 1 - position),
            Picker::Strided {
                first,
                stride,
                next,
            } => {
                let at = *next;
                *next += *stride;
                if *next >= self.per_pass {
                    *next = at % *stride + 1;
                }
                *first + at
            }
            Picker::Permuted { order, .. } => order.at(self.share.index + position * self.share.of),
            Picker::Skewed(skewed) => skewed.draw(),
        }
    }

    #[cold]
    fn turn(&mut self) {
        self.position = 0;
        self.pass += 1;
        match &mut self.picker {
            Picker::Permuted { order, seed } => {
                *order = Permutation::new(self.share.blocks, *seed, self.pass);
            }
            Picker::Strided { next, .. } => *next = 0,
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests;
