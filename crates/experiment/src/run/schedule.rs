//! The order of runs: every group once per block, shuffled anew in each.
//!
//! Randomised complete blocks: drift of the machine over the session falls on all cells alike, so
//! that no cell is measured only early or only late (Fisher, The Design of Experiments, 1935).

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_xoshiro::Xoshiro256PlusPlus;

/// In which order a block takes its groups.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Schedule {
    /// Every group once, shuffled anew in each block by this seed.
    Shuffled(u64),
    /// As they are named: rows of a grid that lay out files for one another.
    Rows,
}

impl Schedule {
    /// The order of `groups` groups in block number `block`.
    pub fn order(self, groups: usize, block: u32) -> Vec<usize> {
        match self {
            Schedule::Shuffled(seed) => order_of_block(groups, block, seed),
            Schedule::Rows => (0..groups).collect(),
        }
    }
}

/// The order of `groups` groups in block number `block`; the same seed gives the same order.
pub fn order_of_block(groups: usize, block: u32, seed: u64) -> Vec<usize> {
    let mut order: Vec<usize> = (0..groups).collect();
    // The golden ratio's bits keep the streams of neighbouring blocks apart.
    let stream = seed
        ^ u64::from(block)
            .wrapping_add(1)
            .wrapping_mul(0x9E37_79B9_7F4A_7C15);
    order.shuffle(&mut Xoshiro256PlusPlus::seed_from_u64(stream));
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_block_holds_every_group_once_and_repeats_with_its_seed() {
        for block in 0..20 {
            let order = order_of_block(7, block, 42);
            let mut sorted = order.clone();
            sorted.sort_unstable();
            assert_eq!(sorted, (0..7).collect::<Vec<_>>());
            assert_eq!(order, order_of_block(7, block, 42));
        }
    }

    #[test]
    fn blocks_and_seeds_differ() {
        let orders: std::collections::BTreeSet<_> =
            (0..20).map(|b| order_of_block(7, b, 42)).collect();
        assert!(orders.len() > 15);
        assert_ne!(order_of_block(7, 0, 1), order_of_block(7, 0, 2));
    }

    #[test]
    fn every_place_is_equally_likely() {
        let mut counts = [0u32; 7];
        for block in 0..7000 {
            counts[order_of_block(7, block, 7)[0]] += 1;
        }
        // 1000 expected each; five standard deviations are 146.
        assert!(counts.iter().all(|&n| n.abs_diff(1000) < 146), "{counts:?}");
    }
}
