//! The rows that cannot be compared, with the one thing to do.

use etalon_model::ComparisonVerdict;

use super::ComparedRow;
use super::groups::Groups;
use crate::role::label;

/// A sentence for each cause, over all rows that it concerns.
pub(crate) fn sentences(rows: &[ComparedRow<'_>], groups: &Groups) -> Vec<String> {
    let mut causes: Vec<(String, Vec<String>)> = Vec::new();
    for row in rows {
        let Some(cause) = cause(row, groups) else {
            continue;
        };
        match causes.iter_mut().find(|(known, _)| *known == cause) {
            Some((_, names)) => names.push(label(row.cell)),
            None => causes.push((cause, vec![label(row.cell)])),
        }
    }
    let sentence = |(cause, names): (String, Vec<String>)| {
        let names = match names.len() == rows.len() && names.len() > 1 {
            true => "all rows".to_owned(),
            false => names.join(", "),
        };
        format!("Not compared: {names}: {cause}")
    };
    causes.into_iter().map(sentence).collect()
}

fn cause(row: &ComparedRow<'_>, groups: &Groups) -> Option<String> {
    let ComparisonVerdict::Refused { reasons, declare } = &row.comparison.verdict else {
        return None;
    };
    let command = match declare.is_empty() {
        true => String::new(),
        false => format!(
            " To compare it all the same: etalon compare {} --by {}",
            groups.typed(),
            declare.join(",")
        ),
    };
    Some(reasons.join(" ") + &command)
}
