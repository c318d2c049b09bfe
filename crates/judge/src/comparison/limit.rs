//! Arms that a limit set on this machine held: who declares it compares what storage gives under it, as a plan with such a
//! level does.

use etalon_model::{Cell, Run, Severity, Verdict};

use super::{Arm, CompareOptions, condition_name};
use crate::cell::judge_cell;
use crate::goal::Goal;

/// The finding of such a limit, and its name for [`CompareOptions::by`].
pub(super) const CAPPED: &str = "capped";

/// The runs of an arm, and its cell as these give it.
pub(crate) struct Held {
    runs: Vec<Run>,
    cell: Cell,
}

/// What each arm is under a limit that was declared; `None` for an arm that no limit spoils, and for all where none was.
pub(crate) fn declared(arms: &[Arm<'_>], options: &CompareOptions) -> Vec<Option<Held>> {
    let is_declared = options.by.iter().any(|by| condition_name(by) == CAPPED);
    let held = arms.iter().map(|arm| match is_declared {
        true => Held::of(arm),
        false => None,
    });
    held.collect()
}

/// The arms, those under a declared limit as they are under it.
pub(crate) fn under<'a>(arms: &[Arm<'a>], held: &'a [Option<Held>]) -> Vec<Arm<'a>> {
    let sides = arms.iter().zip(held);
    let arms = sides.map(|(arm, held)| match held {
        Some(held) => held.arm(arm),
        None => arm.clone(),
    });
    arms.collect()
}

/// The cell of these runs, of which the check of all runs together does not find the limit again.
fn unlimited(name: &str, runs: &[Run]) -> Option<Cell> {
    let mut runs = runs.to_vec();
    for limits in runs
        .iter_mut()
        .filter_map(|run| run.circumstances.limits.as_mut())
    {
        limits.devices.clear();
    }
    judge_cell(name, &runs.iter().collect::<Vec<_>>(), &Goal::default())
}

impl Held {
    /// The arm's runs with the limit as a circumstance, so that what else spoils one of them leaves it out as ever; `None` for
    /// an arm that no limit spoils.
    pub(super) fn of(arm: &Arm<'_>) -> Option<Held> {
        let Verdict::Invalid { reasons } = &arm.cell.verdict else {
            return None;
        };
        reasons.iter().any(|code| code == CAPPED).then_some(())?;
        let mut runs: Vec<Run> = arm.runs.iter().map(|run| (*run).clone()).collect();
        let findings = runs.iter_mut().flat_map(|run| &mut run.findings);
        for finding in findings.filter(|finding| finding.code == CAPPED) {
            finding.severity = Severity::Info;
        }
        let cell = unlimited(&arm.cell.name, &runs)?;
        Some(Held { runs, cell })
    }

    /// Whether nothing but the limit spoils the arm.
    pub(super) fn is_usable(&self) -> bool {
        let is_compared = self.cell.values.len() > 1 && !self.cell.has_a_zero();
        !self.cell.verdict.is_invalid() && is_compared
    }

    /// The arm as these runs are.
    fn arm(&self, of: &Arm<'_>) -> Arm<'_> {
        Arm {
            label: of.label.clone(),
            session: of.session.clone(),
            cell: &self.cell,
            runs: self.runs.iter().collect(),
        }
    }
}
