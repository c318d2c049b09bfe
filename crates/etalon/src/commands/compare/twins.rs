//! Arms that hold the same runs tell nothing of each other.

use std::collections::HashSet;

use anyhow::bail;
use etalon_model::Run;

use crate::arms::NamedArm;
use crate::exit::BadUsage;

/// What tells a run from every other, in whatever store or document it stands.
type RunKey<'a> = (i64, &'a str, u32, u32);

/// Refuses two arms with a run in common: an experiment and itself, or a copy of it.
pub(super) fn refuse(named: &[NamedArm]) -> anyhow::Result<()> {
    for (at, arm) in named.iter().enumerate() {
        let own = identities(arm);
        for other in &named[at + 1..] {
            if own.intersection(&identities(other)).next().is_some() {
                bail!(BadUsage(sentence(arm, other, own == identities(other))));
            }
        }
    }
    Ok(())
}

fn sentence(arm: &NamedArm, other: &NamedArm, is_same: bool) -> String {
    let (a, b) = (&arm.typed, &other.typed);
    match is_same {
        true if a == b => format!(
            "'{a}' is named twice: nothing is learnt by comparing runs with themselves; name another experiment (`etalon list` shows them)"
        ),
        true => format!(
            "'{a}' and '{b}' are the same runs: nothing is learnt by comparing them; name another experiment (`etalon list` shows them)"
        ),
        false => format!(
            "'{a}' and '{b}' have runs in common, which would make them alike; choose runs that are in one of them only, as in 3@1-6 3@7-12"
        ),
    }
}

fn identities(arm: &NamedArm) -> HashSet<RunKey<'_>> {
    let is_meant = |run: &&Run| arm.cell.as_ref().is_none_or(|cell| *cell == run.cell);
    let runs = arm.experiment.runs.iter().filter(is_meant);
    runs.map(|run| {
        (
            run.started_unix_ns,
            run.cell.as_str(),
            run.block,
            run.position,
        )
    })
    .collect()
}
