//! The rows that cannot be compared, with the one thing to do, and the arms that are left out of others.

use etalon_language::say;
use etalon_model::{Comparison, ComparisonVerdict};

use super::ComparedRow;
use super::groups::Groups;
use crate::check_words::reason;
use crate::role::label;

/// What a check chooses by the speed of its target, and what follows from it.
const BY_SPEED: [&str; 3] = ["file-size", "queue-depth", "backend"];

/// A sentence for each cause, over all rows that it concerns; where measuring one arm `like` another would do, that is
/// said once.
pub(crate) fn sentences(
    rows: &[ComparedRow<'_>],
    groups: &Groups,
    like: Option<&str>,
) -> Vec<String> {
    let refused = |row: &ComparedRow<'_>| Vec::from_iter(cause(row, groups, like.is_some()));
    let refused = by_cause(rows, refused).into_iter();
    let refused =
        refused.map(|(cause, names)| say!("compare-refused", rows = names, cause = cause));
    let out = by_cause(rows, left_out).into_iter();
    let out = out.map(|(cause, names)| say!("compare-left-out", rows = names, cause = cause));
    let told: Vec<String> = refused.chain(out).collect();
    let would_do = rows.iter().any(|row| is_by_speed(row.comparison));
    let like = like.filter(|_| would_do);
    let like = like.map(|command| say!("compare-like", command = command));
    told.into_iter().chain(like).collect()
}

/// Each cause with the rows that it concerns.
fn by_cause(
    rows: &[ComparedRow<'_>],
    causes: impl Fn(&ComparedRow<'_>) -> Vec<String>,
) -> Vec<(String, String)> {
    let mut known: Vec<(String, Vec<String>)> = Vec::new();
    for row in rows {
        for cause in causes(row) {
            match known.iter_mut().find(|(known, _)| *known == cause) {
                Some((_, names)) => names.push(label(row.cell)),
                None => known.push((cause, vec![label(row.cell)])),
            }
        }
    }
    let named = |names: Vec<String>| match names.len() == rows.len() && names.len() > 1 {
        true => say!("all-rows"),
        false => names.join(", "),
    };
    let known = known.into_iter();
    known.map(|(cause, names)| (cause, named(names))).collect()
}

fn left_out(row: &ComparedRow<'_>) -> Vec<String> {
    let arms = row.comparison.arms.iter();
    arms.filter_map(|arm| Some(reason(arm.left_out.as_ref()?)))
        .collect()
}

/// Whether nothing but the speed of the targets made the workloads differ.
fn is_by_speed(comparison: &Comparison) -> bool {
    let ComparisonVerdict::Refused { declare, .. } = &comparison.verdict else {
        return false;
    };
    // A limit of this machine stays to be declared when they are alike.
    let mut others = declare.iter().filter(|name| *name != "capped").peekable();
    let is_one = |condition: &String| BY_SPEED.contains(&condition.as_str());
    others.peek().is_some() && others.all(is_one)
}

fn cause(row: &ComparedRow<'_>, groups: &Groups, has_like: bool) -> Option<String> {
    let ComparisonVerdict::Refused { reasons, declare } = &row.comparison.verdict else {
        return None;
    };
    let would_do = has_like && is_by_speed(row.comparison);
    let reasons = reasons.iter().map(reason).collect::<Vec<_>>().join(" ");
    if declare.is_empty() || would_do || groups.typed().is_empty() {
        return Some(reasons);
    }
    let command = format!("etalon compare {}", groups.asked(declare));
    Some(say!(
        "compare-refused-declare",
        reasons = reasons,
        command = command
    ))
}
