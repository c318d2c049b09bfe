//! A run without its record: what a table of many runs needs.

use etalon_units::Nanos;

use crate::Run;

/// The headline figures of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct RunHeadline {
    /// Its cell's name.
    pub cell: String,
    /// Its block, from 0.
    pub block: u32,
    /// Its place in the order of all runs, from 0.
    pub position: u32,
    /// When it started, in nanoseconds since 1970-01-01 UTC.
    pub started_unix_ns: i64,
    /// What its whole pass took, preparation and clean-up included.
    pub elapsed: Nanos,
    /// The timed part.
    pub duration: Nanos,
    /// Operations per second; zero where another program did not tell them.
    pub operations_per_s: f64,
    /// Bytes per second; zero likewise.
    pub bytes_per_s: f64,
    /// Median latency; `None` where the count does not allow it, as with the next.
    pub p50: Option<Nanos>,
    /// 99th percentile.
    pub p99: Option<Nanos>,
    /// Longest latency.
    pub max: Option<Nanos>,
}

impl RunHeadline {
    /// Those of a run that is whole in memory.
    pub fn of(run: &Run) -> RunHeadline {
        let measurement = &run.measurement;
        let latency = measurement.latency();
        RunHeadline {
            cell: run.cell.clone(),
            block: run.block,
            position: run.position,
            started_unix_ns: run.started_unix_ns,
            elapsed: run.elapsed,
            duration: measurement.duration,
            operations_per_s: run.operations_per_second().unwrap_or(0.0),
            bytes_per_s: run.bytes_per_second().unwrap_or(0.0),
            p50: latency.tail_quantile(0.5),
            p99: latency.tail_quantile(0.99),
            max: latency.max(),
        }
    }
}
