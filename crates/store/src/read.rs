//! Reading experiments back, checked against their checksums.

use etalon_model::{
    Experiment, ExperimentHeader, ExperimentSummary, JsonRecord as _, LatencyHistogram,
    NewExperiment, Run, RunId, SCHEMA_VERSION, TargetRecord,
};
use rusqlite::types::ValueRef;
use rusqlite::{OptionalExtension as _, Row, ToSql, params};

use crate::codec::{Parts, ReadHistogram};
use crate::columns::{bytes, text};
use crate::environment::{EnvironmentError, StoredEnvironments};
use crate::error::Damage;
use crate::sound::Sound;
use crate::{Store, StoreError};

impl Store {
    /// Every experiment, the oldest first, without its runs.
    ///
    /// # Errors
    /// [`StoreError::Damaged`] when a row cannot be read, [`StoreError::Locked`] and the like.
    pub fn list(&self) -> Result<Vec<ExperimentSummary>, StoreError> {
        self.list_sound()?.whole()
    }

    /// The experiments whose rows can be read, and what is wrong with the others.
    ///
    /// # Errors
    /// [`StoreError::Locked`] and the like.
    pub fn list_sound(&self) -> Result<Sound<Vec<ExperimentSummary>>, StoreError> {
        let mut statement = self
            .connection
            .prepare(
                "SELECT e.id, e.kind, e.state, e.started_unix_ns, e.ended_unix_ns, e.target_path, \
                 (SELECT count(*) FROM run WHERE experiment_id = e.id), \
                 (SELECT count(*) FROM cell WHERE experiment_id = e.id), \
                 (SELECT count(*) FROM cell WHERE experiment_id = e.id AND verdict = 'valid'), \
                 e.owner FROM experiment e ORDER BY e.id",
            )
            .map_err(|e| self.failed(e))?;
        let mut rows = statement.query([]).map_err(|e| self.failed(e))?;
        let mut sound = Sound::of(Vec::new());
        while let Some(row) = rows.next().map_err(|e| self.failed(e))? {
            sound.take(self.summary(row), Vec::push)?;
        }
        Ok(sound)
    }

    /// The experiment with this number, whole.
    ///
    /// # Errors
    /// [`StoreError::NoSuchExperiment`]; [`StoreError::Damaged`] when any part of it is not what
    /// was stored; [`StoreError::Locked`] and the like.
    pub fn experiment(&self, id: RunId) -> Result<Experiment, StoreError> {
        self.sound_experiment(id)?.whole()
    }

    /// What of the experiment is as it was stored, and what is wrong with the rest.
    ///
    /// # Errors
    /// [`StoreError::NoSuchExperiment`]; [`StoreError::Damaged`] when the experiment's own row cannot
    /// be read; [`StoreError::Locked`] and the like.
    pub fn sound_experiment(&self, id: RunId) -> Result<Sound<Experiment>, StoreError> {
        let sql = format!("{SELECT_RUNS} ORDER BY position, id");
        self.with_runs(id, &sql, params![id], |row, environments| {
            self.run(id, row, environments)
        })
    }

    /// The experiment with the runs that a query finds, each as `read` makes it of its row.
    pub(crate) fn with_runs(
        &self,
        id: RunId,
        sql: &str,
        values: &[&dyn ToSql],
        read: impl Fn(&Row<'_>, &mut StoredEnvironments<'_>) -> Result<Run, StoreError>,
    ) -> Result<Sound<Experiment>, StoreError> {
        // One snapshot for all queries.
        let snapshot = self.connection.unchecked_transaction();
        let _snapshot = snapshot.map_err(|e| self.failed(e))?;
        let header = self.header(id)?;
        let cells = self.stored_cells(id)?;
        let (cells, runs) = cells.parsed_beside(|| self.sound_runs(id, sql, values, read));
        let runs = runs?;
        let mut sound = Sound::of(Experiment {
            header,
            cells: cells.records,
            runs: runs.records,
        });
        sound.damaged = cells.damaged;
        sound.damaged.extend(runs.damaged);
        Ok(sound)
    }

