//! Runs that stand already, to which a session adds more of the same.

use std::time::Instant;

use etalon_model::{Backend, Choice, Run};
use etalon_units::Nanos;

use crate::changes::Changes;
use crate::{ExperimentError, Site, environment_of};

/// Whether a further run would be made under the conditions of those that stand.
///
/// # Errors
/// [`ExperimentError::Changed`] names what is not the same, and [`ExperimentError::NotKnown`] says that
/// the runs keep no environment.
pub(crate) fn same_conditions(earlier: &[Run], site: &Site) -> Result<(), ExperimentError> {
    let Some(last) = earlier.last() else {
        return Ok(());
    };
    let Some(then) = last.environment() else {
        return match is_modelled(last) {
            true => Ok(()),
            false => Err(ExperimentError::NotKnown),
        };
    };
    let now = environment_of(site);
    let mut changes = match &now.record {
        Some(now) => then.manifest.changes_to(&now.manifest),
        None => Vec::new(),
    };
    changes.retain(|change| !change.is_memory_space());
    match changes.is_empty() {
        true => Ok(()),
        false => Err(ExperimentError::Changed(Changes(changes))),
    }
}

/// The modelled device is the same on every machine.
fn is_modelled(run: &Run) -> bool {
    run.workload
        .io()
        .is_some_and(|io| io.backend == Backend::Fake)
}

/// How long an experiment took of which earlier passes took so long, and whose session began then.
pub(crate) fn elapsed(earlier: Nanos, begun: Instant) -> Nanos {
    let session = Nanos::from(begun.elapsed());
    Nanos(earlier.get().saturating_add(session.get()))
}

/// How many runs stood before, for the page.
pub(crate) fn told(earlier: &[Run]) -> Option<Choice> {
    let runs = earlier.iter().filter(|run| !run.is_cut()).count() as u64;
    (runs > 0).then_some(Choice::Continued { runs })
}
