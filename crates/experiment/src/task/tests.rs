//! What records of passes become; whole runs are tested with the program.

use std::path::PathBuf;

use etalon_model::{CacheHeld, CacheMode, Ended, LatencyHistogram, TaskFigure};
use etalon_units::Bytes;
use etalon_work::{StepRecord, WorkEnd, WorkRecord};
use etalon_workload::measurable::{EndedPart, PassReport};
use etalon_workload::metadata::{
    MetadataEnd, MetadataOperation as Op, MetadataRecord, MetadataWorkload, PhaseOutcome as Phase,
    PhaseRecord,
};

use super::*;

fn phase(operation: Op, outcome: Phase, count: u64) -> PhaseRecord {
    let mut latency = LatencyHistogram::new();
    latency.record_n(1_000_000, count);
    PhaseRecord {
        operation,
        outcome,
        count,
        entries: 0,
        bytes: Bytes::ZERO,
        duration: Nanos::millis(count),
        sync: Nanos::ZERO,
        latency,
        cpu_user: Nanos::ZERO,
        cpu_system: Nanos::millis(1),
        jobs: Vec::new(),
    }
}

fn names(phases: Vec<PhaseRecord>, ended: MetadataEnd) -> PassReport {
    etalon_workload::metadata::report(&MetadataRecord {
        workload: MetadataWorkload::default(),
        phases,
        ended,
    })
}

fn step(name: &str) -> StepRecord {
    StepRecord {
        name: name.to_owned(),
        elapsed: Nanos::secs(2),
        sync: Nanos::secs(1),
        user: Nanos::millis(300),
        system: Nanos::millis(200),
        wait: Nanos::millis(1500),
        io_pressure: None,
        storage_read: None,
        storage_written: None,
        files: 12,
        bytes: Bytes::mib(5),
        cache: None,
        cache_before: None,
        service: None,
        latency: None,
        lag: None,
        rate: None,
    }
}

fn ended_part(part: &str) -> EndedPart {
    EndedPart {
        part: part.to_owned(),
        elapsed: Nanos::millis(700),
    }
}

fn steps(done: &[&str], begun: &[&str], ended: WorkEnd) -> PassReport {
    let begun: Vec<EndedPart> = begun.iter().map(|part| ended_part(part)).collect();
    work::report(&archive(done, ended), &begun)
}

fn archive(done: &[&str], ended: WorkEnd) -> WorkRecord {
    WorkRecord {
        work: "archive".to_owned(),
        parameters: [("format".to_owned(), vec!["zstd".to_owned()])].into(),
        seed: 7,
        input: None,
        setup: Nanos::ZERO,
        steps: done.iter().map(|name| step(name)).collect(),
        cleanup: Nanos::ZERO,
        ended,
    }
}

fn ends(report: &PassReport) -> Vec<(&str, &Ended)> {
    let parts = report.parts.iter();
    parts
        .map(|part| (part.part.as_str(), &part.measurement.ended))
        .collect()
}

#[test]
fn each_operation_on_names_is_a_part_with_its_rate() {
    let report = names(
        vec![
            phase(Op::Mkdir, Phase::Complete, 0),
            phase(Op::Create, Phase::Complete, 50),
            phase(Op::SetXattr, Phase::Unsupported { errno: 95 }, 0),
        ],
        MetadataEnd::Complete,
    );
    assert_eq!(ends(&report), [("create", &Ended::Complete)]);
    let part = &report.parts[0];
    assert_eq!(part.measurement.operations_per_second(), 1000.0);
    let task = part.workload.task().unwrap();
    assert_eq!((task.figure, &*task.step), (TaskFigure::Rate, "create"));
    assert_eq!(task.parameters["depth"].to_string(), "2");
    assert!(report.notes[0].starts_with("setxattr: the filesystem does not have it"));
    assert_eq!(report.failure, None);
}

#[test]
fn of_a_stopped_pass_only_what_is_whole_counts() {
    let report = names(
        vec![
            phase(Op::Mkdir, Phase::Complete, 72),
            phase(Op::Create, Phase::Partial, 50),
        ],
        MetadataEnd::Interrupted,
    );
    assert_eq!(ends(&report), [("mkdir", &Ended::Complete)]);
    let report = steps(&["pack"], &["pack", "unpack"], WorkEnd::Interrupted);
    assert_eq!(ends(&report), [("pack", &Ended::Complete)]);
    assert_eq!(report.failure, None);
}

