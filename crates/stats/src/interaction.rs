//! Whether what one factor does depends on the level of another.
//!
//! Of four arms, `a1 b1`, `a1 b0`, `a0 b1` and `a0 b0`, each with one value in every block, the difference of differences of
//! logarithms is formed in each block:
//!
//! ```text
//! d_i = (ln a1b1_i - ln a1b0_i) - (ln a0b1_i - ln a0b0_i)
//! ```
//!
//! `exp(mean d)` is the factor by which the effect of `b` (a ratio) is another one at `a1` than at `a0`; its interval and p are
//! those of a paired t test (Montgomery, Design and Analysis of Experiments, 8th edition, 2013, section 6.2: the interaction
//! contrast of a 2 x 2 design). What a block or a plot adds to both of its arms cancels. Several of them are adjusted by
//! [`holm`](crate::holm()). `tests/proofs/interaction.rs` has the share of false ones and the power.

use crate::ratio::{LogDifference, logs};
use crate::{Estimate, Level, RatioError, Sample};

/// A difference of differences.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interaction {
    /// The ratio of ratios with its interval; 1 where the factors act each by itself.
    pub effect: Estimate,
    /// Two-sided p of "the ratio of ratios is one", not adjusted.
    pub p: f64,
}

/// The interaction of two factors, from the arms `[a1 b1, a1 b0, a0 b1, a0 b0]`, value `i` of each being of block `i`.
///
/// # Errors
/// [`RatioError`] where the arms are of different length, shorter than two, or not positive.
pub fn interaction(arms: [&Sample; 4], level: Level) -> Result<Interaction, RatioError> {
    let blocks = arms[0].n();
    if let Some(other) = arms.iter().find(|arm| arm.n() != blocks) {
        return Err(RatioError::LengthsDiffer {
            a: blocks,
            b: other.n(),
        });
    }
    let [both, first, second, neither] = arms;
    let sums = |one: &Sample, other: &Sample| -> Result<Vec<f64>, RatioError> {
        let (one, other) = (logs(one)?, logs(other)?);
        Ok(one.iter().zip(&other).map(|(a, b)| a + b).collect())
    };
    let found = LogDifference::paired(&sums(both, neither)?, &sums(first, second)?);
    Ok(Interaction {
        effect: found.estimate(level),
        p: found.p(),
    })
}
