//! What records of passes become; whole runs are tested with the program.

use std::path::PathBuf;
use std::time::SystemTime;

use etalon_model::stack::CounterDelta;
use etalon_model::{Ended, LatencyHistogram, TaskFigure};
use etalon_units::Bytes;
use etalon_workload::PartWitness as _;
use etalon_workload::metadata::{
    MetadataEnd, MetadataOperation as Op, MetadataRecord, MetadataWorkload, Outcome as Phase,
    PhaseRecord,
};
use etalon_workload::work::{StepRecord, WorkEnd, WorkRecord};

use super::brackets::{Bracket, Brackets};
use super::pass::Told;
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

fn names(phases: Vec<PhaseRecord>, ended: MetadataEnd) -> Told {
    metadata::told(&MetadataRecord {
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
    }
}

fn bracket(part: &str) -> Bracket {
    Bracket {
        part: part.to_owned(),
        started: SystemTime::UNIX_EPOCH,
        elapsed: Nanos::millis(700),
        delta: CounterDelta {
            span: Nanos::ZERO,
            layers: Vec::new(),
            process: None,
        },
    }
}

fn steps(done: &[&str], begun: &[&str], ended: WorkEnd) -> Told {
    let record = WorkRecord {
        work: "archive".to_owned(),
        parameters: [("format".to_owned(), vec!["zstd".to_owned()])].into(),
        seed: 7,
        input: None,
        setup: Nanos::ZERO,
        steps: done.iter().map(|name| step(name)).collect(),
        cleanup: Nanos::ZERO,
        ended,
    };
    let begun: Vec<Bracket> = begun.iter().map(|part| bracket(part)).collect();
    work::told(&record, &begun)
}

fn ends(told: &Told) -> Vec<(&str, &Ended)> {
    let parts = told.parts.iter();
    parts
        .map(|part| (part.step.as_str(), &part.measurement.ended))
        .collect()
}

#[test]
fn each_operation_on_names_is_a_part_with_its_rate() {
    let told = names(
        vec![
            phase(Op::Mkdir, Phase::Complete, 0),
            phase(Op::Create, Phase::Complete, 50),
            phase(Op::SetXattr, Phase::Unsupported { errno: 95 }, 0),
        ],
        MetadataEnd::Complete,
    );
    assert_eq!(ends(&told), [("create", &Ended::Complete)]);
    let part = &told.parts[0];
    assert_eq!(part.measurement.operations_per_second(), 1000.0);
    let task = part.workload.task().unwrap();
    assert_eq!((task.figure, &*task.step), (TaskFigure::Rate, "create"));
    assert_eq!(task.parameters["depth"].to_string(), "2");
    assert!(told.notes[0].starts_with("setxattr: the filesystem does not have it"));
    assert_eq!(told.failure, None);
}

#[test]
fn of_a_stopped_pass_only_what_is_whole_counts() {
    let told = names(
        vec![
            phase(Op::Mkdir, Phase::Complete, 72),
            phase(Op::Create, Phase::Partial, 50),
        ],
        MetadataEnd::Interrupted,
    );
    assert_eq!(ends(&told), [("mkdir", &Ended::Complete)]);
    let told = steps(&["pack"], &["pack", "unpack"], WorkEnd::Interrupted);
    assert_eq!(ends(&told), [("pack", &Ended::Complete)]);
    assert_eq!(told.failure, None);
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
    let told = names(phases(), full);
    let expected = [("mkdir", &Ended::Complete), ("write", &Ended::DiskFull)];
    assert_eq!(ends(&told), expected);
    assert!(told.failure.unwrap().contains("write of 't0/f7' failed"));
    let broken = MetadataEnd::Failed {
        operation: Op::Write,
        path,
        errno: 5,
    };
    let told = names(phases(), broken);
    let (part, ended) = ends(&told)[1];
    let Ended::Broken { message } = ended else {
        panic!("{ended:?}");
    };
    assert_eq!(part, "write");
    assert!(message.contains("Input/output error"), "{message}");
}

#[test]
fn a_step_takes_until_all_is_durable() {
    let told = steps(&["pack"], &["pack"], WorkEnd::Complete);
    let m = &told.parts[0].measurement;
    assert_eq!(m.duration, Nanos::secs(3));
    assert_eq!(m.final_fsync, Nanos::secs(1));
    assert_eq!((m.operations(), m.bytes()), (12, Bytes::ZERO));
    let task = told.parts[0].workload.task().unwrap();
    assert_eq!((task.figure, &*task.work), (TaskFigure::Time, "archive"));
    assert_eq!(task.parameters["format"].to_string(), "zstd");
}

#[test]
fn a_step_that_failed_has_the_time_until_then() {
    let message = || "cannot write 'x'".to_owned();
    let full = WorkEnd::DiskFull { message: message() };
    let told = steps(&["pack"], &["pack", "unpack"], full);
    let expected = [("pack", &Ended::Complete), ("unpack", &Ended::DiskFull)];
    assert_eq!(ends(&told), expected);
    assert_eq!(told.parts[1].measurement.duration, Nanos::millis(700));
    assert_eq!(told.failure.as_deref(), Some("cannot write 'x'."));
}

#[test]
fn wrong_data_found_after_a_step_spoils_that_step() {
    let message = "the copied tree: 1 was expected and 2 was found".to_owned();
    let ended = WorkEnd::Failed {
        message: message.clone(),
    };
    let told = steps(&["pack", "copy"], &["pack", "copy"], ended);
    let broken = Ended::Broken { message };
    assert_eq!(ends(&told), [("pack", &Ended::Complete), ("copy", &broken)]);
}

#[test]
fn only_parts_that_were_begun_are_bracketed() {
    let directory = tempfile::tempdir().unwrap();
    let site = Site::look(directory.path()).unwrap();
    let brackets = Brackets::new(&site.tree);
    brackets.ended("never begun");
    brackets.begins("one");
    brackets.ended("one");
    let closed = brackets.into_closed();
    assert_eq!(closed.len(), 1);
    assert_eq!(closed[0].part, "one");
}