#[test]
fn the_part_that_failed_is_labelled_and_those_before_it_are_not() {
    let path = PathBuf::from("t0/f7");
    let phases = || {
        vec![
            phase(Op::Mkdir, Phase::Complete, 72),
            phase(Op::Write, Phase::Partial, 50),
        ]
    };
    let full = MetadataEnd::DiskFull {
        operation: Op::Write,
        path: path.clone(),
        errno: 28,
    };
    let report = names(phases(), full);
    let expected = [("mkdir", &Ended::Complete), ("write", &Ended::DiskFull)];
    assert_eq!(ends(&report), expected);
    assert!(report.failure.unwrap().contains("write of 't0/f7' failed"));
    let broken = MetadataEnd::Failed {
        operation: Op::Write,
        path,
        errno: 5,
    };
    let report = names(phases(), broken);
    let (part, ended) = ends(&report)[1];
    let Ended::Broken { message } = ended else {
        panic!("{ended:?}");
    };
    assert_eq!(part, "write");
    assert!(message.contains("Input/output error"), "{message}");
}

#[test]
fn a_step_takes_until_all_is_durable() {
    let report = steps(&["pack"], &["pack"], WorkEnd::Complete);
    let m = &report.parts[0].measurement;
    assert_eq!(m.duration, Nanos::secs(3));
    assert_eq!(m.final_fsync, Nanos::secs(1));
    assert_eq!((m.operations(), m.bytes()), (12, Bytes::ZERO));
    let task = report.parts[0].workload.task().unwrap();
    assert_eq!((task.figure, &*task.work), (TaskFigure::Time, "archive"));
    assert_eq!(task.parameters["format"].to_string(), "zstd");
}

#[test]
fn a_step_that_was_to_be_cold_says_so_and_what_was_in_memory() {
    let held = CacheHeld {
        size: Bytes::mib(5),
        cached: Bytes::mib(3),
        ..CacheHeld::default()
    };
    let mut record = archive(&["unpack", "repack"], WorkEnd::Complete);
    record.steps[0].cache = Some(CacheMode::Cold);
    record.steps[0].cache_before = Some(held);
    let report = work::report(&record, &[]);
    let found = report.parts.iter();
    let found: Vec<_> = found
        .map(|part| (part.workload.cache(), part.cache_before))
        .collect();
    assert_eq!(found, [(Some(CacheMode::Cold), Some(held)), (None, None)]);
}

#[test]
fn a_step_that_failed_has_the_time_until_then() {
    let message = || "cannot write 'x'".to_owned();
    let full = WorkEnd::DiskFull { message: message() };
    let report = steps(&["pack"], &["pack", "unpack"], full);
    let expected = [("pack", &Ended::Complete), ("unpack", &Ended::DiskFull)];
    assert_eq!(ends(&report), expected);
    assert_eq!(report.parts[1].measurement.duration, Nanos::millis(700));
    assert_eq!(report.failure.as_deref(), Some("cannot write 'x'."));
}

#[test]
fn wrong_data_found_after_a_step_spoils_that_step() {
    let message = "the copied tree: 1 was expected and 2 was found".to_owned();
    let ended = WorkEnd::Failed {
        message: message.clone(),
    };
    let report = steps(&["pack", "copy"], &["pack", "copy"], ended);
    let broken = Ended::Broken { message };
    assert_eq!(
        ends(&report),
        [("pack", &Ended::Complete), ("copy", &broken)]
    );
}

#[test]
fn what_cleaning_up_left_spoils_no_step() {
    let ended = WorkEnd::LeftOver {
        message: "'umount m' ended with exit status: 32".to_owned(),
    };
    let report = steps(&["pack", "copy"], &["pack", "copy"], ended);
    assert_eq!(
        ends(&report),
        [("pack", &Ended::Complete), ("copy", &Ended::Complete)]
    );
    let failure = report.failure.as_deref();
    assert_eq!(failure, Some("'umount m' ended with exit status: 32."));
}
