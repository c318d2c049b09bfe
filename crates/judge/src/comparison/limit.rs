//! Arms that a limit set on this machine held: who declares it compares what storage gives under it, as a plan with such a
//! level does.

use etalon_model::{Cell, Run, Severity, Verdict};

use super::Arm;
use crate::cell::judge_cell;
use crate::goal::Goal;

/// The finding of such a limit, and its name for [`CompareOptions::by`](super::CompareOptions::by).
pub(super) const CAPPED: &str = "capped";

/// The runs of an arm, and its cell as these give it.
pub(super) struct Held {
    runs: Vec<Run>,
    cell: Cell,
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
        let cell = judge_cell(
            &arm.cell.name,
            &runs.iter().collect::<Vec<_>>(),
            &Goal::default(),
        )?;
        Some(Held { runs, cell })
    }

    /// Whether nothing but the limit spoils the arm.
    pub(super) fn is_usable(&self) -> bool {
        !self.cell.verdict.is_invalid() && self.cell.values.len() > 1
    }

    /// The arm as these runs are.
    pub(super) fn arm(&self, of: &Arm<'_>) -> Arm<'_> {
        Arm {
            label: of.label.clone(),
            session: of.session.clone(),
            cell: &self.cell,
            runs: self.runs.iter().collect(),
        }
    }
}
