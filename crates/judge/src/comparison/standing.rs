//! How each arm does against the baseline, in one word.

use etalon_model::{Comparison, ComparisonArm, ComparisonVerdict, Standing};

/// Gives every arm but the baseline its word, from the verdict of a pair or the letters of many.
pub(super) fn give(comparison: &mut Comparison) {
    let base = comparison.arms[comparison.baseline].letters.clone();
    let words: Vec<Option<Standing>> = comparison
        .arms
        .iter()
        .map(|arm| word(arm, &base, comparison))
        .collect();
    for (arm, word) in comparison.arms.iter_mut().zip(words) {
        arm.standing = word;
    }
}

fn word(arm: &ComparisonArm, base: &str, comparison: &Comparison) -> Option<Standing> {
    let ratio = arm.of_baseline.as_ref()?.value;
    if arm.has_too_few_runs() {
        return Some(Standing::NotShown);
    }
    let is_separate = match comparison.verdict {
        ComparisonVerdict::Equivalent => return Some(Standing::Equal),
        ComparisonVerdict::Greater { .. } => true,
        ComparisonVerdict::Best { .. } | ComparisonVerdict::BestGroup { .. } => {
            !arm.letters.chars().any(|letter| base.contains(letter))
        }
        ComparisonVerdict::Undecided | ComparisonVerdict::Refused { .. } => false,
    };
    Some(match (is_separate, ratio > 1.0) {
        (false, _) => Standing::NotShown,
        (true, greater) if greater != comparison.unit.less_is_better() => Standing::Faster,
        (true, _) => Standing::Slower,
    })
}
