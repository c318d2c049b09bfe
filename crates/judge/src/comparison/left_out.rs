//! Arms that a row of three or more does without: one that is invalid, whose runs are too few, or of which a run counted
//! nothing would take the answer from all others.
//!
//! Which arms are left out hangs on their verdicts, on how many runs they have, and on whether their figures have ratios at
//! all; not on how the figures of the arms compare, so that what is said of the others is said at the level that it claims.

use etalon_model::{Comparison, ComparisonArm, ComparisonVerdict, Estimate, Sentence, Standing};
use etalon_stats::{Level, MIN_RUNS_LAB, Sample, ratio_by};

use super::refusal::unusable;
use super::{Arm, CompareError, CompareOptions, conditions, values_by_design};
use crate::comparison::limit::Held;
use crate::figures::record;

/// One arm that is left out.
pub(super) struct LeftOut {
    /// Its place among all.
    at: usize,
    /// Why its figures are compared with nothing; `None` where its runs are too few, and nothing is wrong with them.
    reason: Option<Sentence>,
}

/// The arms to leave out, in their order; none where all can be compared, or where that would not help the others.
pub(super) fn left_out(arms: &[Arm<'_>], baseline: usize) -> Vec<LeftOut> {
    let unusable = out_for(arms, |_, arm| match Held::of(arm) {
        // What would be usable under a limit is refused with the word that declares it.
        Some(held) if held.is_usable() => None,
        _ => unusable(&[arm]).pop().map(Some),
    });
    if !leaves_a_pair(arms, baseline, &unusable) {
        return Vec::new();
    }
    if has_enough(&kept(arms, &unusable)) {
        return unusable;
    }
    let all = and_few(arms, baseline, &unusable);
    match leaves_a_pair(arms, baseline, &all) && has_enough(&kept(arms, &all)) {
        true => all,
        false => unusable,
    }
}

/// Whether the baseline and another are left of three and more.
fn leaves_a_pair(arms: &[Arm<'_>], baseline: usize, out: &[LeftOut]) -> bool {
    let is_out = out.iter().any(|one| one.at == baseline);
    !is_out && arms.len() > 2 && baseline < arms.len() && out.len() + 1 < arms.len()
}

/// The same with the arms whose ratio to the baseline would have no interval.
fn and_few(arms: &[Arm<'_>], baseline: usize, unusable: &[LeftOut]) -> Vec<LeftOut> {
    out_for(arms, |at, arm| {
        let pair = [arms[baseline].clone(), arm.clone()];
        match unusable.iter().find(|one| one.at == at) {
            Some(known) => Some(known.reason.clone()),
            None => (!has_enough(&pair)).then_some(None),
        }
    })
}

fn out_for(
    arms: &[Arm<'_>],
    reason: impl Fn(usize, &Arm<'_>) -> Option<Option<Sentence>>,
) -> Vec<LeftOut> {
    let arms = arms.iter().enumerate();
    let out = arms.filter_map(|(at, arm)| Some((at, reason(at, arm)?)));
    out.map(|(at, reason)| LeftOut { at, reason }).collect()
}

/// The arms that are compared.
pub(super) fn kept<'a>(arms: &[Arm<'a>], out: &[LeftOut]) -> Vec<Arm<'a>> {
    let is_in = |at: &usize| !out.iter().any(|one| one.at == *at);
    let kept = (0..arms.len()).filter(is_in);
    kept.map(|at| arms[at].clone()).collect()
}

/// Whether ratios of these have intervals.
fn has_enough(arms: &[Arm<'_>]) -> bool {
    let (values, _) = values_by_design(arms);
    values.iter().all(|values| values.len() >= MIN_RUNS_LAB)
}

/// The same for those that are compared.
pub(super) fn options_of_others(options: &CompareOptions, out: &[LeftOut]) -> CompareOptions {
    let before = out.iter().filter(|one| one.at < options.baseline).count();
    CompareOptions {
        baseline: options.baseline - before,
        ..options.clone()
    }
}

/// Puts those that are left out where they stood among the others.
pub(super) fn put_back(
    mut comparison: Comparison,
    arms: &[Arm<'_>],
    options: &CompareOptions,
    out: &[LeftOut],
) -> Result<Comparison, CompareError> {
    comparison.baseline = options.baseline;
    if let ComparisonVerdict::Refused { reasons, .. } = &mut comparison.verdict {
        reasons.extend(out.iter().filter_map(|one| one.reason.clone()));
        return Ok(comparison);
    }
    comparison.differences = conditions::differences(arms);
    claim_nothing_of_all(&mut comparison);
    let first = comparison.arms.first();
    let group = first.map_or(1.0, |arm| arm.mean.value / arm.of_group);
    for one in out {
        let ratio = match one.reason {
            Some(_) => None,
            None => ratio(&arms[one.at], &arms[options.baseline])?,
        };
        let described = one.described(&arms[one.at], ratio, group);
        comparison.arms.insert(one.at, described);
    }
    Ok(comparison)
}

/// None beats every other, of which some are not known.
fn claim_nothing_of_all(comparison: &mut Comparison) {
    if let ComparisonVerdict::Best { best } = &comparison.verdict {
        let group = vec![best.clone()];
        comparison.verdict = ComparisonVerdict::BestGroup { group };
    }
    comparison
        .arms
        .iter_mut()
        .for_each(|arm| arm.is_best = false);
}

/// The ratio of an arm with too few runs, which has no interval.
fn ratio(arm: &Arm<'_>, base: &Arm<'_>) -> Result<Option<Estimate>, CompareError> {
    let (values, design) = values_by_design(&[base.clone(), arm.clone()]);
    let samples: Result<Vec<Sample>, _> = values.into_iter().map(Sample::new).collect();
    let Ok([base, arm]) = samples.as_deref() else {
        return Ok(None);
    };
    let ratio = ratio_by(arm, base, design, Level::REPORTED)?;
    Ok(Some(record(&ratio.estimate)))
}

impl LeftOut {
    fn described(&self, arm: &Arm<'_>, ratio: Option<Estimate>, group: f64) -> ComparisonArm {
        let cell = arm.cell;
        let sample = Sample::new(cell.values.clone()).ok();
        ComparisonArm {
            label: arm.label.clone(),
            values: cell.values.clone(),
            mean: cell.mean,
            median: cell.median,
            headline: cell.headline,
            of_group: cell.mean.value / group,
            of_baseline: ratio,
            letters: String::new(),
            is_best: false,
            sd: sample.as_ref().and_then(Sample::sd),
            cv: sample.as_ref().and_then(Sample::cv),
            standing: ratio.map(|_| Standing::NotShown),
            left_out: self.reason.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{FAST, SLOW, arm, held, options, side};
    use super::*;
    use crate::comparison::compare_arms;
    use etalon_model::GateOutcome;

    const HALF: [u64; 6] = [500, 505, 495, 502, 498, 501];

    #[test]
    fn an_invalid_arm_leaves_the_others_their_answer() {
        let (base, fast) = (side(&SLOW, |_| ()), side(&FAST, |_| ()));
        let spoiled = side(&HALF, |run| held(run, &["steal"]));
        let of = |baseline: usize| {
            let sides = [("a", &base), ("b", &spoiled), ("c", &fast)];
            let arms = sides.map(|(label, side)| arm(label, "x", side));
            let options = CompareOptions {
                baseline,
                ..options(&[])
            };
            compare_arms("a cell", &arms, &options).unwrap()
        };
        let row = of(0);
        let words = row.arms.iter().map(|arm| arm.standing);
        assert_eq!(
            words.collect::<Vec<_>>(),
            [None, None, Some(Standing::Faster)]
        );
        let reasons = row
            .arms
            .iter()
            .map(|arm| Some(&*arm.left_out.as_ref()?.text));
        let reason = Some("b is invalid (steal).");
        assert_eq!(reasons.collect::<Vec<_>>(), [None, reason, None]);
        assert_eq!((row.baseline, row.arms[1].of_baseline), (0, None));
        // Whether it beats the second as well is not known.
        assert!(!row.arms[2].is_best && row.in_blocks);
        let last = of(2);
        assert_eq!(last.baseline, 2);
        assert_eq!(last.arms[0].standing, Some(Standing::Slower));
        // Nothing can be held against an invalid baseline.
        assert!(of(1).arms.is_empty());
        let gate = crate::gate(&[row], &[], 0.05).unwrap();
        assert_eq!(gate.outcome, GateOutcome::NotCompared);
        assert_eq!(gate.rows[0].reason.as_deref(), reason);
    }

    #[test]
    fn an_arm_of_few_runs_has_its_ratio_and_the_others_their_intervals() {
        let (base, fast) = (side(&SLOW, |_| ()), side(&FAST, |_| ()));
        let few = side(&HALF[..5], |_| ());
        let sides = [("a", &base), ("b", &few), ("c", &fast)];
        for sessions in [["x"; 3], ["x", "y", "z"]] {
            let arms = [0, 1, 2].map(|at| arm(sides[at].0, sessions[at], sides[at].1));
            let row = compare_arms("a cell", &arms, &options(&[])).unwrap();
            let ratio = row.arms[1].of_baseline.unwrap();
            assert!((ratio.value - 0.5).abs() < 0.01 && ratio.interval.is_none());
            assert_eq!(row.arms[1].standing, Some(Standing::NotShown));
            assert_eq!(row.arms[1].left_out, None);
            assert_eq!(row.arms[2].standing, Some(Standing::Faster));
        }
    }

    #[test]
    fn arms_that_differ_in_what_nobody_declared_are_refused_with_all_reasons() {
        let base = side(&SLOW, |_| ());
        let other = side(&FAST, |run| run.workload.io_mut().unwrap().jobs = 8);
        let spoiled = side(&HALF, |run| held(run, &["steal"]));
        let sides = [("a", &base), ("b", &spoiled), ("c", &other)];
        let arms = sides.map(|(label, side)| arm(label, "x", side));
        let row = compare_arms("a cell", &arms, &options(&[])).unwrap();
        let ComparisonVerdict::Refused { reasons, .. } = row.verdict else {
            panic!("{:?}", row.verdict);
        };
        let reasons = Sentence::all(&reasons);
        for part in ["jobs is", "b is invalid (steal)."] {
            assert!(reasons.contains(part), "{reasons}");
        }
    }
}
