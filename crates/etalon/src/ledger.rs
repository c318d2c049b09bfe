//! One experiment of the store, from its first run to its end.

use etalon_factor::ProcessStamp;
use etalon_model::{
    Cell, Choice, ExperimentHeader, ExperimentKind, ExperimentState, NewExperiment, Run, RunId,
    TargetRecord,
};
use etalon_store::{Store, StoreError};
use etalon_units::Nanos;

use crate::cli::StoreArgs;
use crate::digests;
use crate::relay;
use crate::stores::{self, now_unix_ns};
use crate::typed;
use crate::unjudged;

/// The experiment that a command writes.
pub(crate) struct Ledger {
    store: Store,
    /// What is known of it; the first run writes it down.
    pub(crate) new: NewExperiment,
    /// Its number, once it has a run.
    pub(crate) id: Option<RunId>,
    /// `--store FILE` where it was typed, for commands that look at the experiment.
    pub(crate) store_option: String,
    /// One that had ended, to which the first run is added: its number, and how many runs were read of it.
    ended: Option<(RunId, usize)>,
}

impl Ledger {
    /// Opens the store, so that a store that cannot keep runs is known before the first of them.
    pub(crate) fn open(kind: ExperimentKind, store: &StoreArgs) -> anyhow::Result<Ledger> {
        let store_option = store.typed();
        let mut store = stores::open(store)?;
        stores::close_what_died(&mut store)?;
        Ok(Ledger {
            store,
            new: NewExperiment {
                kind,
                started_unix_ns: now_unix_ns(),
                target: TargetRecord::default(),
                settings: serde_json::Value::Null,
                seed: 0,
                tool_version: env!("CARGO_PKG_VERSION").to_owned(),
                // Without it a killed command would be listed as running for ever.
                owner: ProcessStamp::current().ok().map(|stamp| stamp.to_string()),
            },
            id: None,
            store_option,
            ended: None,
        })
    }

    /// Adds to an experiment that had ended, of which so many runs were read, from the first run on.
    pub(crate) fn go_on(&mut self, experiment: &ExperimentHeader, runs: usize) {
        self.ended = Some((experiment.id, runs));
        let owner = self.new.owner.take();
        self.new = NewExperiment {
            owner,
            ..experiment.begun.clone()
        };
    }

    /// Goes on with an experiment that did not come to its end, of which so many runs were read.
    pub(crate) fn go_on_with(&mut self, id: RunId, runs: usize) -> Result<(), StoreError> {
        let owner = self.new.owner.as_deref();
        self.store.go_on_with(id, runs, owner)?;
        self.id = Some(id);
        Ok(())
    }

    /// Fails where a run that is about to be made could not be kept, because others have been added since.
    pub(crate) fn before_a_run(&self) -> Result<(), StoreError> {
        match (self.id, self.ended) {
            (None, Some((id, runs))) => self.store.require_as_read(id, runs),
            _ => Ok(()),
        }
    }

    /// Keeps a run that has ended.
    pub(crate) fn append(&mut self, run: &Run) -> Result<(), StoreError> {
        let id = self.begun()?;
        self.store.append_run(id, run)?;
        relay::runs(std::slice::from_ref(run));
        Ok(())
    }

    /// Keeps runs that have ended, all or none.
    pub(crate) fn append_all(&mut self, runs: &[Run]) -> Result<(), StoreError> {
        let id = self.begun()?;
        self.store.append_runs(id, runs)?;
        relay::runs(runs);
        Ok(())
    }

    /// Keeps the judged cells and what was chosen; where nothing was chosen, what was before stays. Without a run there is no
    /// experiment: what was refused leaves no trace in the store.
    pub(crate) fn close(
        &mut self,
        cells: &[Cell],
        choices: &[Choice],
        (state, elapsed): (ExperimentState, Option<Nanos>),
    ) -> Result<(), StoreError> {
        let Some(id) = self.id else {
            return Ok(());
        };
        self.store.append_cells(id, cells)?;
        if !choices.is_empty() {
            self.store.set_choices(id, choices)?;
        }
        self.store.finish_experiment(id, now_unix_ns(), state)?;
        if let Some(elapsed) = elapsed {
            self.store.set_elapsed(id, elapsed)?;
        }
        digests::keep(&mut self.store, id);
        relay::ended(cells, choices, state);
        Ok(())
    }

    /// Keeps what the runs say that had ended where something ended the work before it judged them.
    pub(crate) fn close_unjudged(&mut self) -> Result<(), StoreError> {
        let cells = self.id.map(|id| unjudged::judged_of(&self.store, id));
        self.close(
            &cells.unwrap_or_default(),
            &[],
            (ExperimentState::Interrupted, None),
        )
    }

    /// The experiment's number; the first run begins it.
    fn begun(&mut self) -> Result<RunId, StoreError> {
        match self.id {
            Some(id) => Ok(id),
            None => {
                let id = match self.ended {
                    Some((id, runs)) => {
                        let owner = self.new.owner.as_deref();
                        self.store.go_on_with(id, runs, owner).map(|()| id)
                    }
                    None => {
                        let new = with_command(&self.new);
                        relay::begun(&new);
                        self.store.begin_experiment(&new)
                    }
                }?;
                self.id = Some(id);
                Ok(id)
            }
        }
    }
}

/// With the command line among its settings.
fn with_command(new: &NewExperiment) -> NewExperiment {
    let mut new = new.clone();
    if let (Some(settings), Some(command)) = (new.settings.as_object_mut(), typed::command()) {
        settings.insert("command".to_owned(), command);
    }
    new
}

#[cfg(test)]
mod tests {
    use etalon_model::{IoWorkload, Measurement};
    use etalon_units::{Bytes, Nanos};

    use super::*;

    #[test]
    fn what_failed_is_judged_and_leaves_what_was_chosen_before() {
        let place = tempfile::tempdir().unwrap();
        let args = StoreArgs {
            store: Some(place.path().join("store.sqlite")),
        };
        let open = || Ledger::open(ExperimentKind::Measure, &args).unwrap();
        let run = || {
            let measurement = Measurement {
                bytes_with_warm_up: Bytes::mib(1),
                ..Measurement::of_nothing(Nanos::secs(1))
            };
            Run::of("read", IoWorkload::default(), measurement)
        };
        let mut first = open();
        first.append(&run()).unwrap();
        let chosen = [Choice::note("chosen at first")];
        let took = Nanos::secs(40);
        first
            .close(&[], &chosen, (ExperimentState::Finished, Some(took)))
            .unwrap();
        let id = first.id.unwrap();
        let mut second = open();
        second.go_on(&second.store.header(id).unwrap(), 1);
        second.append(&run()).unwrap();
        second.close_unjudged().unwrap();
        let kept = second.store.experiment(id).unwrap();
        assert_eq!(kept.header.choices, chosen);
        // The second session told nothing, and took less.
        assert_eq!(kept.header.elapsed(Nanos::secs(2)), took);
        assert_eq!(kept.header.elapsed(Nanos::secs(50)), Nanos::secs(50));
        assert_eq!(kept.header.state, ExperimentState::Interrupted);
        assert_eq!((kept.cells.len(), kept.runs.len()), (1, 2));
    }
}
