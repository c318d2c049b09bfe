//! What the levels of a plan did: the comparison that `etalon run` prints, for the report of its experiment.

use etalon_model::ExperimentKind;
use etalon_report::{ComparedRow, missing_rows, not_compared};
use etalon_store::{Outline, Store};

use crate::plan::PlanPage;
use crate::unjudged;

/// Longer experiments are not read whole: a second of a run's series takes about two hundred bytes.
const MOST_SECONDS: f64 = 50_000.0;

/// The question of a plan with what was found.
pub(super) struct Planned {
    /// As the plan asks it.
    pub(super) question: String,
    page: PlanPage,
}

impl Planned {
    /// `None` of what is no plan, of a plan that this version does not read, or of a very long experiment.
    pub(super) fn of(store: &Store, outline: &Outline) -> Option<Planned> {
        let seconds = outline.runs.iter().map(|run| run.duration.as_secs_f64());
        let header = &outline.header;
        if header.begun.kind != ExperimentKind::Plan || seconds.sum::<f64>() > MOST_SECONDS {
            return None;
        }
        let experiment = unjudged::as_it_is(store.experiment(header.id).ok()?);
        let found = (&experiment.cells[..], &experiment.runs[..]);
        let page = PlanPage::of_stored(header, found)?;
        Some(Planned {
            question: page.question().to_owned(),
            page,
        })
    }

    /// What could be compared.
    pub(super) fn rows(&self) -> Vec<ComparedRow<'_>> {
        let mut rows = self.page.rows();
        rows.retain(|row| !row.comparison.arms.is_empty());
        rows
    }

    /// The levels; the first is the base.
    pub(super) fn names(&self) -> &[String] {
        self.page.labels()
    }

    /// Why the rest could not be.
    pub(super) fn notes(&self) -> Vec<String> {
        let refused = not_compared(&self.page.rows(), &[], self.names());
        let missing = missing_rows(self.page.missing());
        refused.into_iter().chain(missing).collect()
    }
}
