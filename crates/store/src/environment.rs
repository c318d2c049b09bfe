//! The environments of runs, each hash once.

use std::collections::HashMap;
use std::sync::Arc;

use etalon_model::{EnvironmentRecord, JsonRecord as _, Run};
use rusqlite::{OptionalExtension as _, Transaction};

use crate::Store;
use crate::codec::Checksum;
use crate::error::Damage;

/// The row of the run's environment, which is made where there is none; `None` for a run without one.
pub(crate) fn row_of(transaction: &Transaction<'_>, run: &Run) -> rusqlite::Result<Option<i64>> {
    let Some(environment) = run.environment() else {
        return Ok(None);
    };
    let hash = &environment.manifest.hash;
    match find(transaction, hash)? {
        Some(id) => Ok(Some(id)),
        None => insert(transaction, hash, environment).map(Some),
    }
}

fn find(transaction: &Transaction<'_>, hash: &str) -> rusqlite::Result<Option<i64>> {
    transaction
        .prepare_cached("SELECT id FROM environment WHERE hash = ?1")?
        .query_row([hash], |row| row.get(0))
        .optional()
}

fn insert(
    transaction: &Transaction<'_>,
    hash: &str,
    environment: &EnvironmentRecord,
) -> rusqlite::Result<i64> {
    let unwritable = |error| rusqlite::Error::ToSqlConversionFailure(Box::new(error));
    let record = environment.to_json().map_err(unwritable)?.into_bytes();
    transaction
        .prepare_cached("INSERT INTO environment (hash, record, record_crc32) VALUES (?1, ?2, ?3)")?
        .execute((hash, &record, crc32_of(&record)))?;
    Ok(transaction.last_insert_rowid())
}

fn crc32_of(record: &[u8]) -> u32 {
    let mut sum = Checksum::default();
    sum.add(record);
    sum.finish()
}

/// The environments read so far, by row.
pub(crate) struct StoredEnvironments<'a> {
    store: &'a Store,
    found: HashMap<i64, Arc<EnvironmentRecord>>,
}

impl<'a> StoredEnvironments<'a> {
    pub(crate) fn new(store: &'a Store) -> StoredEnvironments<'a> {
        let found = HashMap::new();
        StoredEnvironments { store, found }
    }

    /// Gives `run` the environment of row `id` back.
    pub(crate) fn restore(
        &mut self,
        run: &mut Run,
        id: Option<i64>,
    ) -> Result<(), EnvironmentError> {
        let mark = run.circumstances.environment.as_mut();
        let (Some(mark), Some(id)) = (mark, id) else {
            return Ok(());
        };
        let record = match self.found.get(&id) {
            Some(record) => Arc::clone(record),
            None => self.read(id)?,
        };
        mark.record = Some(record);
        Ok(())
    }

    pub(crate) fn read(&mut self, id: i64) -> Result<Arc<EnvironmentRecord>, EnvironmentError> {
        let sql = "SELECT record, record_crc32 FROM environment WHERE id = ?1";
        let row = |row: &rusqlite::Row<'_>| Ok((row.get::<_, Vec<u8>>(0)?, row.get::<_, u32>(1)?));
        let (bytes, crc32) = self.store.connection.query_row(sql, [id], row)?;
        if crc32_of(&bytes) != crc32 {
            return Err(EnvironmentError::Damage(Damage::Environment(id)));
        }
        let text = std::str::from_utf8(&bytes).ok();
        let record = text
            .and_then(|text| EnvironmentRecord::from_json(text).ok())
            .ok_or(EnvironmentError::Damage(Damage::Environment(id)))?;
        let record = Arc::new(record);
        self.found.insert(id, Arc::clone(&record));
        Ok(record)
    }
}

/// Why an environment cannot be read.
pub(crate) enum EnvironmentError {
    /// SQLite refused.
    Sqlite(rusqlite::Error),
    /// It is not what was stored.
    Damage(Damage),
}

impl From<rusqlite::Error> for EnvironmentError {
    fn from(error: rusqlite::Error) -> Self {
        EnvironmentError::Sqlite(error)
    }
}
