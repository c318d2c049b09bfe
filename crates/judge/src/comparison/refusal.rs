//! Why arms cannot be compared, and what would have to be said so that they are.

use etalon_model::{ComparisonVerdict, Verdict, WorkloadDifference};
use etalon_stats::MIN_RUNS_LAB;

use super::limit::{CAPPED, Held};
use super::{Arm, CompareOptions, condition_name, conditions};
use crate::sentence::{Sentence, figure, said};

/// Why the arms cannot be compared; `None` where they can.
pub(super) fn refusal(
    arms: &[Arm<'_>],
    differences: &[WorkloadDifference],
    options: &CompareOptions,
) -> Option<ComparisonVerdict> {
    let declared: Vec<String> = options.by.iter().map(|by| condition_name(by)).collect();
    let (capped, others): (Vec<&Arm<'_>>, Vec<&Arm<'_>>) = arms
        .iter()
        .partition(|arm| Held::of(arm).is_some_and(|held| held.is_usable()));
    let (capped, spoiled) = (unusable(&capped), unusable(&others));
    let open: Vec<&WorkloadDifference> = differences
        .iter()
        .filter(|difference| !declared.contains(&difference.condition))
        .filter(|difference| !tolerated(difference, arms, options.baseline))
        .collect();
    if spoiled.is_empty() && capped.is_empty() && open.is_empty() {
        return None;
    }
    let limit = (!capped.is_empty()).then(|| CAPPED.to_owned());
    let declare = match spoiled.is_empty() {
        true => kept(&declared, differences)
            .chain(open.iter().map(|difference| difference.condition.clone()))
            .chain(limit)
            .collect(),
        false => Vec::new(),
    };
    let open = open.iter().map(|difference| in_words(difference, arms));
    Some(ComparisonVerdict::Refused {
        reasons: spoiled.into_iter().chain(capped).chain(open).collect(),
        declare,
    })
}

/// What was declared and has to stay so for the arms to be comparable.
fn kept<'a>(
    declared: &'a [String],
    differences: &'a [WorkloadDifference],
) -> impl Iterator<Item = String> + 'a {
    let differs = |name: &&String| differences.iter().any(|one| one.condition == **name);
    let needed = declared
        .iter()
        .filter(move |name| *name == CAPPED || differs(name));
    needed.cloned()
}

/// Why the figures of some arms are compared with nothing.
pub(super) fn unusable(arms: &[&Arm<'_>]) -> Vec<Sentence> {
    let invalid = arms.iter().filter_map(|arm| match &arm.cell.verdict {
        Verdict::Invalid { reasons } => Some(said!(
            "{arm} is invalid ({checks}).",
            arm = arm.label,
            checks = reasons.join(", "),
        )),
        _ => None,
    });
    let zero = arms.iter().filter(|arm| is_valid(arm));
    let zero = zero
        .filter(|arm| arm.cell.has_a_zero())
        .map(|arm| without_ratio(arm));
    invalid.chain(without_interval(arms)).chain(zero).collect()
}

fn is_valid(arm: &Arm<'_>) -> bool {
    !arm.cell.verdict.is_invalid()
}

fn without_ratio(arm: &Arm<'_>) -> Sentence {
    said!(
        "{arm} has a run whose figure is zero, and nothing has a ratio to zero; measure it with longer runs.",
        arm = arm.label,
    )
}

/// Those that are valid as far as they go, in one sentence however many they are.
fn without_interval(arms: &[&Arm<'_>]) -> Option<Sentence> {
    let short = arms
        .iter()
        .filter(|arm| is_valid(arm) && arm.cell.values.len() < 2);
    let short: Vec<&str> = short.map(|arm| arm.label.as_str()).collect();
    let (last, others) = short.split_last()?;
    Some(match others {
        [] => said!(
            "{arm} has fewer than two usable runs, and one run has no interval; repeat it at least {count} times.",
            arm = *last,
            count = MIN_RUNS_LAB,
        ),
        others => said!(
            "{arms} and {last} have fewer than two usable runs each, and one run has no interval; repeat it at least {count} times.",
            arms = others.join(", "),
            last = *last,
            count = MIN_RUNS_LAB,
        ),
    })
}

fn tolerated(difference: &WorkloadDifference, arms: &[Arm<'_>], baseline: usize) -> bool {
    let base = &arms[baseline].cell.workload;
    let mut others = arms.iter().map(|arm| &arm.cell.workload);
    others.all(|other| conditions::is_tolerated(&difference.condition, base, other))
}

/// `file size is 512 MiB in 3 and 4 GiB in 5.`, or of more than two arms `file size differs: 512 MiB (3), 4 GiB (5), 1 GiB (6).`
fn in_words(difference: &WorkloadDifference, arms: &[Arm<'_>]) -> Sentence {
    let known = arms.iter().zip(&difference.values);
    let known = known.filter_map(|(arm, value)| Some((value.as_ref()?, &arm.label)));
    let known: Vec<(&String, &String)> = known.collect();
    let name = difference.condition.replace('-', " ");
    if let [(first, arm), (second, other)] = known[..] {
        return said!(
            "{condition} is {first} in {arm} and {second} in {other}.",
            condition = name,
            // As options have it, and no word that a catalogue would have by itself.
            first = figure(first),
            arm = arm,
            second = figure(second),
            other = other,
        );
    }
    let values = known.iter().map(|(value, arm)| format!("{value} ({arm})"));
    said!(
        "{condition} differs: {values}.",
        condition = name,
        values = values.collect::<Vec<_>>().join(", "),
    )
}
