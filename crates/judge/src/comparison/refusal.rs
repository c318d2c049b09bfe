//! Why arms cannot be compared, and what would have to be said so that they are.

use etalon_model::{ComparisonVerdict, Verdict, WorkloadDifference};
use etalon_stats::MIN_RUNS_LAB;

use super::limit::{CAPPED, Held};
use super::{Arm, CompareOptions, condition_name, conditions};

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
        true => open
            .iter()
            .map(|d| d.condition.clone())
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

/// Why the figures of some arms are compared with nothing.
pub(super) fn unusable(arms: &[&Arm<'_>]) -> Vec<String> {
    let invalid = arms.iter().filter_map(|arm| match &arm.cell.verdict {
        Verdict::Invalid { reasons } => {
            let reasons = reasons.join(", ");
            Some(format!("{} is invalid ({reasons}).", arm.label))
        }
        _ => None,
    });
    invalid.chain(without_interval(arms)).collect()
}

/// Those that are valid as far as they go, in one sentence however many they are.
fn without_interval(arms: &[&Arm<'_>]) -> Option<String> {
    let is_valid = |arm: &Arm<'_>| !matches!(arm.cell.verdict, Verdict::Invalid { .. });
    let short = arms
        .iter()
        .filter(|arm| is_valid(arm) && arm.cell.values.len() < 2);
    let short: Vec<&str> = short.map(|arm| arm.label.as_str()).collect();
    let (last, others) = short.split_last()?;
    let have = match others {
        [] => format!("{last} has fewer than two usable runs"),
        others => format!(
            "{} and {last} have fewer than two usable runs each",
            others.join(", ")
        ),
    };
    Some(format!(
        "{have}, and one run has no interval; repeat it at least {MIN_RUNS_LAB} times."
    ))
}

fn tolerated(difference: &WorkloadDifference, arms: &[Arm<'_>], baseline: usize) -> bool {
    let base = &arms[baseline].cell.workload;
    let mut others = arms.iter().map(|arm| &arm.cell.workload);
    others.all(|other| conditions::is_tolerated(&difference.condition, base, other))
}

/// `file size is 512 MiB in 3 and 4 GiB in 5.`
fn in_words(difference: &WorkloadDifference, arms: &[Arm<'_>]) -> String {
    let said = arms.iter().zip(&difference.values);
    let said: Vec<String> = said
        .filter_map(|(arm, value)| Some(format!("{} in {}", value.as_ref()?, arm.label)))
        .collect();
    let name = difference.condition.replace('-', " ");
    format!("{name} is {}.", said.join(" and "))
}
