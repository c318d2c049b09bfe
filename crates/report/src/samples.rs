//! Judged records for the tests of this crate.

use etalon_model::{
    Cell, Chance, Comparison, ComparisonArm, ComparisonVerdict, Estimate, Evidence, Finding,
    Headline, Interval, LatencyHistogram, Measurement, Passport, PassportChange, Precision, Run,
    Severity, Standing, TargetRecord, TaskFigure, TaskWorkload, Unit, Verdict, Workload,
};
use etalon_units::Nanos;

pub(crate) fn target() -> TargetRecord {
    TargetRecord {
        path: "/data".to_owned(),
        beneath: "ext4 on sda, non-rotational, scheduler none".to_owned(),
        devices: vec!["sda".to_owned()],
        ..TargetRecord::default()
    }
}

/// A precise cell, one that misses the precision that was asked for, and an invalid one.
pub(crate) fn cells() -> Vec<Cell> {
    let invalid = Verdict::Invalid {
        reasons: vec!["page-cache".to_owned()],
    };
    let mut read = cell("streaming read", Unit::BytesPerSecond, 2.0e9, invalid);
    let message = "the devices served 6 % of the bytes that were read.";
    read.findings.push(Finding {
        evidence: vec![Evidence::new("device_read_share", 0.06)],
        ..Finding::new("page-cache", Severity::Invalid, message, "Drop the cache.")
    });
    let mut imprecise = cell(
        "streaming write",
        Unit::BytesPerSecond,
        4.0e8,
        Verdict::Valid,
    );
    imprecise.precision = Some(Precision {
        asked: 0.02,
        reached: false,
        needed_ns: Some(Nanos::secs(90)),
    });
    vec![
        cell(
            "random read 4 KiB, depth 1",
            Unit::OperationsPerSecond,
            13_204.0,
            Verdict::Valid,
        ),
        imprecise,
        read,
    ]
}

fn cell(name: &str, unit: Unit, value: f64, verdict: Verdict) -> Cell {
    let mut latency = LatencyHistogram::new();
    latency.record_n(75_000, 20_000);
    let estimate = Estimate {
        value,
        interval: Some(Interval {
            low: value * 0.975,
            high: value * 1.03,
            level: 0.95,
        }),
        runs: 8,
    };
    Cell {
        name: name.to_owned(),
        workload: Workload::default(),
        unit,
        median: estimate,
        mean: estimate,
        headline: Headline::Mean,
        values: vec![value; 8],
        latency,
        device_share: Some(1.0),
        findings: Vec::new(),
        verdict,
        precision: None,
    }
}

/// A step that took three seconds, of which one went by until all was durable, with its one run.
pub(crate) fn step() -> (Cell, Run) {
    let mut cell = cell("unpack", Unit::Seconds, 3.0, Verdict::Valid);
    cell.latency = LatencyHistogram::new();
    let texts = [("format", "zstd"), ("input", "")];
    let texts = texts.map(|(name, value)| (name.to_owned(), value.to_owned()));
    cell.workload =
        TaskWorkload::of_texts("archive", "unpack", TaskFigure::Time, texts.into()).into();
    let measurement = Measurement {
        final_fsync: Nanos::secs(1),
        cpu_user: Some(Nanos::millis(300)),
        cpu_system: Some(Nanos::millis(200)),
        cpu_waited: None,
        ..Measurement::of_nothing(Nanos::secs(3))
    };
    let run = Run {
        elapsed: Nanos::secs(4),
        ..Run::of(&cell.name, cell.workload.clone(), measurement)
    };
    (cell, run)
}

/// Two schedulers, of which the second gives a quarter more.
pub(crate) fn comparison() -> Comparison {
    let arm = |label: &str, mean: f64, ratio: Option<f64>| {
        let estimate = |value: f64| Estimate {
            value,
            interval: Some(Interval {
                low: value - 0.5,
                high: value + 0.5,
                level: 0.95,
            }),
            runs: 6,
        };
        ComparisonArm {
            label: label.to_owned(),
            values: [-0.2, 0.0, 0.2, 0.1, -0.1, 0.0]
                .map(|step| mean + step)
                .to_vec(),
            mean: estimate(mean),
            median: estimate(mean),
            headline: Headline::Mean,
            of_group: mean / 60.35,
            of_baseline: ratio.map(|ratio| Estimate {
                value: ratio,
                interval: Some(Interval {
                    low: 1.23,
                    high: 1.274,
                    level: 0.95,
                }),
                runs: 6,
            }),
            letters: "a".to_owned(),
            is_best: ratio.is_some(),
            sd: Some(0.14),
            cv: Some(0.14 / mean),
            standing: ratio.map(|_| Standing::Faster),
            left_out: None,
        }
    };
    Comparison {
        name: "a cell".to_owned(),
        unit: Unit::OperationsPerSecond,
        arms: vec![arm("none", 53.6, None), arm("bfq", 67.1, Some(67.1 / 53.6))],
        baseline: 0,
        margin: 0.02,
        in_blocks: false,
        session_spread: None,
        chance: Some(Chance {
            p: 1e-6,
            adjusted_p: 1e-6,
            rows: 1,
        }),
        differences: Vec::new(),
        verdict: ComparisonVerdict::Greater {
            greater: "bfq".to_owned(),
            lesser: "none".to_owned(),
        },
    }
}

/// A passport whose level fell by a tenth since the last.
pub(crate) fn passport() -> Passport {
    let estimate = |value: f64| Estimate {
        value,
        interval: Some(Interval {
            low: value * 0.98,
            high: value * 1.02,
            level: 0.95,
        }),
        runs: 10,
    };
    Passport {
        name: "a cell".to_owned(),
        unit: Unit::OperationsPerSecond,
        median: estimate(1000.0),
        cv: 0.02,
        range: 0.06,
        drift: 0.01,
        drift_over: Nanos::secs(252),
        drift_p: 0.4,
        two_modes: false,
        visible: Some(0.026),
        since_last: Some(PassportChange {
            experiment: 4,
            level: estimate(0.9),
            level_p: 0.001,
            spread: 1.1,
            spread_p: 0.7,
        }),
    }
}
