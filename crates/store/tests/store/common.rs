//! Records to store, and what several test files need.

use etalon_model::{
    Backend, Cell, Circumstances, DeviceTraffic, Ended, Estimate, Evidence, ExperimentKind,
    Fallback, Finding, Headline, IdleTraffic, Interval, IoWorkload, JobTotals, LatencyHistogram,
    Measurement, NewExperiment, OpTotals, Run, SeriesPoint, Severity, TargetRecord, Unit, Verdict,
    VerifyReport, Workload,
};
use etalon_units::{Bytes, Nanos};

pub(crate) fn new_experiment() -> NewExperiment {
    NewExperiment {
        kind: ExperimentKind::Quick,
        started_unix_ns: 1_700_000_000_000_000_000,
        target: TargetRecord {
            path: "/srv/data".into(),
            beneath: "ext4 on sda1, a rotating disk".into(),
            devices: vec!["sda".into()],
            ..TargetRecord::default()
        },
        settings: serde_json::json!({"budget_ns": 60_000_000_000u64, "precision": 0.1}),
        seed: u64::MAX,
        tool_version: "0.1.0".into(),
        owner: Some("here 1 2 3".into()),
    }
}

/// A run in which every field holds something of its own.
pub(crate) fn run(position: u32) -> Run {
    Run {
        cell: format!("random read 4 KiB, depth {position}"),
        block: position / 3,
        position,
        started_unix_ns: 1_700_000_000_000_000_000 + i64::from(position),
        elapsed: Nanos::secs(3),
        workload: IoWorkload {
            seed: u64::MAX - u64::from(position),
            ..IoWorkload::default()
        }
        .into(),
        measurement: measurement(u64::from(position)),
        device: Some(DeviceTraffic {
            devices: vec!["sda".into()],
            read_bytes: Bytes(4_096_000),
            written_bytes: Bytes(512),
            read_requests: 1000,
            write_requests: 1,
            flushes: None,
        }),
        leaves: Some(DeviceTraffic {
            flushes: Some(7),
            ..DeviceTraffic::default()
        }),
        circumstances: Circumstances {
            idle: Some(IdleTraffic::default()),
            ..Circumstances::default()
        },
        findings: vec![Finding {
            evidence: vec![
                Evidence::new("share", 0.1 + 0.2),
                Evidence::new("x", 1e-320),
            ],
            ..Finding::new(
                "page-cache",
                Severity::Warn,
                "0.1 + 0.2 of the \"bytes\" came from memory",
                "use --direct",
            )
        }],
    }
}

fn measurement(n: u64) -> Measurement {
    let latency = histogram(n, 1000);
    Measurement {
        backend: Some(Backend::IoUring),
        direct: Some(true),
        fallbacks: vec![Fallback::BuffersNotRegistered { errno: 12 }],
        ended: Ended::Failed {
            operation: "read".into(),
            offset: 1 << 60,
            errno: 5,
        },
        duration: Nanos(3_000_000_001),
        final_fsync: Nanos(17),
        reads: OpTotals {
            operations: 1000,
            bytes: Bytes(4_096_000),
            latency: latency.clone(),
        },
        writes: OpTotals {
            operations: 3,
            bytes: Bytes(12_288),
            latency: histogram(n + 7, 3),
        },
        trims: OpTotals {
            operations: 5,
            bytes: Bytes(20_480),
            latency: histogram(n + 11, 4),
        },
        metadata: OpTotals::default(),
        bytes_with_warm_up: Bytes(5_000_000),
        fsyncs: 2,
        fsync_latency: None,
        series: (0..30)
            .map(|i| SeriesPoint {
                operations: i,
                bytes: Bytes(4096 * i),
                latency_sum_ns: u64::MAX - i,
                latency_max: Nanos(i * i),
            })
            .collect(),
        cpu_user: Some(Nanos(123)),
        cpu_system: Some(Nanos(456)),
        cpu_waited: None,
        lag: Some(histogram(n + 9, 50)),
        jobs: vec![JobTotals {
            operations: 1003,
            bytes: Bytes(4_108_288),
            duration: Nanos::secs(3),
        }],
        service: Some(etalon_model::ServiceFacts {
            commits: n,
            ..etalon_model::ServiceFacts::default()
        }),
        verify: Some(VerifyReport {
            sectors: 8,
            corrupt: 1,
            examples: vec![512],
            ..VerifyReport::default()
        }),
    }
}

fn histogram(seed: u64, count: u64) -> LatencyHistogram {
    let mut histogram = LatencyHistogram::new();
    for i in 0..count {
        histogram.record(1 + (seed + i).wrapping_mul(0x9E37_79B9_7F4A_7C15) % 5_000_000);
    }
    histogram
}

pub(crate) fn cell(name: &str) -> Cell {
    let interval = Some(Interval {
        low: 1.0 / 3.0,
        high: 0.7,
        level: 0.95,
    });
    let estimate = Estimate {
        value: 0.1 + 0.2,
        interval,
        runs: 3,
    };
    Cell {
        name: name.into(),
        workload: Workload::default(),
        unit: Unit::OperationsPerSecond,
        median: estimate,
        mean: estimate,
        headline: Headline::Median,
        values: vec![0.3, 0.1 + 0.2, 1.0 / 3.0],
        latency: histogram(1, 100),
        device_share: Some(0.999),
        findings: vec![],
        precision: Some(etalon_model::Precision {
            asked: 0.05,
            reached: false,
            needed_ns: Some(Nanos::secs(90)),
        }),
        verdict: Verdict::Undecided {
            needed: Some(Nanos::secs(90)),
        },
    }
}
