//! Runs for the tests.

use etalon_model::RunHeadline;
use etalon_units::Nanos;

/// A run of a second that began at this one: reads of 4 KiB.
pub(crate) fn run(cell: &str, block: u32, begun_s: i64) -> RunHeadline {
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
