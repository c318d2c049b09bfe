//! Runs that stand already, to which a session adds more of the same.

use std::fmt;

use etalon_model::stack::ManifestChange;
use etalon_model::{Backend, Choice, Run};

use crate::{ExperimentError, Site, environment_of};

/// Changes told in full.
const TOLD: usize = 3;

/// In what the machine differs from that of the runs which stand.
#[derive(Debug, Clone, PartialEq)]
pub struct Changes(pub Vec<ManifestChange>);

impl fmt::Display for Changes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let told: Vec<String> = self.0.iter().take(TOLD).map(ToString::to_string).collect();
        f.write_str(&told.join("; "))?;
        match self.0.len().saturating_sub(TOLD) {
            0 => Ok(()),
            more => write!(f, " and {more} more"),
        }
    }
}

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
    changes.retain(|change| !change.is_swap_space());
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

/// How many runs stood before, for the page.
pub(crate) fn told(earlier: &[Run]) -> Option<Choice> {
    let runs = earlier.iter().filter(|run| !run.is_cut()).count() as u64;
    (runs > 0).then_some(Choice::Continued { runs })
}
