//! What people say of experiments: a note, and tags to find them by.

use std::collections::BTreeMap;

use etalon_model::RunId;
use rusqlite::Transaction;

use crate::{Store, StoreError};

/// What is said of one experiment.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Remark {
    /// The note; empty for none.
    pub note: String,
    /// The tags, sorted.
    pub tags: Vec<String>,
}

impl Store {
    /// Gives an experiment a note, in place of the one that it has; an empty text takes it away.
    ///
    /// # Errors
    /// [`StoreError::NoSuchExperiment`], [`StoreError::Locked`] and the like.
    pub fn set_note(&mut self, experiment: RunId, text: &str) -> Result<(), StoreError> {
        self.require(experiment)?;
        self.transact(|transaction| {
            transaction.execute("DELETE FROM note WHERE experiment_id = ?1", [experiment])?;
            if !text.is_empty() {
                let sql = "INSERT INTO note (experiment_id, text) VALUES (?1, ?2)";
                transaction.execute(sql, (experiment, text))?;
            }
            Ok(())
        })
    }

    /// Gives an experiment a tag, or takes it away.
    ///
    /// # Errors
    /// As [`Store::set_note`].
    pub fn set_tag(&mut self, experiment: RunId, word: &str, on: bool) -> Result<(), StoreError> {
        self.require(experiment)?;
        let sql = match on {
            true => "INSERT OR IGNORE INTO tag (experiment_id, word) VALUES (?1, ?2)",
            false => "DELETE FROM tag WHERE experiment_id = ?1 AND word = ?2",
        };
        self.transact(|transaction| transaction.execute(sql, (experiment, word)).map(drop))
    }

    /// What is said of experiments, by their numbers; those of which nothing is said are missing.
    ///
    /// # Errors
    /// [`StoreError::Locked`] and the like.
    pub fn remarks(&self) -> Result<BTreeMap<RunId, Remark>, StoreError> {
        let mut remarks: BTreeMap<RunId, Remark> = BTreeMap::new();
        for (id, note) in self.said("note", "SELECT experiment_id, text FROM note")? {
            remarks.entry(id).or_default().note = note;
        }
        let tags = "SELECT experiment_id, word FROM tag ORDER BY experiment_id, word";
        for (id, word) in self.said("tag", tags)? {
            remarks.entry(id).or_default().tags.push(word);
        }
        Ok(remarks)
    }

    /// Stores of older formats have no such tables.
    fn said(&self, table: &str, sql: &str) -> Result<Vec<(RunId, String)>, StoreError> {
        let failed = |e| self.failed(e);
        let known = self.connection.table_exists(None, table).map_err(failed)?;
        if !known {
            return Ok(Vec::new());
        }
        let mut statement = self.connection.prepare(sql).map_err(failed)?;
        let rows = statement
            .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))
            .map_err(failed)?;
        rows.collect::<Result<_, _>>().map_err(failed)
    }
}

/// Copies what is said of one experiment to another.
pub(crate) fn insert(
    transaction: &Transaction<'_>,
    experiment: RunId,
    remark: &Remark,
) -> rusqlite::Result<()> {
    if !remark.note.is_empty() {
        let sql = "INSERT INTO note (experiment_id, text) VALUES (?1, ?2)";
        transaction.execute(sql, (experiment, &remark.note))?;
    }
    for word in &remark.tags {
        let sql = "INSERT INTO tag (experiment_id, word) VALUES (?1, ?2)";
        transaction.execute(sql, (experiment, word))?;
    }
    Ok(())
}
