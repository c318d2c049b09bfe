//! Writing an experiment, a transaction per call.

use etalon_model::{
    Backend, Cell, ExperimentState, JsonRecord, NewExperiment, Run, RunId, SCHEMA_VERSION,
};
use etalon_units::Nanos;
use rusqlite::{Transaction, TransactionBehavior, named_params};

use crate::codec::{Checksum, Parts};
use crate::{Store, StoreError};
use crate::{digest, environment};

impl Store {
    /// Begins an experiment in the state `running` and gives its number.
    ///
    /// # Errors
    /// [`StoreError::Locked`], [`StoreError::DiskFull`] and the like; nothing is stored then.
    pub fn begin_experiment(&mut self, new: &NewExperiment) -> Result<RunId, StoreError> {
        let target = new.target.to_json()?;
        let settings = serde_json::to_string(&new.settings)?;
        self.transact(|transaction| begin(transaction, new, &(target, settings)))
    }

    /// Stores one finished run for good and gives its number: when this returns, neither a kill nor
    /// a power cut takes the run away.
    ///
    /// # Errors
    /// [`StoreError::NoSuchExperiment`], and as [`Store::begin_experiment`].
    pub fn append_run(&mut self, experiment: RunId, run: &Run) -> Result<RunId, StoreError> {
        self.require(experiment)?;
        let parts = Parts::of(run)?;
        self.transact(|transaction| {
            insert_run(transaction, experiment, run, &parts)?;
            Ok(transaction.last_insert_rowid())
        })
    }

    /// Stores several finished runs for good, all or none: for tools whose runs are shorter than a
    /// transaction.
    ///
    /// # Errors
    /// As [`Store::append_run`].
    pub fn append_runs(&mut self, experiment: RunId, runs: &[Run]) -> Result<(), StoreError> {
        self.require(experiment)?;
        let parts = runs.iter().map(Parts::of).collect::<Result<Vec<_>, _>>()?;
        self.transact(|transaction| {
            let mut all = runs.iter().zip(&parts);
            all.try_for_each(|(run, parts)| {
                insert_run(transaction, experiment, run, parts).map(drop)
            })
        })
    }

    /// Stores the judged cells of an experiment, all or none; a cell of the same name is replaced.
    ///
    /// # Errors
    /// As [`Store::append_run`].
    pub fn append_cells(&mut self, experiment: RunId, cells: &[Cell]) -> Result<(), StoreError> {
        self.require(experiment)?;
        let records = cells
            .iter()
            .map(JsonRecord::to_json)
            .collect::<Result<Vec<_>, _>>()?;
        self.transact(|transaction| {
            digest::forget(transaction, experiment)?;
            cells
                .iter()
                .zip(&records)
                .try_for_each(|(cell, record)| upsert_cell(transaction, experiment, cell, record))
        })
    }

    /// Says how and when (nanoseconds since 1970-01-01 UTC) an experiment ended.
    ///
    /// # Errors
    /// As [`Store::append_run`].
    pub fn finish_experiment(
        &mut self,
        experiment: RunId,
        ended_unix_ns: i64,
        state: ExperimentState,
    ) -> Result<(), StoreError> {
        self.require(experiment)?;
        self.transact(|transaction| finish(transaction, experiment, Some(ended_unix_ns), state))
    }

    pub(crate) fn require(&self, experiment: RunId) -> Result<(), StoreError> {
        let known: bool = self
            .connection
            .query_row(
                "SELECT EXISTS (SELECT 1 FROM experiment WHERE id = ?1)",
                [experiment],
                |row| row.get(0),
            )
            .map_err(|e| self.failed(e))?;
        if known {
            return Ok(());
        }
        Err(StoreError::NoSuchExperiment {
            path: self.path.clone(),
            id: experiment,
        })
    }

