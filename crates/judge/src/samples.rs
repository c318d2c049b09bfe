//! Records of a second's work for the tests of this crate.

use std::sync::Arc;

use etalon_model::stack::{
    BlockDelta, CounterDelta, DevNo, FsDetail, Layer, LayerDelta, Manifest, StackTree, TargetKind,
};
use etalon_model::{
    Backend, DeviceTraffic, EnvironmentMark, EnvironmentRecord, Experiment, ExperimentHeader,
    ExperimentKind, ExperimentState, FsyncPolicy, IoWorkload, JobTotals, Measurement,
    NewExperiment, OpTotals, Operation, Run, SCHEMA_VERSION, SeriesPoint, TargetRecord, TaskFigure,
    TaskWorkload,
};
use etalon_units::{Bytes, Nanos};

use rand::{RngExt as _, SeedableRng as _};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::cell::judge_cell;
use crate::check::{Facts, Outcome};
use crate::goal::Goal;

pub(crate) fn facts(run: &Run) -> Facts<'_> {
    Facts {
        run,
        null_ns_per_operation: None,
    }
}

/// A finished experiment of these runs of one cell, as it is kept.
pub(crate) fn experiment(kind: ExperimentKind, runs: Vec<Run>) -> Experiment {
    let name = runs[0].cell.clone();
    let all: Vec<&Run> = runs.iter().collect();
    let cells = vec![judge_cell(&name, &all, &Goal::default()).unwrap()];
    let begun = NewExperiment {
        kind,
        started_unix_ns: 0,
        target: TargetRecord::default(),
        settings: serde_json::json!({}),
        seed: 1,
        tool_version: "0.1.0".into(),
        owner: None,
    };
    let header = ExperimentHeader {
        id: 1,
        schema_version: SCHEMA_VERSION,
        state: ExperimentState::Finished,
        ended_unix_ns: None,
        elapsed_ns: None,
        choices: Vec::new(),
        begun,
    };
    Experiment {
        header,
        cells,
        runs,
    }
}

/// 256 MiB read directly in one second, all of it from the device.
pub(crate) fn read_run() -> Run {
    let mut run = run(Operation::RandRead);
    run.measurement.reads = totals();
    run.device = Some(DeviceTraffic {
        read_bytes: Bytes::mib(256),
        read_requests: 1000,
        ..DeviceTraffic::default()
    });
    run
}

/// The same on a filesystem of this detail, with no device beneath it.
pub(crate) fn over(detail: FsDetail) -> Run {
    let filesystem = serde_json::json!({"fs_type": "fuse.unknown", "detail": detail});
    let stack = serde_json::json!({
        "target": "/mnt", "resolved": "/mnt", "kind": "directory", "filesystem": filesystem,
        "devices": [], "missing": [], "warnings": [],
    });
    over_tree(serde_json::from_value(stack).unwrap())
}

/// The same over this stack.
pub(crate) fn over_tree(stack: StackTree) -> Run {
    let record = EnvironmentRecord {
        manifest: Manifest::default(),
        stack,
    };
    let mut run = read_run();
    run.circumstances.environment = Some(EnvironmentMark::of(Arc::new(record)));
    run
}

/// 256 MiB written in one second with a closing fsync, all of it to the device.
pub(crate) fn write_run() -> Run {
    let mut run = run(Operation::Write);
    run.workload.io_mut().unwrap().fsync = FsyncPolicy::End;
    run.measurement.writes = totals();
    run.device = Some(DeviceTraffic {
        written_bytes: Bytes::mib(256),
        write_requests: 1000,
        ..DeviceTraffic::default()
    });
    run
}

/// A part of a task: 1000 operations in a second, of which nothing is read or written as data.
pub(crate) fn task_run(figure: TaskFigure) -> Run {
    let mut run = run(Operation::Read);
    let texts = [("level", "3"), ("target", "/mnt")];
    let texts = texts.map(|(name, value)| (name.to_owned(), value.to_owned()));
    run.workload = TaskWorkload::of_texts("archive", "unpack", figure, texts.into()).into();
    run.measurement.direct = Some(false);
    run.measurement.bytes_with_warm_up = Bytes::ZERO;
    run.measurement.metadata.operations = 1000;
    run.device = Some(DeviceTraffic::default());
    run
}

