//! How long an experiment took.

use etalon_model::RunId;
use etalon_units::Nanos;
use rusqlite::Transaction;

use crate::{Store, StoreError};

impl Store {
    /// Says what the sessions of an experiment took together, in place of what was said before.
    ///
    /// # Errors
    /// As [`Store::append_run`].
    pub fn set_elapsed(&mut self, experiment: RunId, elapsed: Nanos) -> Result<(), StoreError> {
        self.require(experiment)?;
        self.transact(|transaction| set(transaction, experiment, Some(elapsed)))
    }

    /// Stores of older formats have no such column.
    pub(crate) fn elapsed(&self, experiment: RunId) -> Result<Option<Nanos>, StoreError> {
        let failed = |e| self.failed(e);
        let connection = &self.connection;
        if !connection
            .column_exists(None, "experiment", "elapsed_ns")
            .map_err(failed)?
        {
            return Ok(None);
        }
        let sql = "SELECT elapsed_ns FROM experiment WHERE id = ?1";
        let told: Option<i64> = connection
            .query_row(sql, [experiment], |row| row.get(0))
            .map_err(failed)?;
        Ok(told.and_then(|told| u64::try_from(told).ok()).map(Nanos))
    }
}

pub(crate) fn set(
    transaction: &Transaction<'_>,
    experiment: RunId,
    elapsed: Option<Nanos>,
) -> rusqlite::Result<()> {
    // Three hundred years are enough.
    let elapsed = elapsed.and_then(|elapsed| i64::try_from(elapsed.get()).ok());
    let sql = "UPDATE experiment SET elapsed_ns = ?2 WHERE id = ?1";
    transaction.execute(sql, (experiment, elapsed)).map(drop)
}
