//! `etalon merge STORE`.

use std::path::PathBuf;

use anyhow::bail;
use clap::Args;
use etalon_exchange::{Change, ChangedExperiment};
use etalon_model::{Experiment, ExperimentHeader, ExperimentState, RunId};
use etalon_store::Store;
use etalon_tools::Exit;

use super::changed::tell;
use super::subcommand::Subcommand;
use crate::cli::StoreArgs;
use crate::exit::BadUsage;
use crate::output;
use crate::stores;

/// Copy the experiments of another store into this one, with new numbers
#[derive(Debug, Clone, Args)]
#[command(after_help = "Examples:
  etalon merge /mnt/usb/other-machine.sqlite
  etalon merge old.sqlite --store all.sqlite

The other store is only read. What is here already is not copied twice, and what still runs there is
left out.")]
pub(super) struct MergeArgs {
    /// The other store's file
    #[arg(value_name = "STORE")]
    other: PathBuf,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    store: StoreArgs,
}

impl Subcommand for MergeArgs {
    const NAME: &'static str = "merge";

    fn run(&self) -> anyhow::Result<Exit> {
        let other = Store::open_read_only(&self.other)?;
        let mut store = stores::open(&self.store)?;
        if is_one_file(&store, &other) {
            bail!(BadUsage(format!(
                "'{}' is the store itself; name another one",
                self.other.display()
            )));
        }
        let (changed, exit) = merged(&mut store, &other, |_| ())?;
        tell(Self::NAME, changed, self.json)?;
        Ok(exit)
    }
}

fn is_one_file(store: &Store, other: &Store) -> bool {
    let inode = |store: &Store| {
        use std::os::unix::fs::MetadataExt as _;
        let found = std::fs::metadata(store.path());
        found.map(|found| (found.dev(), found.ino())).ok()
    };
    inode(store).is_some() && inode(store) == inode(other)
}

/// Copies what is not here yet; `complete` adds to an experiment what only this side knows.
pub(super) fn merged(
    store: &mut Store,
    other: &Store,
    complete: impl Fn(&mut Experiment),
) -> anyhow::Result<(Vec<ChangedExperiment>, Exit)> {
    let (listed, mut exit) = stores::sound(other.list_sound()?);
    let remarks = other.remarks()?;
    let mut known = headers(store)?;
    let mut changed = Vec::new();
    for from in listed {
        if from.state == ExperimentState::Running {
            output::note(&format!(
                "etalon: experiment {} still runs and is left out",
                from.id
            ));
            exit = Exit::Failed;
            continue;
        }
        let mut experiment = other.experiment(from.id)?;
        complete(&mut experiment);
        let same = known
            .iter()
            .find(|(_, known)| is_same(known, &experiment.header));
        let (id, change) = match same {
            Some((id, _)) => (*id, Change::AlreadyThere),
            None => {
                let said = remarks.get(&from.id).cloned().unwrap_or_default();
                let id = store.import(&experiment, &said)?;
                known.push((id, experiment.header.clone()));
                (id, Change::Merged)
            }
        };
        changed.push(ChangedExperiment {
            id,
            from: Some(from.id),
            target_path: from.target_path,
            change,
        });
    }
    Ok((changed, exit))
}

fn headers(store: &Store) -> anyhow::Result<Vec<(RunId, ExperimentHeader)>> {
    let listed = store.list_sound()?.records;
    let header = |id| Ok((id, store.header(id)?));
    listed
        .iter()
        .map(|experiment| header(experiment.id))
        .collect()
}

/// Two experiments were not begun in one nanosecond with one seed on one target.
fn is_same(one: &ExperimentHeader, other: &ExperimentHeader) -> bool {
    let key = |header: &ExperimentHeader| {
        let begun = &header.begun;
        (
            begun.started_unix_ns,
            begun.seed,
            begun.kind,
            begun.target.path.clone(),
        )
    };
    key(one) == key(other)
}
