//! What is being measured at this moment, as the store has it: each run is there the moment it ends.

use std::collections::BTreeMap;

use etalon_model::{ExperimentHeader, ExperimentKind, ExperimentState, RunHeadline, RunId, Unit};
use etalon_store::{Store, StoreError, state_now};
use etalon_units::Nanos;

/// From this size of one operation on, bytes tell more than operations.
const LARGE_BYTES: f64 = 65_536.0;
/// Blocks that tell how long the next ones take: runs get shorter on the way.
const RECENT: usize = 3;

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

/// Time until the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Left {
    /// What is left of the budget.
    AtMost(Nanos),
    /// By the blocks that were measured.
    About(Nanos),
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

/// The experiments that are not known to have ended, without those whose process is gone.
pub(crate) fn sessions(store: &Store, now_unix_ns: i64) -> Result<Vec<LiveExperiment>, StoreError> {
    let listed = store.list_sound()?.records.into_iter();
    let running =
        listed.filter(|e| state_now(e.state, e.owner.as_deref()) == ExperimentState::Running);
    let sessions = running.map(|e| {
        let (header, runs) = (store.header(e.id)?, store.headlines(e.id)?);
        Ok(LiveExperiment::of(&header, &runs, now_unix_ns))
    });
    sessions.collect()
}

impl LiveExperiment {
    fn of(header: &ExperimentHeader, runs: &[RunHeadline], now_unix_ns: i64) -> LiveExperiment {
        let begun = &header.begun;
        let asked = begun.settings["runs"].as_u64();
        LiveExperiment {
            id: header.id,
            kind: begun.kind,
            target: begun.target.path.clone(),
            elapsed: since(begun.started_unix_ns, now_unix_ns),
            block: runs.last().map(|run| run.block + 1),
            blocks: asked.and_then(|runs| u32::try_from(runs).ok()),
            left: left(header, runs, now_unix_ns),
            rows: rows(begun.kind, runs),
        }
    }
}

fn since(then_unix_ns: i64, now_unix_ns: i64) -> Nanos {
    let ns = now_unix_ns.saturating_sub(then_unix_ns).max(0);
    Nanos(ns.unsigned_abs())
}

/// By the number of runs that was asked for, else by the budget; none where the end hangs on what is measured.
fn left(header: &ExperimentHeader, runs: &[RunHeadline], now: i64) -> Option<Left> {
    let settings = &header.begun.settings;
    let asked = settings["runs"].as_u64();
    if let Some(asked) = asked.and_then(|runs| u32::try_from(runs).ok()) {
        return by_blocks(runs, asked, now).map(Left::About);
    }
    let budget = Nanos(settings["budget_ns"].as_u64()?);
    let spent = since(header.begun.started_unix_ns, now);
    Some(Left::AtMost(budget.saturating_sub(spent)))
}

/// A block is over when a run of the next one stands in the store.
fn by_blocks(runs: &[RunHeadline], asked: u32, now: i64) -> Option<Nanos> {
    let mut begins: Vec<i64> = Vec::new();
    let mut block = None;
    for run in runs {
        if block != Some(run.block) {
            block = Some(run.block);
            begins.push(run.started_unix_ns);
        }
    }
    let last = *begins.last()?;
    let recent = &begins[begins.len().saturating_sub(RECENT + 1)..];
    let spans = (recent.len() - 1) as u64;
    let each = since(*recent.first()?, last).0.checked_div(spans)?;
    let blocks = u64::from(asked.saturating_sub(block?));
    Some(Nanos(each.saturating_mul(blocks)).saturating_sub(since(last, now)))
}

fn rows(kind: ExperimentKind, runs: &[RunHeadline]) -> Vec<LiveRow> {
    let mut places = BTreeMap::new();
    let mut rows: Vec<LiveRow> = Vec::new();
    for run in runs {
        let at = *places.entry(&run.cell).or_insert(rows.len());
        if at == rows.len() {
            rows.push(LiveRow {
                cell: run.cell.clone(),
                unit: unit(kind, run),
                is_io: run.bytes_per_s > 0.0,
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

fn unit(kind: ExperimentKind, run: &RunHeadline) -> Unit {
    match kind {
        ExperimentKind::Work => Unit::Seconds,
        _ if run.bytes_per_s >= LARGE_BYTES * run.operations_per_s => match run.bytes_per_s > 0.0 {
            true => Unit::BytesPerSecond,
            false => Unit::OperationsPerSecond,
        },
        _ => Unit::OperationsPerSecond,
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

    fn run(cell: &str, block: u32, begun_s: i64) -> RunHeadline {
        RunHeadline {
            cell: cell.to_owned(),
            block,
            position: 0,
            started_unix_ns: begun_s * 1_000_000_000,
            elapsed: Nanos::secs(1),
            duration: Nanos::secs(1),
            operations_per_s: 100.0,
            bytes_per_s: 100.0 * 4096.0,
            p50: None,
            p99: None,
            max: None,
        }
    }

    #[test]
    fn blocks_to_come_take_as_long_as_the_last_ones() {
        let ten_s = |block: u32| run("read", block, i64::from(block) * 10);
        let runs: Vec<RunHeadline> = (0..3).map(ten_s).collect();
        // Block 2 of 0 to 5 began 4 s ago: 6 s of it are left, and three more.
        assert_eq!(by_blocks(&runs, 6, 24_000_000_000), Some(Nanos::secs(36)));
        assert_eq!(by_blocks(&runs, 6, 99_000_000_000), Some(Nanos::ZERO));
        assert_eq!(by_blocks(&runs[..1], 6, 24_000_000_000), None);
        assert_eq!(by_blocks(&[], 6, 0), None);
    }

    #[test]
    fn small_operations_are_counted_and_large_ones_measured_in_bytes() {
        let mut large = run("streaming read", 0, 0);
        large.bytes_per_s = 100.0 * 1_048_576.0;
        let runs = [
            run("randread 4 KiB", 0, 0),
            large,
            run("randread 4 KiB", 1, 1),
        ];
        let rows = rows(ExperimentKind::Quick, &runs);
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
        assert_eq!(
            unit(ExperimentKind::Metadata, &names),
            Unit::OperationsPerSecond
        );
    }
}
