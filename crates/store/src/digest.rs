//! What a page says of the runs of a large experiment, kept beside them so that it is shown without reading them.

use etalon_model::{Cell, ExperimentHeader, RunId};
use rusqlite::{OptionalExtension as _, Transaction};

use crate::codec::Checksum;
use crate::sound::Sound;
use crate::{Store, StoreError};

/// Fewer runs than these are read as fast as their digest.
const MANY: usize = 500;

/// An experiment with what was gathered of its runs.
#[derive(Debug)]
pub struct Digested {
    /// What, when, by which settings.
    pub header: ExperimentHeader,
    /// Its cells, in the order of the table.
    pub cells: Sound<Vec<Cell>>,
    /// How many runs it has.
    pub runs: usize,
    /// The text that [`Store::set_digest`] was given.
    pub digest: String,
}

impl Store {
    /// Whether an experiment has so many runs that it is worth a digest.
    ///
    /// # Errors
    /// [`StoreError::Locked`] and the like.
    pub fn is_worth_a_digest(&self, experiment: RunId) -> Result<bool, StoreError> {
        Ok(self.runs_of(experiment)? >= MANY)
    }

    /// Keeps what was gathered of so many runs, in place of what was kept before. Nothing that the store gives back as a
    /// result depends on it.
    ///
    /// # Errors
    /// As [`Store::append_run`].
    pub fn set_digest(
        &mut self,
        experiment: RunId,
        runs: usize,
        digest: &str,
    ) -> Result<(), StoreError> {
        self.require(experiment)?;
        let sql = "INSERT OR REPLACE INTO digest (experiment_id, runs, digest_json, digest_crc32) \
                   VALUES (?1, ?2, ?3, ?4)";
        let runs = i64::try_from(runs).unwrap_or(i64::MAX);
        self.transact(|transaction| {
            let values = (experiment, runs, digest, crc32(digest));
            transaction.execute(sql, values).map(drop)
        })
    }

    /// The experiment with its digest instead of its runs; `None` where it has none that was made of its runs, or that is
    /// damaged, and in a store of an older format.
    ///
    /// # Errors
    /// As [`Store::experiment`], of what is read.
    pub fn digested_experiment(&self, id: RunId) -> Result<Option<Digested>, StoreError> {
        // One snapshot for all queries.
        let snapshot = self.connection.unchecked_transaction();
        let _snapshot = snapshot.map_err(|e| self.failed(e))?;
        let runs = self.runs_of(id)?;
        let Some(digest) = self.digest(id, runs)? else {
            return Ok(None);
        };
        let header = self.header(id)?;
        Ok(Some(Digested {
            header,
            cells: self.stored_cells(id)?.parsed(),
            runs,
            digest,
        }))
    }

    fn digest(&self, experiment: RunId, runs: usize) -> Result<Option<String>, StoreError> {
        let failed = |e| self.failed(e);
        let exists = self.connection.table_exists(None, "digest");
        if !exists.map_err(failed)? {
            return Ok(None);
        }
        let sql = "SELECT CAST(digest_json AS BLOB), digest_crc32 FROM digest \
                   WHERE experiment_id = ?1 AND runs = ?2";
        let runs = i64::try_from(runs).unwrap_or(i64::MAX);
        let found = self.connection.query_row(sql, (experiment, runs), |row| {
            Ok((row.get(0)?, row.get(1)?))
        });
        let found: Option<(Vec<u8>, u32)> = found.optional().map_err(failed)?;
        // What is damaged is missing: it can be made again.
        let text = found.and_then(|(bytes, sum)| Some((String::from_utf8(bytes).ok()?, sum)));
        Ok(text.and_then(|(text, sum)| (crc32(&text) == sum).then_some(text)))
    }
}

fn crc32(digest: &str) -> u32 {
    let mut sum = Checksum::default();
    sum.add(digest.as_bytes());
    sum.finish()
}

/// Takes away what was gathered before the cells were judged anew.
pub(crate) fn forget(transaction: &Transaction<'_>, experiment: RunId) -> rusqlite::Result<()> {
    let sql = "DELETE FROM digest WHERE experiment_id = ?1";
    transaction.execute(sql, [experiment]).map(drop)
}
