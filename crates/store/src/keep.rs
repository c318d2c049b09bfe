//! Experiments that come from another store, and those that go.

use etalon_model::{Experiment, ExperimentState, JsonRecord, RunId};

use crate::choice;
use crate::codec::Parts;
use crate::elapsed;
use crate::remark::{self, Remark};
use crate::write::{begin, finish, insert_run, upsert_cell};
use crate::{Store, StoreError};

impl Store {
    /// Stores a whole experiment of another store under a new number: all of it or nothing. What runs there does not run
    /// here, so that it is kept as interrupted.
    ///
    /// # Errors
    /// As [`Store::begin_experiment`].
    pub fn import(&mut self, experiment: &Experiment, said: &Remark) -> Result<RunId, StoreError> {
        let header = &experiment.header;
        // The process that made it is none of this machine's, and nothing here would end it.
        let state = match header.state {
            ExperimentState::Running => ExperimentState::Interrupted,
            state => state,
        };
        let begun = etalon_model::NewExperiment {
            owner: None,
            ..header.begun.clone()
        };
        let parts = experiment
            .runs
            .iter()
            .map(Parts::of)
            .collect::<Result<Vec<_>, _>>()?;
        let cells = experiment.cells.iter().map(JsonRecord::to_json);
        let cells = cells.collect::<Result<Vec<_>, _>>()?;
        let texts = (
            begun.target.to_json()?,
            serde_json::to_string(&begun.settings)?,
        );
        let choices = choice::record(&header.choices)?;
        self.transact(|transaction| {
            let id = begin(transaction, &begun, &texts)?;
            for (run, parts) in experiment.runs.iter().zip(&parts) {
                insert_run(transaction, id, run, parts)?;
            }
            for (cell, record) in experiment.cells.iter().zip(&cells) {
                upsert_cell(transaction, id, cell, record)?;
            }
            remark::insert(transaction, id, said)?;
            choice::insert(transaction, id, choices.as_deref())?;
            finish(transaction, id, header.ended_unix_ns, state)?;
            elapsed::set(transaction, id, header.elapsed_ns)?;
            Ok(id)
        })
    }

    /// Removes experiments with their runs for good, all or none; their numbers are not given again.
    ///
    /// # Errors
    /// [`StoreError::NoSuchExperiment`], [`StoreError::Locked`] and the like.
    pub fn remove(&mut self, experiments: &[RunId]) -> Result<(), StoreError> {
        for experiment in experiments {
            self.require(*experiment)?;
        }
        self.transact(|transaction| {
            for experiment in experiments {
                for sql in REMOVE {
                    transaction.execute(sql, [experiment])?;
                }
            }
            transaction.execute(REMOVE_UNUSED, []).map(drop)
        })
    }
}

/// Everything that belongs to one experiment, what refers to another before it.
const REMOVE: [&str; 7] = [
    "DELETE FROM run WHERE experiment_id = ?1",
    "DELETE FROM cell WHERE experiment_id = ?1",
    "DELETE FROM note WHERE experiment_id = ?1",
    "DELETE FROM tag WHERE experiment_id = ?1",
    "DELETE FROM choice WHERE experiment_id = ?1",
    "DELETE FROM digest WHERE experiment_id = ?1",
    "DELETE FROM experiment WHERE id = ?1",
];

/// Environments of which no run is left.
const REMOVE_UNUSED: &str = "DELETE FROM environment WHERE id NOT IN \
    (SELECT environment_id FROM run WHERE environment_id IS NOT NULL)";
