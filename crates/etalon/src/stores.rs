//! Which store a command uses.

use std::path::PathBuf;

use etalon_store::{Store, StoreError, default_path};

use crate::cli::StoreArgs;

/// Opens the store for keeping runs.
pub(crate) fn open(args: &StoreArgs) -> anyhow::Result<Store> {
    Ok(Store::open(&path(args)?)?)
}

/// Opens the store for looking only.
pub(crate) fn open_read_only(args: &StoreArgs) -> anyhow::Result<Store> {
    Ok(Store::open_read_only(&path(args)?)?)
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
