use std::path::Path;

use super::*;
use crate::measurable::Measurable as _;
use crate::metadata::{self, MetadataOperation, MetadataWorkload};
use etalon_engine::{Control, Plan, TargetPlace, prepare};
use etalon_model::{Backend, End, Ended, IoWorkload, Operation};
use etalon_units::{Bytes, Nanos};

fn io(place: &Path, directory: &str, operation: Operation, end: End) -> Ready {
    let workload = IoWorkload {
        operation,
        file_size: Bytes::kib(256),
        end,
        ..IoWorkload::default()
    };
    let place = place.join(directory);
    std::fs::create_dir(&place).unwrap();
    let plan = Plan::resolve(&workload, &TargetPlace::Directory(place)).unwrap();
    Ready::Io(Box::new(prepare(&plan, &Control::default()).unwrap()))
}

fn go() -> Arc<AtomicBool> {
    Arc::new(AtomicBool::new(false))
}

fn bytes(record: &TogetherRecord, at: usize) -> Bytes {
    match &record.streams[at].result {
        StreamResult::Measured(measurement) => measurement.reads.bytes,
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
fn modelled_streams_share_the_clock_of_their_device() {
    let place = tempfile::tempdir().unwrap();
    let modelled = |directory: &str, millis| {
        let workload = IoWorkload {
            operation: Operation::RandRead,
            backend: Backend::Fake,
            file_size: Bytes::kib(256),
            end: End::Time(Nanos::millis(millis)),
            ..IoWorkload::default()
        };
        let place = place.path().join(directory);
        std::fs::create_dir(&place).unwrap();
        let plan = Plan::resolve(&workload, &TargetPlace::Directory(place)).unwrap();
        Ready::Io(Box::new(prepare(&plan, &Control::default()).unwrap()))
    };
    let (short, long) = (modelled("short", 50), modelled("long", 5000));
    let record = run_prepared(&[("short", &short), ("long", &long)], &go()).unwrap();
    let millis = |span: Nanos| (span.as_secs_f64() * 1e3).round() as u64;
    assert_eq!((millis(record.overlap), millis(record.span)), (50, 5000));
}

#[test]
fn names_and_data_begin_together_and_each_has_its_figures() {
    let place = tempfile::tempdir().unwrap();
    let half = End::Bytes(Bytes::kib(128));
    let reader = io(place.path(), "reader", Operation::RandRead, half);
    let unlink = MetadataWorkload::of_one(MetadataOperation::Unlink, 1200, 2, 1).unwrap();
    let ground = place.path().join("names");
    std::fs::create_dir(&ground).unwrap();
    let ready = metadata::prepare(&unlink, &ground, &go()).unwrap();
    let stop = go();
    let streams = [("reader", reader), ("names", Ready::Names(Box::new(ready)))];
    let streams = streams.map(|(name, ready)| (name.to_owned(), ready));
    let mut work = ConcurrentIo::new(streams.into(), &stop);
    work.carry_out(&()).unwrap();
    let report = work.report(&[]);
    let [reader, names] = &report.parts[..] else {
        panic!("{report:?}");
    };
    assert_eq!(reader.measurement.reads.bytes, Bytes::kib(128));
    assert_eq!(names.measurement.ended, Ended::Complete);
    assert_eq!(names.measurement.metadata.operations, 1200);
    assert_eq!(names.measurement.metadata.latency.count(), 1200);
    let task = names.workload.task().unwrap();
    assert_eq!((&*task.work, &*task.step), ("metadata", "unlink"));
    assert_eq!(names.concurrent.as_ref().unwrap().others, ["reader"]);
    drop(work);
    assert_eq!(std::fs::read_dir(&ground).unwrap().count(), 0);
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
    let interrupted = |s: &StreamRecord| matches!(&s.result, StreamResult::Measured(m) if m.ended == Ended::Interrupted);
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
    work.carry_out(&()).unwrap();
    let report = work.report(&[]);
    let concurrent = report.parts.iter().map(|part| {
        let concurrent = part.concurrent.as_ref().unwrap();
        (part.target, concurrent.others.concat())
    });
    let expected = [(0, "two".to_owned()), (1, "one".to_owned())];
    assert_eq!(concurrent.collect::<Vec<_>>(), expected);
}
