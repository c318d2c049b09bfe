//! How each arm does against the baseline, in one word.

use etalon_model::{Comparison, Standing};
use etalon_stats::{Margin, Ranking};

/// Gives every arm but the baseline its word, from its own pair with the baseline.
pub(super) fn give(comparison: &mut Comparison, ranking: &Ranking, margin: Margin) {
    let words = (0..comparison.arms.len()).map(|at| word(at, comparison, ranking, margin));
    let words: Vec<Option<Standing>> = words.collect();
    for (arm, word) in comparison.arms.iter_mut().zip(words) {
        arm.standing = word;
    }
}

fn word(at: usize, comparison: &Comparison, ranking: &Ranking, margin: Margin) -> Option<Standing> {
    let ratio = comparison.arms[at].of_baseline.as_ref()?.value;
    let pair = ranking.pair(at, comparison.baseline)?;
    if pair.is_equivalent(margin) {
        return Some(Standing::Equal);
    }
    let is_faster = (ratio > 1.0) != comparison.unit.less_is_better();
    Some(match (ranking.separates(pair), is_faster) {
        (false, _) => Standing::NotShown,
        (true, true) => Standing::Faster,
        (true, false) => Standing::Slower,
    })
}