/// A layer that read and wrote this many MiB, with no flush and no discard.
pub(crate) fn layer(name: &str, read_mib: u64, written_mib: u64) -> LayerDelta {
    LayerDelta {
        devno: DevNo { major: 8, minor: 0 },
        name: name.to_owned(),
        is_leaf: true,
        delta: Some(BlockDelta {
            read_ios: read_mib,
            read_bytes: Bytes::mib(read_mib),
            write_ios: written_mib,
            write_bytes: Bytes::mib(written_mib),
            discard_bytes: Some(Bytes::ZERO),
            flush_ios: Some(0),
            ..BlockDelta::default()
        }),
    }
}

/// Gives the run's circumstances these layers' counters.
pub(crate) fn with_layers(run: &mut Run, layers: Vec<LayerDelta>) {
    run.circumstances.counters = Some(CounterDelta {
        span: Nanos::secs(1),
        layers,
        process: None,
    });
}

fn totals() -> OpTotals {
    let mut totals = OpTotals {
        operations: 65_536,
        bytes: Bytes::mib(256),
        ..OpTotals::default()
    };
    totals.latency.record_n(14_000, 65_536);
    totals
}

fn run(operation: Operation) -> Run {
    let workload = IoWorkload {
        operation,
        direct: true,
        ..IoWorkload::default()
    };
    let measurement = Measurement {
        backend: Some(Backend::Sync),
        direct: Some(true),
        bytes_with_warm_up: Bytes::mib(256),
        cpu_user: Some(Nanos::millis(50)),
        cpu_system: Some(Nanos::millis(100)),
        jobs: vec![JobTotals {
            operations: 65_536,
            bytes: Bytes::mib(256),
            duration: Nanos::secs(1),
        }],
        ..Measurement::of_nothing(Nanos::secs(1))
    };
    Run::of("a cell", workload, measurement)
}

/// A series with these numbers of operations in its slices, and a last one that was cut off.
pub(crate) fn series_of(operations: impl Iterator<Item = f64>) -> Vec<SeriesPoint> {
    let point = |operations: f64| SeriesPoint {
        operations: operations as u64,
        ..SeriesPoint::default()
    };
    operations.chain([1.0]).map(point).collect()
}

/// Of how many among 200 runs, as a device of 250 operations a second gives them to whoever asks by chance, a check
/// says something.
pub(crate) fn found_by_chance(check: fn(&Facts) -> Option<Outcome>) -> usize {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(7);
    let found = (0..200).filter(|_| {
        let mut run = read_run();
        let slices = (0..50).map(|_| (0..1000).filter(|_| rng.random_bool(0.025)).count() as f64);
        run.measurement.series = series_of(slices.collect::<Vec<_>>().into_iter());
        check(&facts(&run)).is_some()
    });
    found.count()
}

/// A layer of this kind, as records have it.
pub(crate) fn stack_layer(
    name: &str,
    devno: &str,
    kind: serde_json::Value,
    below: Vec<Layer>,
) -> Layer {
    let layer = serde_json::json!({
        "name": name, "devno": devno, "node": format!("/dev/{name}"), "size_bytes": 4096, "read_only": false,
        "kind": kind, "warnings": [], "below": below,
    });
    serde_json::from_value(layer).unwrap()
}

/// A disk of a maker who numbers them.
pub(crate) fn disk(name: &str, devno: &str, serial: &str) -> Layer {
    let kind = serde_json::json!({
        "type": "disk", "transport": "ata", "model": "ST4000", "serial": serial, "removable": false, "links": [],
        "by_id": [],
    });
    stack_layer(name, devno, kind, Vec::new())
}

/// An environment on these devices with these facts.
pub(crate) fn environment_on(devices: Vec<Layer>, facts: &[(&str, &str)]) -> EnvironmentRecord {
    let facts = facts.iter();
    let facts = facts.map(|(key, value)| ((*key).to_owned(), (*value).to_owned()));
    EnvironmentRecord {
        manifest: Manifest {
            facts: facts.collect(),
            ..Manifest::default()
        },
        stack: StackTree {
            devices,
            ..StackTree::of_nothing("/dev/x", TargetKind::BlockDevice)
        },
    }
}
