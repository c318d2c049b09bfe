//! What pages say of the runs of large experiments, gathered when these end.

use etalon_model::{ExperimentHeader, ExperimentKind, ExperimentState, RunId};
use etalon_report::PageDigest;
use etalon_store::{Digested, Store};
use etalon_units::Bytes;

/// An experiment whose runs need not be read for its page.
pub(crate) struct Gathered {
    pub(crate) kept: Digested,
    pub(crate) digest: PageDigest,
}

/// Gathers what the page of an experiment that has ended says of its runs, where these are many. It is made anew of the
/// runs where it is missing, so that a failure costs time alone.
pub(crate) fn keep(store: &mut Store, experiment: RunId) {
    drop(try_to_keep(store, experiment));
}

fn try_to_keep(store: &mut Store, id: RunId) -> anyhow::Result<()> {
    if !store.is_worth_a_digest(id)? || !is_of_cells(&store.header(id)?) {
        return Ok(());
    }
    // The page's own reading: with the points of a series that its checks count, and no others.
    let most = etalon_judge::FEWEST_POINTS;
    let experiment = match store.abridged_experiment(id, Bytes::ZERO, most)? {
        Some(abridged) => abridged.experiment.whole()?,
        None => store.experiment(id)?,
    };
    if let Some(digest) = PageDigest::of(&experiment.cells, &experiment.runs) {
        store.set_digest(id, experiment.runs.len(), &digest.to_text()?)?;
    }
    Ok(())
}

/// What was gathered of an experiment; `None` where it is to be read.
pub(crate) fn of(store: &Store, experiment: RunId) -> anyhow::Result<Option<Gathered>> {
    let kept = store.digested_experiment(experiment)?;
    let kept = kept.filter(|kept| is_of_cells(&kept.header));
    Ok(kept.and_then(|kept| {
        let digest = PageDigest::from_text(&kept.digest)?;
        Some(Gathered { kept, digest })
    }))
}

/// Whether its page says nothing of single runs: not which block of a plan differs, and not which was cut.
fn is_of_cells(header: &ExperimentHeader) -> bool {
    header.begun.kind != ExperimentKind::Plan && header.state == ExperimentState::Finished
}
