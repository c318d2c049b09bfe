//! Experiments that have ended and are gone on with.

use etalon_model::{ExperimentState, RunId};
use rusqlite::named_params;

use crate::{Store, StoreError};

/// Whether an experiment runs not and has as many runs as were read of it.
const IS_AS_READ: &str = "id = :id AND state <> :running \
    AND (SELECT count(*) FROM run WHERE experiment_id = :id) = :runs";

impl Store {
    /// Says that an experiment that has ended is gone on with, by the process `owner`. What is added hangs on the `runs`
    /// that were read of it, so that others must not have been added since, and none may be on their way.
    ///
    /// # Errors
    /// [`StoreError::ChangedMeanwhile`], and as [`Store::append_run`].
    pub fn go_on_with(
        &mut self,
        experiment: RunId,
        runs: usize,
        owner: Option<&str>,
    ) -> Result<(), StoreError> {
        self.require(experiment)?;
        let sql = format!(
            "UPDATE experiment SET state = :running, ended_unix_ns = NULL, owner = :owner WHERE {IS_AS_READ}"
        );
        let reopened = self.transact(|transaction| {
            transaction.execute(
                &sql,
                named_params! {
                    ":id": experiment,
                    ":running": ExperimentState::Running.name(),
                    ":runs": count(runs),
                    ":owner": owner,
                },
            )
        })?;
        self.must_be_as_read(experiment, reopened > 0)
    }

    /// Fails where [`Store::go_on_with`] would at this moment: before a run is made that could not be kept.
    ///
    /// # Errors
    /// As [`Store::go_on_with`].
    pub fn require_as_read(&self, experiment: RunId, runs: usize) -> Result<(), StoreError> {
        self.require(experiment)?;
        let sql = format!("SELECT EXISTS (SELECT 1 FROM experiment WHERE {IS_AS_READ})");
        let asked = self.connection.query_row(
            &sql,
            named_params! {
                ":id": experiment,
                ":running": ExperimentState::Running.name(),
                ":runs": count(runs),
            },
            |row| row.get(0),
        );
        self.must_be_as_read(experiment, asked.map_err(|e| self.failed(e))?)
    }

    fn must_be_as_read(&self, experiment: RunId, is_as_read: bool) -> Result<(), StoreError> {
        match is_as_read {
            true => Ok(()),
            false => Err(StoreError::ChangedMeanwhile {
                path: self.path.clone(),
                id: experiment,
            }),
        }
    }
}

fn count(runs: usize) -> i64 {
    i64::try_from(runs).unwrap_or(i64::MAX)
}
