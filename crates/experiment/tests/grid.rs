//! Several workloads of one measurement: every block holds each once, in random order.

use etalon_engine::Control;
use etalon_experiment::{Event, MeasureRequest, Witness, WitnessError, measure};
use etalon_model::{Backend, End, IoWorkload, Operation};
use etalon_units::{Bytes, Nanos};

struct Silent;

impl Witness for Silent {
    fn event(&mut self, _event: Event<'_>) -> Result<(), WitnessError> {
        Ok(())
    }
}

fn workload(operation: Operation, queue_depth: u32, block_size: Bytes) -> IoWorkload {
    IoWorkload {
        operation,
        queue_depth,
        block_size: block_size.into(),
        backend: Backend::Fake,
        end: End::Time(Nanos::millis(20)),
        seed: 7,
        ..IoWorkload::default()
    }
}

#[test]
fn every_block_holds_each_cell_once_and_orders_differ() {
    let directory = tempfile::tempdir().unwrap();
    let mut workloads = Vec::new();
    for operation in [Operation::RandRead, Operation::Read] {
        for depth in [1, 4, 16] {
            workloads.push(workload(operation, depth, Bytes::kib(4)));
            workloads.push(workload(operation, depth, Bytes::kib(64)));
        }
    }
    let request = MeasureRequest {
        runs: Some(6),
        ..MeasureRequest::new(directory.path().to_owned(), workloads.clone())
    };
    let outcome = measure(&request, &Control::default(), &mut Silent).unwrap();
    assert_eq!(outcome.runs.len(), 72);
    let mut orders = Vec::new();
    for block in 0..6 {
        let runs = outcome.runs.iter().filter(|run| run.block == block);
        let order: Vec<&str> = runs.map(|run| run.cell.as_str()).collect();
        let mut names = order.clone();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), 12, "{order:?}");
        orders.push(order);
    }
    let seeds = outcome.runs.iter().map(|run| run.workload.seed());
    let seeds: std::collections::BTreeSet<_> = seeds.collect();
    assert_eq!(seeds.len(), 72, "no run works on the places of another");
    orders.dedup();
    assert!(orders.len() > 4, "{orders:?}");
    // The rows stand as they were asked for, and each is what its name says.
    assert_eq!(outcome.cells.len(), 12);
    for (cell, asked) in outcome.cells.iter().zip(&workloads) {
        let io = cell.workload.io().unwrap();
        assert_eq!(
            (io.operation, io.queue_depth, &io.block_size),
            (asked.operation, asked.queue_depth, &asked.block_size)
        );
    }
    assert_eq!(outcome.cells[3].name, "randread 64 KiB, depth 4");
}