    fn sound_runs(
        &self,
        id: RunId,
        sql: &str,
        values: &[&dyn ToSql],
        read: impl Fn(&Row<'_>, &mut StoredEnvironments<'_>) -> Result<Run, StoreError>,
    ) -> Result<Sound<Vec<Run>>, StoreError> {
        let mut sound = Sound::of(Vec::new());
        // A run is large, and a vector that grows copies it again and again.
        sound.records.reserve(self.runs_of(id)?);
        let mut statement = self.connection.prepare(sql).map_err(|e| self.failed(e))?;
        let mut rows = statement.query(values).map_err(|e| self.failed(e))?;
        let mut environments = StoredEnvironments::new(self);
        while let Some(row) = rows.next().map_err(|e| self.failed(e))? {
            sound.take(read(row, &mut environments), Vec::push)?;
        }
        Ok(sound)
    }

    pub(crate) fn runs_of(&self, id: RunId) -> Result<usize, StoreError> {
        let sql = "SELECT count(*) FROM run WHERE experiment_id = ?1";
        let counted = self
            .connection
            .query_row(sql, [id], |row| row.get::<_, u32>(0));
        counted
            .map(|runs| runs as usize)
            .map_err(|e| self.failed(e))
    }

    fn summary(&self, row: &Row<'_>) -> Result<ExperimentSummary, StoreError> {
        let id = row.get(0).map_err(|e| self.failed(e))?;
        let read = |e| self.unreadable(id, Damage::Header("row"), e);
        Ok(ExperimentSummary {
            id,
            kind: self.word(id, "kind", row.get(1).map_err(read)?)?,
            state: self.word(id, "state", row.get(2).map_err(read)?)?,
            started_unix_ns: row.get(3).map_err(read)?,
            ended_unix_ns: row.get(4).map_err(read)?,
            target_path: row.get(5).map_err(read)?,
            runs: row.get(6).map_err(read)?,
            cells: row.get(7).map_err(read)?,
            valid_cells: row.get(8).map_err(read)?,
            owner: row.get(9).map_err(read)?,
        })
    }

    /// The experiment's header alone.
    ///
    /// # Errors
    /// [`StoreError::NoSuchExperiment`]; [`StoreError::Damaged`] when its row cannot be read.
    pub fn header(&self, id: RunId) -> Result<ExperimentHeader, StoreError> {
        let row = self
            .connection
            .query_row(
                "SELECT schema_version, kind, state, started_unix_ns, ended_unix_ns, target_json, \
                 settings_json, seed, tool_version, owner FROM experiment WHERE id = ?1",
                [id],
                HeaderRow::read,
            )
            .optional()
            .map_err(|e| self.unreadable(id, Damage::Header("row"), e))?;
        let row = row.ok_or_else(|| StoreError::NoSuchExperiment {
            path: self.path.clone(),
            id,
        })?;
        let json = |column| move |_| self.damaged(id, Damage::Header(column));
        Ok(ExperimentHeader {
            id,
            // Records of older schemas are read as what they are now.
            schema_version: SCHEMA_VERSION.max(row.schema_version),
            state: self.word(id, "state", row.state)?,
            ended_unix_ns: row.ended_unix_ns,
            elapsed_ns: self.elapsed(id)?,
            choices: self.choices(id)?,
            begun: NewExperiment {
                kind: self.word(id, "kind", row.kind)?,
                started_unix_ns: row.started_unix_ns,
                target: TargetRecord::from_json(&row.target_json).map_err(json("target_json"))?,
                settings: serde_json::from_str(&row.settings_json)
                    .map_err(json("settings_json"))?,
                seed: self.word(id, "seed", row.seed)?,
                tool_version: row.tool_version,
                owner: row.owner,
            },
        })
    }

    pub(crate) fn run(
        &self,
        experiment: RunId,
        row: &Row<'_>,
        environments: &mut StoredEnvironments<'_>,
    ) -> Result<Run, StoreError> {
        let stored = self.stored_run(experiment, row)?;
        let checked = stored.check();
        checked.map_err(|what| self.damaged(experiment, what))?;
        let histogram = LatencyHistogram::from_checked_bytes;
        self.restored(experiment, &stored, histogram, environments)
    }

