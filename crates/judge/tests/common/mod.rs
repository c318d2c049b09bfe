//! Runs of simulated sessions.

use etalon_model::{Backend, IoWorkload, Measurement, OpTotals, Run};
use etalon_units::{Bytes, Nanos};

/// A second of random reads, of which so many ended.
pub(crate) fn run(block: u32, operations: u64) -> Run {
    let measurement = Measurement {
        backend: Some(Backend::IoUring),
        direct: Some(true),
        reads: OpTotals {
            operations,
            bytes: Bytes(operations * 4096),
            ..OpTotals::default()
        },
        bytes_with_warm_up: Bytes(operations * 4096),
        ..Measurement::of_nothing(Nanos::secs(1))
    };
    Run {
        block,
        position: block,
        ..Run::of("a cell", IoWorkload::default(), measurement)
    }
}
