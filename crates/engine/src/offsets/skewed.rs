//! Random blocks with repeats: uniform, Zipf and self-similar.
//!
//! The popular ranks of the skewed laws are scattered over the range by a permutation, so that hot
//! blocks are not neighbours.

use etalon_model::Distribution;
use rand::distr::Distribution as _;
use rand::{Rng, SeedableRng};
use rand_distr::Zipf;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::{Permutation, mix};

/// A seeded source of block numbers.
#[derive(Debug, Clone)]
pub(super) struct Skewed {
    law: Law,
    blocks: u64,
    scatter: Permutation,
    rng: Xoshiro256PlusPlus,
}

#[derive(Debug, Clone)]
enum Law {
    Uniform,
    Zipf(Zipf<f64>),
    /// Gray et al., "Quickly generating billion-record synthetic databases", SIGMOD 1994: the rank
    /// is `n * u^(ln h / ln (1 - h))` inverted so that a share `h` falls in the first `1 - h`.
    SelfSimilar {
        exponent: f64,
    },
}

impl Skewed {
    /// Job `job`'s draws from `0..blocks`; all jobs share one scatter, so one set of hot blocks.
    pub(super) fn new(distribution: Distribution, blocks: u64, seed: u64, job: u64) -> Self {
        let blocks = blocks.max(1);
        let law = match distribution {
            Distribution::Zipf { theta } => {
                Zipf::new(blocks as f64, theta).map_or(Law::Uniform, Law::Zipf)
            }
            Distribution::Pareto { h } => Law::SelfSimilar {
                exponent: (1.0 - h).ln() / h.ln(),
            },
            Distribution::Permutation | Distribution::Uniform => Law::Uniform,
        };
        Skewed {
            law,
            blocks,
            scatter: Permutation::new(blocks, mix(seed), u64::MAX),
            rng: Xoshiro256PlusPlus::seed_from_u64(mix(seed ^ mix(job + 1))),
        }
    }

    #[inline]
    pub(super) fn draw(&mut self) -> u64 {
        let rank = match &self.law {
            Law::Uniform => return below(self.rng.next_u64(), self.blocks),
            Law::Zipf(zipf) => (zipf.sample(&mut self.rng) as u64).saturating_sub(1),
            Law::SelfSimilar { exponent } => {
                (self.blocks as f64 * unit(self.rng.next_u64()).powf(*exponent)) as u64
            }
        };
        self.scatter.at(rank.min(self.blocks - 1))
    }
}

/// Maps 64 random bits to `0..bound` by the high half of the product (Lemire, ACM TOMACS 29(1),
/// 2019); without his rejection the bias is at most `bound / 2^64`.
#[inline]
fn below(bits: u64, bound: u64) -> u64 {
    ((u128::from(bits) * u128::from(bound)) >> 64) as u64
}

/// 53 random bits in `0..1`.
#[inline]
fn unit(bits: u64) -> f64 {
    (bits >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
}
