//! What a session chose for the user.

use etalon_model::{Choice, JsonRecord as _, RunId};
use rusqlite::{OptionalExtension as _, Transaction};

use crate::error::Damage;
use crate::{Store, StoreError};

impl Store {
    /// Keeps what was chosen, in place of what was kept before; nothing is kept of nothing.
    ///
    /// # Errors
    /// As [`Store::append_run`].
    pub fn set_choices(&mut self, experiment: RunId, choices: &[Choice]) -> Result<(), StoreError> {
        self.require(experiment)?;
        let record = record(choices)?;
        self.transact(|transaction| insert(transaction, experiment, record.as_deref()))
    }

    /// Stores of older formats have no such table.
    pub(crate) fn choices(&self, experiment: RunId) -> Result<Vec<Choice>, StoreError> {
        let failed = |e| self.failed(e);
        if !self
            .connection
            .table_exists(None, "choice")
            .map_err(failed)?
        {
            return Ok(Vec::new());
        }
        let sql = "SELECT choices_json FROM choice WHERE experiment_id = ?1";
        let asked = self
            .connection
            .query_row(sql, [experiment], |row| row.get::<_, String>(0));
        let Some(text) = asked.optional().map_err(failed)? else {
            return Ok(Vec::new());
        };
        let damaged = |_| self.damaged(experiment, Damage::Header("choices_json"));
        Vec::from_json(&text).map_err(damaged)
    }
}

/// As it is kept; none for nothing.
pub(crate) fn record(choices: &[Choice]) -> Result<Option<String>, serde_json::Error> {
    match choices {
        [] => Ok(None),
        some => some.to_vec().to_json().map(Some),
    }
}

pub(crate) fn insert(
    transaction: &Transaction<'_>,
    experiment: RunId,
    record: Option<&str>,
) -> rusqlite::Result<()> {
    transaction.execute("DELETE FROM choice WHERE experiment_id = ?1", [experiment])?;
    let Some(record) = record else {
        return Ok(());
    };
    let sql = "INSERT INTO choice (experiment_id, choices_json) VALUES (?1, ?2)";
    transaction.execute(sql, (experiment, record)).map(drop)
}
