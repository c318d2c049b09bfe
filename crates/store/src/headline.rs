//! An experiment without its runs' records: what a table of many runs needs.

use std::sync::Arc;

use etalon_model::{Cell, EnvironmentRecord, ExperimentHeader, Run, RunHeadline, RunId};
use etalon_units::Nanos;
use rusqlite::{Row, params};

use crate::environment::{EnvironmentError, StoredEnvironments};
use crate::error::Damage;
use crate::read::SELECT_RUNS;
use crate::{Store, StoreError};

/// An experiment with the headlines of its runs. What was judged is checked against its checksums.
#[derive(Debug, Clone, PartialEq)]
pub struct Outline {
    /// What, when, by which settings.
    pub header: ExperimentHeader,
    /// Its cells, in the order of the table.
    pub cells: Vec<Cell>,
    /// Its runs, in the order in which they were made. Their columns stand beside the records, and no checksum covers them.
    pub runs: Vec<RunHeadline>,
    /// The environments of its runs, each once, in the order in which they came.
    pub environments: Vec<Arc<EnvironmentRecord>>,
}

const HEADLINES: &str = "\
    SELECT id, cell, block, position, started_unix_ns, duration_ns, operations_per_s, bytes_per_s, latency_p50_ns, \
    latency_p99_ns, latency_max_ns, elapsed_ns FROM run WHERE experiment_id = ?1 ORDER BY position, id";

const ENVIRONMENTS: &str = "\
    SELECT environment_id FROM run WHERE experiment_id = ?1 AND environment_id IS NOT NULL \
    GROUP BY environment_id ORDER BY min(position)";

impl Store {
    /// The experiment without the records of its runs, whose histograms and series are not read: 10 000 runs with
    /// series of ten minutes are two gigabytes of them.
    ///
    /// # Errors
    /// As [`Store::experiment`], of what is read.
    pub fn outline(&self, id: RunId) -> Result<Outline, StoreError> {
        // One snapshot for all queries.
        let snapshot = self.connection.unchecked_transaction();
        let _snapshot = snapshot.map_err(|e| self.failed(e))?;
        Ok(Outline {
            header: self.header(id)?,
            cells: self.stored_cells(id)?.parsed().whole()?,
            runs: self.headlines(id)?,
            environments: self.environments_of(id)?,
        })
    }

    /// The run at this place in the order of all, whole and checked; `None` where there is none.
    ///
    /// # Errors
    /// As [`Store::experiment`].
    pub fn run_at(&self, id: RunId, position: u32) -> Result<Option<Run>, StoreError> {
        let sql = format!("{SELECT_RUNS} AND position = ?2");
        let mut statement = self.connection.prepare(&sql).map_err(|e| self.failed(e))?;
        let found = statement.query(params![id, position]);
        let mut rows = found.map_err(|e| self.failed(e))?;
        let mut environments = StoredEnvironments::new(self);
        match rows.next().map_err(|e| self.failed(e))? {
            Some(row) => self.run(id, row, &mut environments).map(Some),
            None => Ok(None),
        }
    }

    /// The runs of one cell, whole and checked, in the order in which they were made; none where there is no such cell.
    ///
    /// # Errors
    /// As [`Store::experiment`].
    pub fn runs_of_cell(&self, id: RunId, cell: &str) -> Result<Vec<Run>, StoreError> {
        let sql = format!("{SELECT_RUNS} AND cell = ?2 ORDER BY position, id");
        let mut statement = self.connection.prepare(&sql).map_err(|e| self.failed(e))?;
        let found = statement.query(params![id, cell]);
        let mut rows = found.map_err(|e| self.failed(e))?;
        let mut environments = StoredEnvironments::new(self);
        let mut runs = Vec::new();
        while let Some(row) = rows.next().map_err(|e| self.failed(e))? {
            runs.push(self.run(id, row, &mut environments)?);
        }
        Ok(runs)
    }

    /// The headlines of an experiment's runs, in the order in which they were made; none where there is no such
    /// experiment.
    ///
    /// # Errors
    /// As [`Store::experiment`], of what is read.
    pub fn headlines(&self, id: RunId) -> Result<Vec<RunHeadline>, StoreError> {
        let mut statement = self
            .connection
            .prepare(HEADLINES)
            .map_err(|e| self.failed(e))?;
        let mut rows = statement.query([id]).map_err(|e| self.failed(e))?;
        let mut found = Vec::new();
        while let Some(row) = rows.next().map_err(|e| self.failed(e))? {
            let run = row.get(0).map_err(|e| self.failed(e))?;
            let part = Damage::RunPart { run, part: "row" };
            found.push(headline(row).map_err(|e| self.unreadable(id, part, e))?);
        }
        Ok(found)
    }

    fn environments_of(&self, id: RunId) -> Result<Vec<Arc<EnvironmentRecord>>, StoreError> {
        let mut statement = self
            .connection
            .prepare(ENVIRONMENTS)
            .map_err(|e| self.failed(e))?;
        let rows = statement.query_map([id], |row| row.get::<_, i64>(0));
        let rows: Result<Vec<i64>, _> = rows.and_then(Iterator::collect);
        let mut environments = StoredEnvironments::new(self);
        let rows = rows.map_err(|e| self.failed(e))?.into_iter();
        rows.map(|row| {
            environments.read(row).map_err(|error| match error {
                EnvironmentError::Damage(what) => self.damaged(id, what),
                EnvironmentError::Sqlite(error) => self.failed(error),
            })
        })
        .collect()
    }
}

fn headline(row: &Row<'_>) -> rusqlite::Result<RunHeadline> {
    let span = |column| -> rusqlite::Result<Option<Nanos>> {
        let ns: Option<i64> = row.get(column)?;
        Ok(ns.map(|ns| Nanos(ns.unsigned_abs())))
    };
    Ok(RunHeadline {
        cell: row.get(1)?,
        block: row.get(2)?,
        position: row.get(3)?,
        started_unix_ns: row.get(4)?,
        elapsed: span(11)?.unwrap_or_default(),
        duration: span(5)?.unwrap_or_default(),
        operations_per_s: row.get(6)?,
        bytes_per_s: row.get(7)?,
        p50: span(8)?,
        p99: span(9)?,
        max: span(10)?,
    })
}
