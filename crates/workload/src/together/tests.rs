use super::*;
use etalon_model::{End, Ended, Operation};
use etalon_units::Bytes;

fn io(name: &str, place: &Path, operation: Operation, end: End) -> Stream {
    let workload = IoWorkload {
        operation,
        file_size: Bytes::kib(256),
        end,
        ..IoWorkload::default()
    };
    Stream {
        name: name.into(),
        load: Load::Io(Box::new(workload), TargetPlace::Directory(place.to_owned())),
    }
}

fn names(name: &str, place: &Path) -> Stream {
    let workload = MetadataWorkload {
        depth: 1,
        breadth: 2,
        files: 5,
        ..Default::default()
    };
    Stream {
        name: name.into(),
        load: Load::Metadata(workload, place.to_owned()),
    }
}

fn go() -> Arc<AtomicBool> {
    Arc::new(AtomicBool::new(false))
}

fn left(place: &Path) -> usize {
    fs::read_dir(place).unwrap().count()
}

#[test]
fn each_stream_has_its_own_figures_and_nothing_is_left() {
    let place = tempfile::tempdir().unwrap();
    let here = place.path();
    let streams = [
        io("one", here, Operation::Read, End::Bytes(Bytes::kib(256))),
        io(
            "two",
            here,
            Operation::RandRead,
            End::Bytes(Bytes::kib(128)),
        ),
        names("names", here),
    ];
    let record = run(&streams, Until::AllEnd, &go()).unwrap();
    let bytes = |at: usize| match &record.streams[at].result {
        StreamResult::Io(measurement) => measurement.reads.bytes,
        other => panic!("{other:?}"),
    };
    assert_eq!((bytes(0), bytes(1)), (Bytes::kib(256), Bytes::kib(128)));
    assert!(matches!(&record.streams[2].result, StreamResult::Metadata(r) if r.phases.len() == 13));
    assert!(record.overlap <= record.span);
    assert!(
        record
            .streams
            .iter()
            .all(|s| s.begin <= s.end && s.end <= record.span)
    );
    assert_eq!(left(here), 0);
}

#[test]
fn the_first_to_end_ends_the_others() {
    let place = tempfile::tempdir().unwrap();
    let here = place.path();
    let hour = End::Time(Nanos::secs(3600));
    let streams = [
        io("reader", here, Operation::RandRead, hour),
        names("names", here),
    ];
    let record = run(&streams, Until::FirstEnds, &go()).unwrap();
    let StreamResult::Io(reader) = &record.streams[0].result else {
        panic!("{record:?}")
    };
    assert_eq!(reader.ended, Ended::Interrupted);
    assert!(reader.reads.operations > 0 && record.overlap > Nanos::ZERO);
    assert_eq!(left(here), 0);
}

#[test]
fn a_stop_ends_all() {
    let place = tempfile::tempdir().unwrap();
    let here = place.path();
    let hour = End::Time(Nanos::secs(3600));
    let streams = [
        io("reader", here, Operation::Read, hour),
        io("writer", here, Operation::Write, hour),
    ];
    let stop = go();
    let record = std::thread::scope(|scope| {
        let running = scope.spawn(|| run(&streams, Until::AllEnd, &stop));
        while left(here) < 2 && !running.is_finished() {
            std::thread::yield_now();
        }
        std::thread::sleep(Duration::from_millis(50));
        stop.store(true, Ordering::Relaxed);
        running.join().unwrap()
    });
    // A stop while files are laid out is an error, one in the run is not.
    match record {
        Ok(record) => {
            let interrupted = |s: &StreamRecord| matches!(&s.result, StreamResult::Io(m) if m.ended == Ended::Interrupted);
            assert!(record.streams.iter().all(interrupted), "{record:?}");
        }
        Err(error) => assert!(matches!(error, TogetherError::Prepare { .. }), "{error}"),
    }
    assert_eq!(left(here), 0);
}

#[test]
fn what_cannot_be_done_is_refused_before_anything_begins() {
    let place = tempfile::tempdir().unwrap();
    let here = place.path();
    assert!(matches!(
        run(&[], Until::AllEnd, &go()),
        Err(TogetherError::Count(0))
    ));
    let twice = [names("a", here), names("a", here)];
    assert!(matches!(
        run(&twice, Until::AllEnd, &go()),
        Err(TogetherError::Name(_))
    ));
    let mut bad = io("bad", here, Operation::Read, End::Bytes(Bytes::kib(4)));
    if let Load::Io(workload, _) = &mut bad.load {
        workload.block_size = Bytes::ZERO;
    }
    let error = run(&[names("good", here), bad], Until::AllEnd, &go()).unwrap_err();
    assert!(error.to_string().starts_with("'bad':"), "{error}");
    let missing = names("lost", &here.join("missing"));
    let record = run(&[missing, names("good", here)], Until::AllEnd, &go()).unwrap();
    assert!(
        matches!(&record.streams[0].result, StreamResult::Failed { message } if message.contains("missing"))
    );
    assert!(matches!(
        record.streams[1].result,
        StreamResult::Metadata(_)
    ));
    assert_eq!(left(here), 0);
}