    /// The columns of a row that begins as [`SELECT_RUNS`] has it.
    pub(crate) fn stored_run<'row>(
        &self,
        experiment: RunId,
        row: &'row Row<'_>,
    ) -> Result<StoredRun<'row>, StoreError> {
        let run = row.get(0).map_err(|e| self.failed(e))?;
        let part = Damage::RunPart { run, part: "row" };
        StoredRun::read(row).map_err(|e| self.unreadable(experiment, part, e))
    }

    /// The run again, with its environment.
    pub(crate) fn restored(
        &self,
        experiment: RunId,
        stored: &StoredRun<'_>,
        histogram: ReadHistogram,
        environments: &mut StoredEnvironments<'_>,
    ) -> Result<Run, StoreError> {
        let (id, environment) = (stored.id, stored.environment);
        let run = stored.parts.run(histogram);
        let mut run = run.map_err(|part| self.damaged(experiment, part.of_run(id)))?;
        let restored = environments.restore(&mut run, environment);
        restored.map_err(|error| match error {
            EnvironmentError::Damage(what) => self.damaged(experiment, what),
            EnvironmentError::Sqlite(error) => self.failed(error),
        })?;
        Ok(run)
    }

    fn word<T: std::str::FromStr>(
        &self,
        experiment: RunId,
        column: &'static str,
        text: String,
    ) -> Result<T, StoreError> {
        text.parse()
            .map_err(|_| self.damaged(experiment, Damage::Header(column)))
    }

    /// A value that is not of its column's kind is damage, anything else a failure of the store.
    pub(crate) fn unreadable(
        &self,
        experiment: RunId,
        what: Damage,
        error: rusqlite::Error,
    ) -> StoreError {
        match error {
            rusqlite::Error::FromSqlConversionFailure(..)
            | rusqlite::Error::InvalidColumnType(..)
            | rusqlite::Error::IntegralValueOutOfRange(..)
            | rusqlite::Error::Utf8Error(..) => self.damaged(experiment, what),
            error => self.failed(error),
        }
    }

    pub(crate) fn damaged(&self, experiment: RunId, what: Damage) -> StoreError {
        StoreError::damaged(&self.path, experiment, what)
    }
}

struct HeaderRow {
    schema_version: u32,
    kind: String,
    state: String,
    started_unix_ns: i64,
    ended_unix_ns: Option<i64>,
    target_json: String,
    settings_json: String,
    seed: String,
    tool_version: String,
    owner: Option<String>,
}

impl HeaderRow {
    fn read(row: &Row<'_>) -> rusqlite::Result<HeaderRow> {
        Ok(HeaderRow {
            schema_version: row.get(0)?,
            kind: row.get(1)?,
            state: row.get(2)?,
            started_unix_ns: row.get(3)?,
            ended_unix_ns: row.get(4)?,
            target_json: row.get(5)?,
            settings_json: row.get(6)?,
            seed: row.get(7)?,
            tool_version: row.get(8)?,
            owner: row.get(9)?,
        })
    }
}

/// Whole runs; what they are chosen and ordered by follows.
pub(crate) const SELECT_RUNS: &str = "\
    SELECT id, record_crc32, record_json, read_histogram, write_histogram, metadata_histogram, \
    lag_histogram, series, environment_id FROM run WHERE experiment_id = ?1";

pub(crate) struct StoredRun<'row> {
    id: RunId,
    crc32: u32,
    environment: Option<i64>,
    parts: Parts<'row>,
}

impl<'row> StoredRun<'row> {
    fn read(row: &'row Row<'_>) -> rusqlite::Result<StoredRun<'row>> {
        let is_closed = row.get_ref(6)? == ValueRef::Null;
        Ok(StoredRun {
            id: row.get(0)?,
            crc32: row.get(1)?,
            environment: row.get(8)?,
            parts: Parts {
                record_json: text(row, 2)?.into(),
                read_histogram: bytes(row, 3)?,
                write_histogram: bytes(row, 4)?,
                metadata_histogram: bytes(row, 5)?,
                lag_histogram: (!is_closed).then(|| bytes(row, 6)).transpose()?,
                series: bytes(row, 7)?,
            },
        })
    }

    fn check(&self) -> Result<(), Damage> {
        match self.parts.crc32() == self.crc32 {
            true => Ok(()),
            false => Err(Damage::RunChecksum(self.id)),
        }
    }
}
