//! What is being measured at this moment, as the store has it: each run is there the moment it ends.

use std::collections::BTreeMap;

use etalon_model::{
    ExperimentHeader, ExperimentKind, RunHeadline, RunId, TaskFigure, TaskWorkload, Unit, Workload,
};
use etalon_store::{Store, StoreError, may_run_here};
use etalon_units::Nanos;

use crate::session::{Left, Session};

/// From this size of one operation on, bytes tell more than operations.
const LARGE_BYTES: f64 = 65_536.0;

/// What is under way.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct LiveSessions {
    pub(crate) experiments: Vec<LiveExperiment>,
    /// Those of which something cannot be read: the others are shown all the same.
    pub(crate) damaged: Vec<RunId>,
}

/// One experiment under way.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct LiveExperiment {
    pub(crate) id: RunId,
    pub(crate) kind: ExperimentKind,
    pub(crate) target: String,
    pub(crate) elapsed: Nanos,
    /// The block of the newest run, from 1; none before the first run has ended.
    pub(crate) block: Option<u32>,
    /// How many blocks were asked for, where a number was.
    pub(crate) blocks: Option<u32>,
    pub(crate) left: Option<Left>,
    pub(crate) rows: Vec<LiveRow>,
}

/// One workload with its runs so far.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct LiveRow {
    pub(crate) cell: String,
    pub(crate) unit: Unit,
    /// Whether its operations are reads and writes, which are counted in IOPS.
    pub(crate) is_io: bool,
    /// In the order in which they were made, at least one.
    pub(crate) values: Vec<f64>,
    /// Median latency of the newest run.
    pub(crate) latency: Option<Nanos>,
}

/// The experiments that are not known to have ended, without those whose process is gone or was on another machine.
pub(crate) fn sessions(store: &Store, now_unix_ns: i64) -> Result<LiveSessions, StoreError> {
    let listed = store.list_sound()?.records.into_iter();
    let running = listed.filter(|e| may_run_here(e.state, e.owner.as_deref()));
    let mut sessions = LiveSessions::default();
    for experiment in running {
        match LiveExperiment::read(store, experiment.id, now_unix_ns) {
            Ok(one) => sessions.experiments.push(one),
            Err(StoreError::Damaged { .. }) => sessions.damaged.push(experiment.id),
            Err(error) => return Err(error),
        }
    }
    Ok(sessions)
}

impl LiveExperiment {
    fn read(store: &Store, id: RunId, now_unix_ns: i64) -> Result<LiveExperiment, StoreError> {
        let (header, runs) = (store.header(id)?, store.headlines(id)?);
        let rows = rows(&store.workloads(id)?, &runs);
        Ok(LiveExperiment::of(&header, &runs, rows, now_unix_ns))
    }

    fn of(
        header: &ExperimentHeader,
        runs: &[RunHeadline],
        rows: Vec<LiveRow>,
        now_unix_ns: i64,
    ) -> LiveExperiment {
        let begun = &header.begun;
        let session = Session::of(header, runs);
        LiveExperiment {
            id: header.id,
            kind: begun.kind,
            target: begun.target.path.clone(),
            elapsed: session.elapsed(now_unix_ns),
            block: runs.last().map(|run| run.block + 1),
            blocks: session.asked_blocks(header),
            left: session.left(header, runs, now_unix_ns),
            rows,
        }
    }
}

fn rows(workloads: &BTreeMap<String, Workload>, runs: &[RunHeadline]) -> Vec<LiveRow> {
    let mut places = BTreeMap::new();
    let mut rows: Vec<LiveRow> = Vec::new();
    for run in runs {
        let at = *places.entry(&run.cell).or_insert(rows.len());
        if at == rows.len() {
            let task = workloads.get(&run.cell).and_then(Workload::task);
            rows.push(LiveRow {
                cell: run.cell.clone(),
                unit: unit(task, run),
                is_io: task.is_none() && run.bytes_per_s > 0.0,
                values: Vec::new(),
                latency: None,
            });
        }
        let row = &mut rows[at];
        row.values.push(value(row.unit, run));
        row.latency = run.p50;
    }
    rows
}

/// Tasks say themselves what is counted of them.
fn unit(task: Option<&TaskWorkload>, run: &RunHeadline) -> Unit {
    let is_large = run.bytes_per_s >= LARGE_BYTES * run.operations_per_s;
    match task.map(|task| task.figure) {
        Some(TaskFigure::Time) => Unit::Seconds,
        Some(TaskFigure::Throughput) => Unit::BytesPerSecond,
        None if is_large && run.bytes_per_s > 0.0 => Unit::BytesPerSecond,
        Some(TaskFigure::Rate) | None => Unit::OperationsPerSecond,
    }
}

fn value(unit: Unit, run: &RunHeadline) -> f64 {
    match unit {
        Unit::BytesPerSecond => run.bytes_per_s,
        Unit::OperationsPerSecond => run.operations_per_s,
        Unit::Seconds => run.duration.as_secs_f64(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::run;

    #[test]
    fn small_operations_are_counted_and_large_ones_measured_in_bytes() {
        let mut large = run("streaming read", 0, 0);
        large.bytes_per_s = 100.0 * 1_048_576.0;
        let runs = [
            run("randread 4 KiB", 0, 0),
            large,
            run("randread 4 KiB", 1, 1),
        ];
        let rows = rows(&BTreeMap::new(), &runs);
        let told: Vec<_> = rows
            .iter()
            .map(|row| (row.unit, row.values.len()))
            .collect();
        assert_eq!(
            told,
            [(Unit::OperationsPerSecond, 2), (Unit::BytesPerSecond, 1)]
        );
        let names = run("create files", 0, 0);
        let names = RunHeadline {
            bytes_per_s: 0.0,
            operations_per_s: 0.0,
            ..names
        };
        assert_eq!(unit(None, &names), Unit::OperationsPerSecond);
    }

    #[test]
    fn what_is_counted_of_a_task_is_its_own() {
        let told = [
            (TaskFigure::Rate, Unit::OperationsPerSecond),
            (TaskFigure::Throughput, Unit::BytesPerSecond),
            (TaskFigure::Time, Unit::Seconds),
        ];
        for (figure, counted) in told {
            let task = TaskWorkload::of_texts("web", "read", figure, [].into());
            let workloads = [("read".to_owned(), task.into())].into();
            let rows = rows(&workloads, &[run("read", 0, 0)]);
            assert_eq!((rows[0].unit, rows[0].is_io), (counted, false));
        }
    }
}
