//! The cells of an experiment.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use etalon_model::{Cell, CellSummary, JsonRecord as _, RunId, Unit};
use rusqlite::Row;

use crate::columns::text;
use crate::error::Damage;
use crate::sound::Sound;
use crate::write::cell_crc32;
use crate::{Store, StoreError};

/// A cell's row, whose record can be parsed where there is no connection.
pub(crate) struct StoredCell {
    store: PathBuf,
    experiment: RunId,
    id: i64,
    record: String,
    crc32: u32,
}

impl StoredCell {
    /// The cell again.
    pub(crate) fn parse(&self) -> Result<Cell, StoreError> {
        if cell_crc32(&self.record) != self.crc32 {
            return Err(self.damaged(Damage::CellChecksum(self.id)));
        }
        Cell::from_json(&self.record).map_err(|_| self.damaged(Damage::Cell(self.id)))
    }

    fn damaged(&self, what: Damage) -> StoreError {
        StoreError::Damaged {
            path: self.store.clone(),
            experiment: self.experiment,
            what,
        }
    }
}

/// Rows of cells, or what is wrong with them.
pub(crate) type StoredCells = Vec<Result<StoredCell, StoreError>>;

/// Fewer cells than these are parsed before a thread has begun.
const MANY: usize = 32;

/// The cells of rows as they were read, with what is wrong with the others.
pub(crate) fn parsed(rows: StoredCells) -> Result<Sound<Vec<Cell>>, StoreError> {
    let mut sound = Sound::of(Vec::with_capacity(rows.len()));
    for row in rows {
        sound.take(row.and_then(|row| row.parse()), Vec::push)?;
    }
    Ok(sound)
}

/// The same while the caller does something else: the cells of a large experiment take as long to parse as its runs. One
/// after the other where no thread can be started.
pub(crate) fn parsed_beside<T>(
    rows: StoredCells,
    other: impl FnOnce() -> T,
) -> (Result<Sound<Vec<Cell>>, StoreError>, T) {
    let is_worth_a_thread = rows.len() >= MANY;
    let waiting = Mutex::new(rows);
    let parse = || {
        let mut rows = waiting.lock().unwrap_or_else(PoisonError::into_inner);
        parsed(std::mem::take(&mut rows))
    };
    std::thread::scope(|scope| {
        let start = || std::thread::Builder::new().spawn_scoped(scope, parse).ok();
        let thread = is_worth_a_thread.then(start).flatten();
        let done = other();
        let cells = match thread.map(|thread| thread.join()) {
            Some(joined) => joined.unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
            None => parse(),
        };
        (cells, done)
    })
}

impl Store {
    /// The cells of an experiment without their records, in the order of the table; those whose
    /// figure is no number are left out.
    ///
    /// # Errors
    /// [`StoreError::Locked`] and the like.
    pub fn cell_summaries(&self, experiment: RunId) -> Result<Vec<CellSummary>, StoreError> {
        let sql = "SELECT name, unit, median, verdict FROM cell WHERE experiment_id = ?1 \
                   AND median IS NOT NULL ORDER BY id";
        // A list asks it of each experiment.
        let statement = self.connection.prepare_cached(sql);
        let mut statement = statement.map_err(|e| self.failed(e))?;
        let rows = statement.query_map([experiment], |row| {
            let sign: String = row.get(1)?;
            let unit = Unit::ALL.into_iter().find(|unit| unit.sign() == sign);
            Ok((row.get(0)?, unit, row.get(2)?, row.get(3)?))
        });
        let rows = rows.map_err(|e| self.failed(e))?;
        let mut cells = Vec::new();
        for row in rows {
            // What is damaged here is told where its record is read.
            if let Ok((name, Some(unit), median, verdict)) = row {
                cells.push(CellSummary {
                    name,
                    unit,
                    median,
                    verdict,
                });
            }
        }
        Ok(cells)
    }

    /// The rows of an experiment's cells, in the order of the table.
    pub(crate) fn stored_cells(&self, experiment: RunId) -> Result<StoredCells, StoreError> {
        // The numbers alone are sorted: SQLite would sort the records through a file.
        let sql = "SELECT id, record_json, record_crc32 FROM cell \
             WHERE id IN (SELECT id FROM cell WHERE experiment_id = ?1) ORDER BY id";
        let mut statement = self.connection.prepare(sql).map_err(|e| self.failed(e))?;
        let mut rows = statement.query([experiment]).map_err(|e| self.failed(e))?;
        let mut cells = Vec::new();
        while let Some(row) = rows.next().map_err(|e| self.failed(e))? {
            cells.push(self.stored_cell(experiment, row));
        }
        Ok(cells)
    }

    fn stored_cell(&self, experiment: RunId, row: &Row<'_>) -> Result<StoredCell, StoreError> {
        let id = row.get(0).map_err(|e| self.failed(e))?;
        let read = |e| self.unreadable(experiment, Damage::Cell(id), e);
        Ok(StoredCell {
            store: Path::to_owned(&self.path),
            experiment,
            id,
            record: text(row, 1).map_err(read)?.to_owned(),
            crc32: row.get(2).map_err(read)?,
        })
    }
}
