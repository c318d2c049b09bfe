use std::path::Path;

use super::*;
use etalon_engine::{Plan, TargetPlace, prepare};
use etalon_model::{End, Ended, IoWorkload, Operation};
use etalon_units::Bytes;

fn io(place: &Path, directory: &str, operation: Operation, end: End) -> Prepared {
    let workload = IoWorkload {
        operation,
        file_size: Bytes::kib(256),
        end,
        ..IoWorkload::default()
    };
    let place = place.join(directory);
    std::fs::create_dir(&place).unwrap();
    let plan = Plan::resolve(&workload, &TargetPlace::Directory(place)).unwrap();
    prepare(&plan, &Control::default()).unwrap()
}

fn go() -> Arc<AtomicBool> {
    Arc::new(AtomicBool::new(false))
}

fn bytes(record: &TogetherRecord, at: usize) -> Bytes {
    match &record.streams[at].result {
        StreamResult::Io(measurement) => measurement.reads.bytes,
        other => panic!("{other:?}"),
    }
}

#[test]
fn each_stream_has_its_own_figures() {
    let place = tempfile::tempdir().unwrap();
    let here = place.path();
    let one = io(here, "one", Operation::Read, End::Bytes(Bytes::kib(256)));
    let two = End::Bytes(Bytes::kib(128));
    let two = io(here, "two", Operation::RandRead, two);
    let record = run_prepared(&[("one", &one), ("two", &two)], &go()).unwrap();
    let read = (bytes(&record, 0), bytes(&record, 1));
    assert_eq!(read, (Bytes::kib(256), Bytes::kib(128)));
    assert!(record.overlap <= record.span);
    let within = |s: &StreamRecord| s.begin <= s.end && s.end <= record.span;
    assert!(record.streams.iter().all(within));
}

#[test]
fn a_stop_ends_all() {
    let place = tempfile::tempdir().unwrap();
    let hour = End::Time(Nanos::secs(3600));
    let reader = io(place.path(), "reader", Operation::Read, hour);
    let writer = io(place.path(), "writer", Operation::Write, hour);
    let stop = go();
    stop.store(true, Ordering::Relaxed);
    let record = run_prepared(&[("reader", &reader), ("writer", &writer)], &stop).unwrap();
    let interrupted = |s: &StreamRecord| matches!(&s.result, StreamResult::Io(m) if m.ended == Ended::Interrupted);
    assert!(record.streams.iter().all(interrupted), "{record:?}");
}

#[test]
fn what_cannot_be_done_is_refused_before_anything_begins() {
    let place = tempfile::tempdir().unwrap();
    assert!(matches!(
        run_prepared(&[], &go()),
        Err(TogetherError::Count(0))
    ));
    let one = io(place.path(), "one", Operation::Read, End::Pass);
    assert!(matches!(
        run_prepared(&[("a", &one), ("a", &one)], &go()),
        Err(TogetherError::Name(_))
    ));
}

#[test]
fn measured_together_each_knows_the_others() {
    let place = tempfile::tempdir().unwrap();
    let streams = ["one", "two"].map(|name| {
        let ready = io(place.path(), name, Operation::Read, End::Pass);
        (name.to_owned(), ready)
    });
    let stop = go();
    let mut work = ConcurrentIo::new(streams.into(), &stop);
    crate::measurable::Measurable::carry_out(&mut work, &()).unwrap();
    let report = crate::measurable::Measurable::report(&mut work, &[]);
    let concurrent = report.parts.iter().map(|part| {
        let concurrent = part.concurrent.as_ref().unwrap();
        (part.target, concurrent.others.concat())
    });
    let expected = [(0, "two".to_owned()), (1, "one".to_owned())];
    assert_eq!(concurrent.collect::<Vec<_>>(), expected);
}
