//! Which store a command uses.

use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

use etalon_model::{ExperimentState, RunId};
use etalon_store::{Sound, Store, StoreError, default_path, state_now};
use etalon_tools::Exit;

use crate::cli::StoreArgs;
use crate::output;
use crate::unjudged;

/// Opens the store for keeping runs.
pub(crate) fn open(args: &StoreArgs) -> anyhow::Result<Store> {
    let store = Store::open(&path(args)?)?;
    if store.begun_in_empty_file() {
        output::note(&format!(
            "etalon: '{}' was empty; a store is begun in it",
            store.path().display()
        ));
    }
    Ok(store)
}

/// Tells which records are damaged and left out, and gives the others.
pub(crate) fn sound<T>(sound: Sound<T>) -> (T, Exit) {
    for damage in &sound.damaged {
        output::note(&format!("etalon: {damage}"));
    }
    let exit = match sound.damaged.is_empty() {
        true => Exit::Done,
        false => Exit::Failed,
    };
    (sound.records, exit)
}

/// Opens the store for looking only.
pub(crate) fn open_read_only(args: &StoreArgs) -> anyhow::Result<Store> {
    Ok(Store::open_read_only(&path(args)?)?)
}

/// Opens the store for changing what it holds; one that is not there is not begun.
pub(crate) fn open_existing(args: &StoreArgs) -> anyhow::Result<Store> {
    let path = path(args)?;
    drop(Store::open_read_only(&path)?);
    Ok(Store::open(&path)?)
}

/// The path that an experiment measured.
pub(crate) fn target_of(store: &Store, experiment: RunId) -> anyhow::Result<String> {
    Ok(store.header(experiment)?.begun.target.path)
}

/// Marks experiments whose process is gone as interrupted; their runs are kept, and judged.
pub(crate) fn close_what_died(store: &mut Store) -> anyhow::Result<()> {
    for experiment in store.list_sound()?.records {
        let now = state_now(experiment.state, experiment.owner.as_deref());
        if now != experiment.state {
            let cells = unjudged::judged_of(store, experiment.id);
            store.append_cells(experiment.id, &cells)?;
            store.finish_experiment(experiment.id, now_unix_ns(), ExperimentState::Interrupted)?;
        }
    }
    Ok(())
}

/// The store's file: the one that was named, or the usual one.
pub(crate) fn path(args: &StoreArgs) -> anyhow::Result<PathBuf> {
    match args.named() {
        Some(path) => Ok(path),
        None => Ok(default_path()?),
    }
}

/// Whether an error says that there is no store yet.
pub(crate) fn is_missing(error: &anyhow::Error) -> bool {
    matches!(error.downcast_ref(), Some(StoreError::Missing { .. }))
}

/// The time of day, as the store keeps it.
pub(crate) fn now_unix_ns() -> i64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .ok()
        .and_then(|span| i64::try_from(span.as_nanos()).ok())
        .unwrap_or_default()
}
