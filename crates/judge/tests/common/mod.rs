//! Runs of simulated sessions.

use etalon_model::{Backend, Circumstances, IoWorkload, Measurement, OpTotals, Operation, Run};
use etalon_units::{Bytes, Nanos};

/// A second of random reads, of which so many ended.
pub(crate) fn run(block: u32, operations: u64) -> Run {
    Run {
        cell: "a cell".to_owned(),
        block,
        position: block,
        started_unix_ns: 0,
        elapsed: Nanos::secs(1),
        workload: IoWorkload {
            operation: Operation::RandRead,
            ..IoWorkload::default()
        }
        .into(),
        measurement: Measurement {
            backend: Some(Backend::IoUring),
            direct: Some(true),
            reads: OpTotals {
                operations,
                bytes: Bytes(operations * 4096),
                ..OpTotals::default()
            },
            bytes_with_warm_up: Bytes(operations * 4096),
            ..Measurement::of_nothing(Nanos::secs(1))
        },
        device: None,
        leaves: None,
        circumstances: Circumstances::default(),
        findings: Vec::new(),
    }
}
