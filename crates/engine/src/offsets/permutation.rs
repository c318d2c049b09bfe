//! A keyed order of all the blocks of a range that needs no memory per block.
//!
//! A Feistel network over the smallest power of two that holds the range is a bijection for any
//! round function (Luby and Rackoff, SIAM J. Comput. 17(2), 1988); an image outside the range is
//! sent through again until it falls inside, which keeps the bijection ("cycle walking": Black and
//! Rogaway, CT-RSA 2002). The range is more than half of the power of two, so that fewer than two
//! walks are needed on average.

/// Rounds of the network: four make it a strong pseudo-random permutation in Luby and Rackoff's
/// construction.
const ROUNDS: usize = 4;

/// One order of `0..blocks`.
#[derive(Debug, Clone, Copy)]
pub struct Permutation {
    blocks: u64,
    left_bits: u32,
    right_bits: u32,
    keys: [u64; ROUNDS],
}

/// Steele, Lea and Flood's SplitMix64 finaliser (OOPSLA 2014): a bijection on 64 bits in which
/// every input bit moves half of the output bits.
#[inline]
pub(crate) fn mix(mut z: u64) -> u64 {
    z = z.wrapping_add(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// Undoes [`mix`]: the factors are the inverses modulo 2^64, the shifts undo themselves.
pub(crate) fn unmix(mut z: u64) -> u64 {
    z = (z ^ (z >> 31) ^ (z >> 62)).wrapping_mul(0x3196_42B2_D24D_8EC3);
    z = (z ^ (z >> 27) ^ (z >> 54)).wrapping_mul(0x96DE_1B17_3F11_9089);
    z = z ^ (z >> 30) ^ (z >> 60);
    z.wrapping_sub(0x9E37_79B9_7F4A_7C15)
}

impl Permutation {
    /// The order of `0..blocks` that `seed` and `pass` decide; `blocks` of 0 counts as 1.
    ///
    /// ```
    /// let order = etalon_engine::Permutation::new(5, 7, 0);
    /// let mut visited: Vec<u64> = (0..5).map(|position| order.at(position)).collect();
    /// visited.sort_unstable();
    /// assert_eq!(visited, [0, 1, 2, 3, 4]);
    /// ```
    pub fn new(blocks: u64, seed: u64, pass: u64) -> Self {
        let blocks = blocks.max(1);
        let bits = (64 - (blocks - 1).leading_zeros()).max(2);
        let base = mix(seed ^ mix(pass));
        let mut keys = [0; ROUNDS];
        for (round, key) in keys.iter_mut().enumerate() {
            // Odd, so that multiplying by it loses nothing.
            *key = mix(base.wrapping_add(round as u64)) | 1;
        }
        Permutation {
            blocks,
            left_bits: bits / 2,
            right_bits: bits - bits / 2,
            keys,
        }
    }

    /// The block visited at `position`, which is below `blocks`.
    #[inline]
    pub fn at(&self, position: u64) -> u64 {
        let mut value = position;
        loop {
            value = self.scramble(value);
            if value < self.blocks {
                return value;
            }
        }
    }

    #[inline]
    fn scramble(&self, value: u64) -> u64 {
        let left_mask = (1u64 << self.left_bits) - 1;
        let right_mask = (1u64 << self.right_bits) - 1;
        let mut left = value >> self.right_bits;
        let mut right = value & right_mask;
        // The halves keep their widths: each round changes one by a function of the other.
        for pair in self.keys.chunks_exact(2) {
            left ^= round(right, pair[0]) & left_mask;
            right ^= round(left, pair[1]) & right_mask;
        }
        (left << self.right_bits) | right
    }
}

/// The middle bits of a product depend on all bits below them; the key is added as well, so that
/// a half of zeros is moved too.
#[inline]
fn round(half: u64, key: u64) -> u64 {
    half.wrapping_add(key >> 32).wrapping_mul(key) >> 31
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn mixing_can_be_undone(value: u64) {
            prop_assert_eq!(unmix(mix(value)), value);
        }

        #[test]
        fn covers_every_block_exactly_once(blocks in 1u64..5_000, seed: u64, pass: u64) {
            let order = Permutation::new(blocks, seed, pass);
            let mut seen = vec![false; blocks as usize];
            for position in 0..blocks {
                let block = order.at(position) as usize;
                prop_assert!(!std::mem::replace(&mut seen[block], true), "twice: {}", block);
            }
        }

        #[test]
        fn huge_ranges_stay_in_range_and_do_not_collide(blocks in (1u64 << 40)..(u64::MAX >> 1), seed: u64) {
            let order = Permutation::new(blocks, seed, 0);
            let mut images: Vec<u64> = (0..300).map(|p| order.at(p)).collect();
            prop_assert!(images.iter().all(|&b| b < blocks));
            images.sort_unstable();
            images.dedup();
            prop_assert_eq!(images.len(), 300);
        }
    }

    #[test]
    fn two_passes_differ_and_neither_runs_along_the_disk() {
        let blocks = 4_000;
        let one = Permutation::new(blocks, 7, 0);
        let two = Permutation::new(blocks, 7, 1);
        let same = (0..blocks).filter(|&p| one.at(p) == two.at(p)).count();
        assert!(same < 20, "{same} blocks keep their place");
        let steps = (1..blocks)
            .filter(|&p| one.at(p) == one.at(p - 1) + 1)
            .count();
        assert!(steps < 20, "{steps} sequential steps");
    }

    #[test]
    fn each_tenth_of_a_pass_spreads_over_the_whole_range() {
        let blocks = 100_000;
        let order = Permutation::new(blocks, 3, 0);
        for tenth in 0..10 {
            let mut counts = [0u32; 10];
            for position in tenth * 10_000..(tenth + 1) * 10_000 {
                counts[(order.at(position) / 10_000) as usize] += 1;
            }
            // Hypergeometric with mean 1000 and deviation about 28: five deviations.
            assert!(
                counts.iter().all(|&c| (860..1140).contains(&c)),
                "{counts:?}"
            );
        }
    }
}