    /// One transaction that takes the writer's lock at once, so that it cannot meet another halfway.
    pub(crate) fn transact<T>(
        &mut self,
        work: impl FnOnce(&Transaction<'_>) -> rusqlite::Result<T>,
    ) -> Result<T, StoreError> {
        let (path, waited) = (self.path.clone(), self.busy_timeout);
        self.connection
            .transaction_with_behavior(TransactionBehavior::Immediate)
            .and_then(|transaction| {
                let done = work(&transaction)?;
                transaction.commit()?;
                Ok(done)
            })
            .map_err(|e| StoreError::from_sqlite(&path, waited, e))
    }
}

/// Inserts an experiment in the state `running`, with its target and settings as JSON.
pub(crate) fn begin(
    transaction: &Transaction<'_>,
    new: &NewExperiment,
    (target, settings): &(String, String),
) -> rusqlite::Result<RunId> {
    transaction.execute(
        "INSERT INTO experiment (schema_version, kind, state, started_unix_ns, target_path, \
                 target_json, settings_json, seed, tool_version, owner) VALUES (:schema_version, \
                 :kind, :state, :started, :path, :target, :settings, :seed, :version, :owner)",
        named_params! {
            ":schema_version": SCHEMA_VERSION,
            ":kind": new.kind.name(),
            ":state": ExperimentState::Running.name(),
            ":started": new.started_unix_ns,
            ":path": new.target.path,
            ":target": target,
            ":settings": settings,
            ":seed": new.seed.to_string(),
            ":version": new.tool_version,
            ":owner": new.owner,
        },
    )?;
    Ok(transaction.last_insert_rowid())
}

/// Says how and when an experiment ended.
pub(crate) fn finish(
    transaction: &Transaction<'_>,
    experiment: RunId,
    ended_unix_ns: Option<i64>,
    state: ExperimentState,
) -> rusqlite::Result<()> {
    let sql = "UPDATE experiment SET state = ?2, ended_unix_ns = ?3 WHERE id = ?1";
    transaction
        .execute(sql, (experiment, state.name(), ended_unix_ns))
        .map(drop)
}

pub(crate) fn insert_run(
    transaction: &Transaction<'_>,
    experiment: RunId,
    run: &Run,
    parts: &Parts<'_>,
) -> rusqlite::Result<usize> {
    let environment = environment::row_of(transaction, run)?;
    let m = &run.measurement;
    let latency = m.latency();
    let ns = |span: Option<Nanos>| span.map(|span| count(span.get()));
    transaction
        .prepare_cached(INSERT_RUN)?
        .execute(named_params! {
            ":experiment_id": experiment,
            ":environment_id": environment,
            ":cell": run.cell,
            ":block": run.block,
            ":position": run.position,
            ":started_unix_ns": run.started_unix_ns,
            ":elapsed_ns": count(run.elapsed.get()),
            ":operation": run.workload.io().map_or("task", |io| io.operation.name()),
            ":backend": m.backend.map(Backend::name),
            ":duration_ns": count(m.duration.get()),
            ":operations": count(m.operations()),
            ":bytes": count(m.bytes().get()),
            ":operations_per_s": m.operations_per_second(),
            ":bytes_per_s": m.bytes_per_second(),
            ":latency_mean_ns": ns(latency.mean()),
            ":latency_p50_ns": ns(latency.tail_quantile(0.5)),
            ":latency_p99_ns": ns(latency.tail_quantile(0.99)),
            ":latency_p999_ns": ns(latency.tail_quantile(0.999)),
            ":latency_max_ns": ns(latency.max()),
            ":cpu_user_ns": ns(m.cpu_user),
            ":cpu_system_ns": ns(m.cpu_system),
            ":device_read_bytes": run.device.as_ref().map(|d| count(d.read_bytes.get())),
            ":device_write_bytes": run.device.as_ref().map(|d| count(d.written_bytes.get())),
            ":record_json": parts.record_json,
            ":read_histogram": parts.read_histogram,
            ":write_histogram": parts.write_histogram,
            ":metadata_histogram": parts.metadata_histogram,
            ":lag_histogram": parts.lag_histogram,
            ":series": parts.series,
            ":record_crc32": parts.crc32(),
        })
}

const INSERT_RUN: &str = "\
    INSERT INTO run (experiment_id, environment_id, cell, block, position, started_unix_ns, elapsed_ns, operation, \
    backend, duration_ns, operations, bytes, operations_per_s, bytes_per_s, latency_mean_ns, \
    latency_p50_ns, latency_p99_ns, latency_p999_ns, latency_max_ns, cpu_user_ns, cpu_system_ns, \
    device_read_bytes, device_write_bytes, record_json, read_histogram, write_histogram, \
    metadata_histogram, lag_histogram, series, record_crc32) VALUES (:experiment_id, :environment_id, :cell, :block, \
    :position, :started_unix_ns, :elapsed_ns, :operation, :backend, :duration_ns, :operations, \
    :bytes, :operations_per_s, :bytes_per_s, :latency_mean_ns, :latency_p50_ns, :latency_p99_ns, \
    :latency_p999_ns, :latency_max_ns, :cpu_user_ns, :cpu_system_ns, :device_read_bytes, \
    :device_write_bytes, :record_json, :read_histogram, :write_histogram, :metadata_histogram, \
    :lag_histogram, :series, :record_crc32)";

pub(crate) fn upsert_cell(
    transaction: &Transaction<'_>,
    experiment: RunId,
    cell: &Cell,
    record: &str,
) -> rusqlite::Result<()> {
    transaction
        .prepare_cached(
            "INSERT INTO cell (experiment_id, name, unit, median, runs, verdict, record_json, \
             record_crc32) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) \
             ON CONFLICT (experiment_id, name) DO UPDATE SET unit = ?3, median = ?4, runs = ?5, \
             verdict = ?6, record_json = ?7, record_crc32 = ?8",
        )?
        .execute((
            experiment,
            &cell.name,
            cell.unit.sign(),
            // SQLite keeps not-a-number as NULL.
            cell.median.value,
            cell.median.runs,
            cell.verdict.word(),
            record,
            cell_crc32(record),
        ))
        .map(drop)
}

/// CRC-32 of a cell's record.
pub(crate) fn cell_crc32(record: &str) -> u32 {
    let mut sum = Checksum::default();
    sum.add(record.as_bytes());
    sum.finish()
}

/// A number for a headline column; the record beside it is exact where this would not fit.
fn count(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
