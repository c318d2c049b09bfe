//! The cells of an experiment.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use etalon_model::{Cell, CellSummary, JsonRecord as _, RunId, Unit};
use rusqlite::Row;

use crate::columns::text;
use crate::error::Damage;
use crate::sound::Sound;
use crate::write::cell_crc32;
use crate::{Store, StoreError};

/// A cell's row.
struct StoredCell {
    id: i64,
    record: String,
    crc32: u32,
}

impl StoredCell {
    /// The cell again, or what is wrong with it.
    fn parse(&self) -> Result<Cell, Damage> {
        if cell_crc32(&self.record) != self.crc32 {
            return Err(Damage::CellChecksum(self.id));
        }
        Cell::from_json(&self.record).map_err(|_| Damage::Cell(self.id))
    }
}

/// The rows of an experiment's cells, which can be parsed where there is no connection.
pub(crate) struct StoredCells {
    store: PathBuf,
    experiment: RunId,
    rows: Sound<Vec<StoredCell>>,
}

/// Fewer cells than these are parsed before a thread has begun.
const MANY: usize = 32;

impl StoredCells {
    /// The cells, with what is wrong with the others: one half of many in a thread of its own.
    pub(crate) fn parsed(self) -> Sound<Vec<Cell>> {
        let rows = &self.rows.records;
        let (first, second) = rows.split_at(match rows.len() >= MANY {
            true => rows.len() / 2,
            false => 0,
        });
        let (mut cells, rest) = self.beside(first, || self.parse(second));
        cells.records.extend(rest.records);
        cells.damaged.extend(rest.damaged);
        self.with_unreadable(cells)
    }

    /// The same while the caller does something else: the cells of a large experiment take as long to parse as its runs.
    /// One after the other where no thread can be started.
    pub(crate) fn parsed_beside<T>(self, other: impl FnOnce() -> T) -> (Sound<Vec<Cell>>, T) {
        let (cells, done) = self.beside(&self.rows.records, other);
        (self.with_unreadable(cells), done)
    }

    fn beside<T>(&self, rows: &[StoredCell], other: impl FnOnce() -> T) -> (Sound<Vec<Cell>>, T) {
        let is_worth_a_thread = self.rows.records.len() >= MANY;
        std::thread::scope(|scope| {
            let start = || std::thread::Builder::new().spawn_scoped(scope, || self.parse(rows));
            let thread = is_worth_a_thread.then(start).and_then(Result::ok);
            let done = other();
            let cells = match thread.map(|thread| thread.join()) {
                Some(joined) => joined.unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
                None => self.parse(rows),
            };
            (cells, done)
        })
    }

    fn parse(&self, rows: &[StoredCell]) -> Sound<Vec<Cell>> {
        let mut cells = Sound::of(Vec::with_capacity(rows.len()));
        for row in rows {
            match row.parse() {
                Ok(cell) => cells.records.push(cell),
                Err(damage) => {
                    let error = StoreError::damaged(&self.store, self.experiment, damage);
                    cells.damaged.push(error);
                }
            }
        }
        cells
    }

    /// Adds the rows that could not even be read.
    fn with_unreadable(self, mut cells: Sound<Vec<Cell>>) -> Sound<Vec<Cell>> {
        cells.damaged.extend(self.rows.damaged);
        cells
    }
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
        let rows = statement.query_map([experiment], summary);
        let rows = rows.map_err(|e| self.failed(e))?;
        // What is damaged here is told where its record is read.
        let cells = rows.filter_map(|row| row.ok().flatten()).collect();
        Ok(cells)
    }

    /// The first cell of each experiment that is not invalid and whose figure is a number, without its record: a list of a
    /// thousand experiments asks once for all.
    ///
    /// # Errors
    /// [`StoreError::Locked`] and the like.
    pub fn first_sound_cells(&self) -> Result<HashMap<RunId, CellSummary>, StoreError> {
        // Beside a minimum stand the other columns of its row (<https://sqlite.org/quirks.html>, section 6).
        let sql = "SELECT name, unit, median, verdict, experiment_id, min(id) FROM cell \
                   WHERE median IS NOT NULL AND verdict <> 'invalid' GROUP BY experiment_id";
        let statement = self.connection.prepare(sql);
        let mut statement = statement.map_err(|e| self.failed(e))?;
        let rows = statement.query_map([], |row| Ok((row.get(4)?, summary(row)?)));
        let rows = rows.map_err(|e| self.failed(e))?;
        // What is damaged here is told where its record is read.
        let sound = rows.filter_map(|row| row.ok().and_then(|(id, cell)| Some((id, cell?))));
        Ok(sound.collect())
    }

    /// The rows of an experiment's cells, in the order of the table.
    pub(crate) fn stored_cells(&self, experiment: RunId) -> Result<StoredCells, StoreError> {
        // The numbers alone are sorted: SQLite would sort the records through a file.
        let sql = "SELECT id, record_json, record_crc32 FROM cell \
             WHERE id IN (SELECT id FROM cell WHERE experiment_id = ?1) ORDER BY id";
        let mut statement = self.connection.prepare(sql).map_err(|e| self.failed(e))?;
        let mut rows = statement.query([experiment]).map_err(|e| self.failed(e))?;
        let mut cells = Sound::of(Vec::new());
        while let Some(row) = rows.next().map_err(|e| self.failed(e))? {
            cells.take(self.stored_cell(experiment, row), Vec::push)?;
        }
        Ok(StoredCells {
            store: Path::to_owned(&self.path),
            experiment,
            rows: cells,
        })
    }

    fn stored_cell(&self, experiment: RunId, row: &Row<'_>) -> Result<StoredCell, StoreError> {
        let id = row.get(0).map_err(|e| self.failed(e))?;
        let read = |e| self.unreadable(experiment, Damage::Cell(id), e);
        Ok(StoredCell {
            id,
            record: text(row, 1).map_err(read)?.to_owned(),
            crc32: row.get(2).map_err(read)?,
        })
    }
}

/// The columns name, unit, median and verdict; `None` of a unit that is none.
fn summary(row: &Row<'_>) -> rusqlite::Result<Option<CellSummary>> {
    let sign: String = row.get(1)?;
    let Some(unit) = Unit::ALL.into_iter().find(|unit| unit.sign() == sign) else {
        return Ok(None);
    };
    Ok(Some(CellSummary {
        name: row.get(0)?,
        unit,
        median: row.get(2)?,
        verdict: row.get(3)?,
    }))
}
