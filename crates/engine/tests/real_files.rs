//! Runs on real files: every operation of data moves what it should, where it should.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on must fail")]

use std::os::unix::fs::FileExt;
use std::path::Path;

use etalon_engine::{Control, Plan, TargetPlace, prepare, run};
use etalon_model::{
    Arrival, Backend, End, Ended, FileLayout, FsyncPolicy, IoWorkload, Measurement, Operation,
};
use etalon_units::{Bytes, Nanos};

fn go(workload: &IoWorkload, directory: &Path) -> Measurement {
    let place = TargetPlace::Directory(directory.to_owned());
    let plan = Plan::resolve(workload, &place).unwrap();
    let control = Control::default();
    let prepared = prepare(&plan, &control).unwrap();
    run(&prepared, &control).unwrap()
}

fn small(operation: Operation, backend: Backend) -> IoWorkload {
    IoWorkload {
        operation,
        backend,
        file_size: Bytes::kib(256),
        end: End::Pass,
        queue_depth: if backend == Backend::IoUring { 16 } else { 1 },
        seed: 4,
        ..IoWorkload::default()
    }
}

#[test]
fn one_pass_moves_every_byte_once_with_every_operation_and_backend() {
    for backend in [
        Backend::Sync,
        Backend::IoUring,
        Backend::Mmap,
        Backend::Stdio,
    ] {
        let can_be_direct = matches!(backend, Backend::Sync | Backend::IoUring);
        for operation in Operation::ALL.into_iter().filter(|op| !op.trims()) {
            for direct in [false, can_be_direct] {
                let directory = tempfile::tempdir_in(".").unwrap();
                let m = go(
                    &IoWorkload {
                        direct,
                        ..small(operation, backend)
                    },
                    directory.path(),
                );
                assert_eq!(m.ended, Ended::Complete, "{operation} {backend}");
                assert_eq!(m.backend, Some(backend));
                assert_eq!(m.operations(), 64, "{operation} {backend}");
                assert_eq!(m.bytes(), Bytes::kib(256));
                assert_eq!(m.bytes_with_warm_up, m.bytes());
                assert_eq!(m.latency().count(), 64);
                assert_eq!(m.reads.operations > 0, operation.reads());
                assert_eq!(m.writes.operations > 0, operation.writes());
                let points: u64 = m.series.iter().map(|p| p.operations).sum();
                assert_eq!(points, 64);
            }
        }
    }
}

#[test]
fn what_is_written_differs_in_every_sector_and_leaves_no_hole() {
    let directory = tempfile::tempdir_in(".").unwrap();
    let m = go(
        &small(Operation::RandWrite, Backend::IoUring),
        directory.path(),
    );
    assert_eq!(m.writes.bytes, Bytes::kib(256));
    let data = std::fs::read(directory.path().join("f0")).unwrap();
    let sectors: std::collections::HashSet<&[u8]> = data.chunks(512).collect();
    assert_eq!((data.len(), sectors.len()), (256 << 10, 512));
}

#[test]
fn jobs_share_a_file_or_have_their_own() {
    for layout in [FileLayout::Shared, FileLayout::PerJob] {
        let directory = tempfile::tempdir_in(".").unwrap();
        let workload = IoWorkload {
            jobs: 3,
            layout,
            ..small(Operation::RandRead, Backend::Sync)
        };
        let m = go(&workload, directory.path());
        let passes = if layout == FileLayout::Shared { 1 } else { 3 };
        assert_eq!(m.operations(), 64 * passes);
        assert_eq!(m.jobs.len(), 3);
        assert_eq!(
            m.jobs.iter().map(|j| j.operations).sum::<u64>(),
            m.operations()
        );
        assert_eq!(
            directory.path().join("f1").exists(),
            layout == FileLayout::PerJob
        );
    }
}

#[test]
fn bytes_end_the_run_after_whole_blocks_over_all_jobs() {
    let directory = tempfile::tempdir_in(".").unwrap();
    let workload = IoWorkload {
        jobs: 2,
        end: End::Bytes(Bytes(4096 * 101 - 1)),
        ..small(Operation::RandRead, Backend::Sync)
    };
    assert_eq!(go(&workload, directory.path()).operations(), 101);
}

#[test]
fn time_ends_the_run_and_the_warm_up_is_cut() {
    let directory = tempfile::tempdir_in(".").unwrap();
    let workload = IoWorkload {
        end: End::Time(Nanos::millis(60)),
        warm_up: Nanos::millis(20),
        ..small(Operation::Read, Backend::Sync)
    };
    let m = go(&workload, directory.path());
    assert!(m.duration >= Nanos::millis(40), "{}", m.duration);
    // On a machine that stands still meanwhile no operation may end within the warm-up; where it is cut exactly is
    // tested on the clock of a model.
    assert!(m.bytes_with_warm_up >= m.bytes());
    assert_eq!(m.latency().count(), m.operations());
}

