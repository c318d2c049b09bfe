//! Records for the tests of this crate.

use std::sync::Arc;

use etalon_model::stack::{Manifest, StackTree, TargetKind};
use etalon_model::{
    Backend, Cell, Circumstances, DeviceTraffic, EnvironmentMark, EnvironmentRecord, Estimate,
    Evidence, Experiment, ExperimentHeader, ExperimentKind, ExperimentState, Fallback, Finding,
    Headline, Interval, JobTotals, LatencyHistogram, Measurement, NewExperiment, OpTotals,
    Precision, Run, SCHEMA_VERSION, SeriesPoint, ServiceFacts, Severity, TargetRecord, Unit,
    Verdict, VerifyReport, Workload,
};
use etalon_units::{Bytes, Nanos};

const NAME: &str = "random read, \"4 KiB\"";

/// A run of 1000 + 100 n operations in 2 s.
pub(crate) fn run(n: u32) -> Run {
    let operations = 1000 + 100 * u64::from(n);
    let bytes = Bytes(4096 * operations);
    let mut latency = LatencyHistogram::new();
    latency.record_n(100, operations - 1);
    latency.record(5000);
    let duration = Nanos::secs(2);
    let measurement = Measurement {
        backend: Some(Backend::Sync),
        direct: Some(true),
        fallbacks: vec![Fallback::DepthOne { asked: 32 }],
        reads: OpTotals {
            operations,
            bytes,
            latency,
        },
        bytes_with_warm_up: bytes,
        series: vec![SeriesPoint::default()],
        cpu_user: Some(Nanos(10)),
        cpu_system: Some(Nanos(20)),
        jobs: vec![JobTotals {
            operations,
            bytes,
            duration,
        }],
        verify: Some(VerifyReport::default()),
        service: Some(ServiceFacts::default()),
        ..Measurement::of_nothing(duration)
    };
    Run {
        block: n,
        position: n,
        started_unix_ns: 1_700_000_000_000_000_000 + i64::from(n),
        elapsed: Nanos::secs(3),
        device: Some(DeviceTraffic {
            devices: vec!["sda".into()],
            read_bytes: bytes,
            ..DeviceTraffic::default()
        }),
        circumstances: Circumstances {
            environment: Some(EnvironmentMark::of(environment())),
            ..Circumstances::default()
        },
        findings: vec![finding()],
        ..Run::of(NAME, Workload::default(), measurement)
    }
}

fn environment() -> Arc<EnvironmentRecord> {
    let facts = [("cpu.governor".to_owned(), "performance".to_owned())];
    Arc::new(EnvironmentRecord {
        manifest: Manifest {
            facts: facts.into(),
            hash: "5eed".to_owned(),
            missing: Vec::new(),
            unreadable: Vec::new(),
        },
        stack: StackTree {
            no_block: Some("held in memory".to_owned()),
            ..StackTree::of_nothing("/srv", TargetKind::Directory)
        },
    })
}

fn finding() -> Finding {
    Finding {
        evidence: vec![Evidence::new("share", f64::INFINITY)],
        ..Finding::new("page-cache", Severity::Warn, "a = b", "use --direct")
    }
}

/// The cell of the runs 0, 1 and 2.
pub(crate) fn cell() -> Cell {
    let estimate = |value| Estimate {
        value,
        interval: Some(Interval {
            low: 500.0,
            high: 600.0,
            level: 0.95,
        }),
        runs: 3,
    };
    let mut latency = LatencyHistogram::new();
    latency.record_n(100, 1999);
    latency.record_n(5000, 1);
    Cell {
        name: NAME.into(),
        workload: Workload::default(),
        unit: Unit::OperationsPerSecond,
        median: estimate(550.0),
        mean: estimate(560.0),
        headline: Headline::Median,
        values: vec![500.0, 550.0, 600.0],
        latency,
        device_share: Some(1.0),
        findings: vec![finding()],
        precision: Some(Precision {
            asked: 0.05,
            reached: false,
            needed_ns: Some(Nanos::secs(90)),
        }),
        verdict: Verdict::Undecided {
            needed: Some(Nanos::secs(90)),
        },
    }
}

/// An experiment of that cell and its runs.
pub(crate) fn experiment() -> Experiment {
    Experiment {
        header: ExperimentHeader {
            id: 7,
            schema_version: SCHEMA_VERSION,
            state: ExperimentState::Finished,
            ended_unix_ns: Some(1_700_000_060_000_000_000),
            elapsed_ns: None,
            choices: Vec::new(),
            begun: NewExperiment {
                kind: ExperimentKind::Measure,
                started_unix_ns: 1_700_000_000_000_000_000,
                target: TargetRecord {
                    path: "/srv/data".into(),
                    beneath: "ext4 on sda1".into(),
                    devices: vec!["sda".into()],
                    ..TargetRecord::default()
                },
                settings: serde_json::json!({}),
                seed: 42,
                tool_version: "0.1.0".into(),
                owner: None,
            },
        },
        cells: vec![cell()],
        runs: vec![run(0), run(1), run(2)],
    }
}

/// Words for an export in which a cell is called by its name and counts in IOPS.
pub(crate) fn sample_words() -> crate::PageWords<'static> {
    crate::PageWords {
        answer: &[],
        findings: &[],
        name: |cell| cell.name.clone(),
        figure: |_, value| format!("{value} IOPS"),
    }
}
