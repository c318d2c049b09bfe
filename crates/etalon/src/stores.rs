//! Which store a command uses.

use std::path::PathBuf;

use etalon_factor::{Liveness, ProcessStamp};
use etalon_model::ExperimentState;
use etalon_store::{Store, StoreError, default_path};

use crate::cli::StoreArgs;
use crate::ledger::now_unix_ns;

/// Opens the store for keeping runs.
pub(crate) fn open(args: &StoreArgs) -> anyhow::Result<Store> {
    Ok(Store::open(&path(args)?)?)
}

/// Opens the store for looking only.
pub(crate) fn open_read_only(args: &StoreArgs) -> anyhow::Result<Store> {
    Ok(Store::open_read_only(&path(args)?)?)
}

/// Marks experiments whose process is gone as interrupted; their runs are kept.
pub(crate) fn close_what_died(store: &mut Store) -> anyhow::Result<()> {
    for experiment in store.list()? {
        let owner = experiment.owner.as_deref().map(str::parse::<ProcessStamp>);
        let died = matches!(owner, Some(Ok(stamp)) if stamp.liveness() == Liveness::Dead);
        if experiment.state == ExperimentState::Running && died {
            store.finish_experiment(experiment.id, now_unix_ns(), ExperimentState::Interrupted)?;
        }
    }
    Ok(())
}

fn path(args: &StoreArgs) -> anyhow::Result<PathBuf> {
    match &args.store {
        Some(path) => Ok(path.clone()),
        None => Ok(default_path()?),
    }
}

/// Whether an error says that there is no store yet.
pub(crate) fn is_missing(error: &anyhow::Error) -> bool {
    matches!(error.downcast_ref(), Some(StoreError::Missing { .. }))
}