#[test]
fn fsync_is_called_as_often_as_asked() {
    for (fsync, calls) in [
        (FsyncPolicy::Never, 0),
        (FsyncPolicy::End, 1),
        (FsyncPolicy::Every(16), 4),
    ] {
        let directory = tempfile::tempdir_in(".").unwrap();
        let workload = IoWorkload {
            fsync,
            ..small(Operation::Write, Backend::IoUring)
        };
        let m = go(&workload, directory.path());
        assert_eq!(m.fsyncs, calls, "{fsync:?}");
        // What stands between writes has latencies of its own, the closing one `final_fsync`.
        let between = m.fsync_latency.map_or(0, |latency| latency.count());
        let is_between = matches!(fsync, FsyncPolicy::Every(_));
        assert_eq!(between > 0, is_between, "{fsync:?}: {between}");
    }
}

#[test]
fn a_used_range_is_honoured() {
    let directory = tempfile::tempdir_in(".").unwrap();
    let base = small(Operation::RandWrite, Backend::Sync);
    go(
        &IoWorkload {
            operation: Operation::RandRead,
            ..base.clone()
        },
        directory.path(),
    );
    let file = std::fs::File::open(directory.path().join("f0")).unwrap();
    let block = |n: u64| {
        let mut data = vec![0; 4096];
        file.read_exact_at(&mut data, n * 4096).unwrap();
        data
    };
    let before: Vec<_> = (0..64).map(block).collect();
    let ranged = IoWorkload {
        offset: Bytes::kib(64),
        range: Bytes::kib(40),
        ..base
    };
    assert_eq!(go(&ranged, directory.path()).operations(), 10);
    for n in 0..64 {
        let same = block(n) == before[n as usize];
        assert_eq!(same, !(16..26).contains(&n), "block {n}");
    }
}

#[test]
fn files_laid_out_once_are_used_again() {
    let directory = tempfile::tempdir_in(".").unwrap();
    let workload = small(Operation::RandRead, Backend::Sync);
    go(&workload, directory.path());
    let path = directory.path().join("f0");
    let before = path.metadata().unwrap().modified().unwrap();
    go(
        &IoWorkload {
            seed: 77,
            ..workload
        },
        directory.path(),
    );
    assert_eq!(path.metadata().unwrap().modified().unwrap(), before);
}

#[test]
fn a_run_that_reads_what_is_laid_out_writes_nothing() {
    let directory = tempfile::tempdir_in(".").unwrap();
    let workload = small(Operation::RandRead, Backend::Sync);
    go(&workload, directory.path());
    let before = std::fs::metadata(directory.path().join(".layout.json")).unwrap();
    go(&workload, directory.path());
    let after = std::fs::metadata(directory.path().join(".layout.json")).unwrap();
    assert_eq!(before.modified().unwrap(), after.modified().unwrap());
}

#[test]
fn what_a_write_run_filled_is_read_without_laying_it_out_again() {
    let directory = tempfile::tempdir_in(".").unwrap();
    go(&small(Operation::Write, Backend::IoUring), directory.path());
    let path = directory.path().join("f0");
    let before = path.metadata().unwrap().modified().unwrap();
    go(&small(Operation::RandRead, Backend::Sync), directory.path());
    assert_eq!(path.metadata().unwrap().modified().unwrap(), before);
}

#[test]
fn an_open_loop_starts_operations_on_its_own_schedule() {
    let directory = tempfile::tempdir_in(".").unwrap();
    for backend in [Backend::Sync, Backend::IoUring] {
        let workload = IoWorkload {
            arrival: Arrival::Fixed { rate: 2_000.0 },
            end: End::Time(Nanos::millis(100)),
            jobs: 2,
            ..small(Operation::RandRead, backend)
        };
        let m = go(&workload, directory.path());
        assert_eq!((m.operations(), m.ended), (200, Ended::Complete));
        assert_eq!(m.lag.unwrap().count(), 200);
    }
}

#[test]
fn fdatasync_takes_the_place_of_fsync_with_every_backend() {
    for backend in [
        Backend::Sync,
        Backend::IoUring,
        Backend::Mmap,
        Backend::Stdio,
    ] {
        let directory = tempfile::tempdir_in(".").unwrap();
        let workload = IoWorkload {
            fsync: FsyncPolicy::Every(16),
            fdatasync: true,
            ..small(Operation::RandWrite, backend)
        };
        let m = go(&workload, directory.path());
        assert_eq!((m.ended, m.fsyncs), (Ended::Complete, 4), "{backend}");
    }
}
