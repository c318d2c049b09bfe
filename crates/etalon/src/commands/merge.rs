//! `etalon merge STORE...`.

use std::collections::HashSet;
use std::path::PathBuf;

use anyhow::bail;
use clap::Args;
use etalon_exchange::{Change, ChangedExperiment};
use etalon_model::{Experiment, ExperimentHeader, Run, RunId};
use etalon_store::{Store, may_run_here};
use etalon_tools::Exit;

use super::changed::tell;
use super::subcommand::Subcommand;
use crate::cli::StoreArgs;
use crate::digests;
use crate::exit::BadUsage;
use crate::output;
use crate::plan::labelled;
use crate::stores;

/// Copy the experiments of other stores into this one, with new numbers
#[derive(Debug, Clone, Args)]
#[command(after_help = "Examples:
  etalon merge /mnt/usb/other-machine.sqlite
  etalon merge old.sqlite --store all.sqlite
  etalon merge a.sqlite b.sqlite --label north,south --store all.sqlite

The other stores are only read. What is here already is not copied twice, and what still runs on \
this machine is left out; what another machine did not end is copied as interrupted. Experiments keep the label that they were run with, unless --label gives another one; \
`etalon compare --by label` then tells how far machines lie apart.")]
pub(super) struct MergeArgs {
    /// The files of the other stores
    #[arg(value_name = "STORE", required = true)]
    others: Vec<PathBuf>,
    /// A label for the experiments of each store, in the order of the stores
    #[arg(long, value_name = "TEXT", value_delimiter = ',', value_parser = label)]
    label: Vec<String>,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    store: StoreArgs,
}

/// Reads a label: anything that is not empty.
fn label(text: &str) -> Result<String, String> {
    let text = text.trim();
    match text.is_empty() {
        true => Err("a label is empty; write one for each store: north,south".to_owned()),
        false => Ok(text.to_owned()),
    }
}

impl Subcommand for MergeArgs {
    const NAME: &'static str = "merge";

    fn run(&self) -> anyhow::Result<Exit> {
        let (stores, labels) = (self.others.len(), self.label.len());
        if labels > 0 && labels != stores {
            bail!(BadUsage(format!(
                "--label has {labels} names and {stores} stores are to be merged: give one for each, in their order"
            )));
        }
        // All are opened before anything is copied.
        let others = self.others.iter().map(|path| Store::open_read_only(path));
        let others: Vec<Store> = others.collect::<Result<_, _>>()?;
        let mut store = stores::open(&self.store)?;
        for (other, path) in others.iter().zip(&self.others) {
            if is_one_file(&store, other) {
                bail!(BadUsage(format!(
                    "'{}' is the store itself; name another one",
                    path.display()
                )));
            }
        }
        let (mut changed, mut exit) = (Vec::new(), Exit::Done);
        for (number, other) in others.iter().enumerate() {
            let label = self.label.get(number).map(String::as_str);
            let (own, ended) = merged(&mut store, other, |experiment| {
                if let Some(label) = label {
                    let begun = &mut experiment.header.begun;
                    begun.settings = labelled(std::mem::take(&mut begun.settings), label);
                }
            })?;
            changed.extend(own);
            if ended != Exit::Done {
                exit = ended;
            }
        }
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
    let mut leave_out = |why: &str| {
        output::note(&format!("etalon: {why}"));
        exit = Exit::Failed;
    };
    for from in listed {
        if may_run_here(from.state, from.owner.as_deref()) {
            leave_out(&format!(
                "experiment {} still runs and is left out",
                from.id
            ));
            continue;
        }
        let mut experiment = other.experiment(from.id)?;
        complete(&mut experiment);
        let same = known
            .iter()
            .find(|(_, known)| is_same(known, &experiment.header))
            .map(|(id, _)| *id);
        let (id, change) = match same {
            Some(id) => match lack(store, id, &experiment)? {
                Some(lack) => {
                    leave_out(&lack);
                    continue;
                }
                None => (id, Change::AlreadyThere),
            },
            None => {
                let said = remarks.get(&from.id).cloned().unwrap_or_default();
                let id = store.import(&experiment, &said)?;
                digests::keep(store, id);
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

/// That the same experiment here has not all runs of that one, because it was gone on with since it was copied.
fn lack(store: &Store, id: RunId, there: &Experiment) -> anyhow::Result<Option<String>> {
    let here = store.headlines(id)?;
    let here = here.iter().map(|run| (run.position, run.started_unix_ns));
    let here: HashSet<(u32, i64)> = here.collect();
    let is_lacking = |run: &&Run| !here.contains(&(run.position, run.started_unix_ns));
    let lacking = there.runs.iter().filter(is_lacking).count();
    Ok((lacking > 0).then(|| {
        format!(
            "experiment {} is experiment {id} already, which lacks {lacking} of its {} runs; they are not copied: \
             `etalon rm {id}` removes it here, and merging again copies it whole",
            there.header.id,
            there.runs.len()
        )
    }))
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

#[cfg(test)]
mod tests {
    use etalon_factor::ProcessStamp;
    use etalon_model::{ExperimentKind, ExperimentState, NewExperiment, TargetRecord};

    use super::*;

    fn begun(started_unix_ns: i64, owner: &ProcessStamp) -> NewExperiment {
        NewExperiment {
            kind: ExperimentKind::Measure,
            started_unix_ns,
            target: TargetRecord::default(),
            settings: serde_json::json!({}),
            seed: 1,
            tool_version: String::new(),
            owner: Some(owner.to_string()),
        }
    }

    #[test]
    fn what_was_killed_on_another_machine_comes_as_interrupted_and_what_runs_here_stays() {
        let place = tempfile::tempdir().unwrap();
        let open = |name| Store::open(&place.path().join(name)).unwrap();
        let (mut here, mut there) = (open("here"), open("there"));
        let own = ProcessStamp::current().unwrap();
        let killed = ProcessStamp {
            machine: "north".to_owned(),
            ..own.clone()
        };
        there.begin_experiment(&begun(1, &killed)).unwrap();
        there.begin_experiment(&begun(2, &own)).unwrap();
        let (changed, exit) = merged(&mut here, &there, |_| ()).unwrap();
        assert_eq!(exit, Exit::Failed, "one still runs");
        let from: Vec<Option<RunId>> = changed.iter().map(|one| one.from).collect();
        assert_eq!(from, [Some(1)]);
        let header = here.header(changed[0].id).unwrap();
        assert_eq!(
            (header.state, header.begun.owner),
            (ExperimentState::Interrupted, None)
        );
    }
}
