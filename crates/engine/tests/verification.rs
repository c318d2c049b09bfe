//! Every kind of damage to real files is found, counted and named.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on must fail")]

use std::fs::{File, OpenOptions};
use std::os::unix::fs::FileExt;
use std::path::Path;

use etalon_engine::{Control, Plan, Prepared, TargetPlace, prepare, run};
use etalon_model::{Backend, Distribution, End, IoWorkload, Operation, VerifyReport};
use etalon_units::Bytes;

const BLOCK: u64 = 4096;

fn workload(operation: Operation, backend: Backend) -> IoWorkload {
    IoWorkload {
        operation,
        backend,
        file_size: Bytes::kib(256),
        end: End::Pass,
        queue_depth: 8,
        verify: true,
        ..IoWorkload::default()
    }
}

fn ready(workload: &IoWorkload, directory: &Path) -> Prepared {
    let place = TargetPlace::Directory(directory.to_owned());
    let plan = Plan::resolve(workload, &place).unwrap();
    prepare(&plan, &Control::default()).unwrap()
}

fn verified(prepared: &Prepared) -> VerifyReport {
    let m = run(prepared, &Control::default()).unwrap();
    m.verify.unwrap()
}

fn block(file: &File, number: u64) -> Vec<u8> {
    let mut data = vec![0; BLOCK as usize];
    file.read_exact_at(&mut data, number * BLOCK).unwrap();
    data
}

/// Lays a file out, lets `damage` at it, and reads it with verification.
fn after(damage: impl Fn(&File)) -> VerifyReport {
    let mut reports = Vec::new();
    for backend in [
        Backend::Sync,
        Backend::IoUring,
        Backend::Mmap,
        Backend::Stdio,
    ] {
        let directory = tempfile::tempdir_in(".").unwrap();
        let prepared = ready(&workload(Operation::RandRead, backend), directory.path());
        let mut open = OpenOptions::new();
        let file = open
            .read(true)
            .write(true)
            .open(directory.path().join("f0"))
            .unwrap();
        damage(&file);
        let mut report = verified(&prepared);
        report.examples.sort_unstable();
        reports.push(report);
    }
    assert!(reports.windows(2).all(|w| w[0] == w[1]), "{reports:?}");
    reports.swap_remove(0)
}

#[test]
fn an_honest_file_is_clean() {
    let report = after(|_| {});
    assert_eq!((report.sectors, report.bad()), (512, 0));
}

#[test]
fn a_flipped_byte_is_corrupt() {
    let report = after(|file| {
        let mut byte = [0];
        file.read_exact_at(&mut byte, 100_000).unwrap();
        file.write_all_at(&[byte[0] ^ 0x10], 100_000).unwrap();
    });
    assert_eq!((report.corrupt, report.bad()), (1, 1));
    assert_eq!(report.examples, [100_000 / 512 * 512]);
}

#[test]
fn a_flipped_byte_of_a_stamp_is_corrupt_too() {
    let report = after(|file| {
        let mut byte = [0];
        file.read_exact_at(&mut byte, 512 * 9 + 3).unwrap();
        file.write_all_at(&[byte[0] ^ 1], 512 * 9 + 3).unwrap();
    });
    assert_eq!((report.corrupt, report.bad()), (1, 1));
}

#[test]
fn a_block_written_at_the_wrong_offset_is_misplaced() {
    let report = after(|file| {
        let data = block(file, 5);
        file.write_all_at(&data, 11 * BLOCK).unwrap();
    });
    assert_eq!((report.misplaced, report.bad()), (8, 8));
    assert_eq!(report.examples[0], 11 * BLOCK);
}

#[test]
fn zeros_are_unstamped() {
    let report = after(|file| file.write_all_at(&[0; 4096], 3 * BLOCK).unwrap());
    assert_eq!((report.unstamped, report.bad()), (8, 8));
}

#[test]
fn what_was_written_is_read_back_and_right() {
    for backend in [
        Backend::Sync,
        Backend::IoUring,
        Backend::Mmap,
        Backend::Stdio,
    ] {
        for operation in [
            Operation::Write,
            Operation::RandWrite,
            Operation::RandRw,
            Operation::BackWrite,
        ] {
            for direct in [false, matches!(backend, Backend::Sync | Backend::IoUring)] {
                let directory = tempfile::tempdir_in(".").unwrap();
                let workload = IoWorkload {
                    direct,
                    end: End::Bytes(Bytes::kib(700)),
                    ..workload(operation, backend)
                };
                let report = verified(&ready(&workload, directory.path()));
                assert_eq!(report.bad(), 0, "{operation} {backend}: {report:?}");
                assert!(report.sectors >= 250, "{operation} {backend}");
            }
        }
    }
}

#[test]
fn blocks_that_repeat_are_followed_write_by_write() {
    let directory = tempfile::tempdir_in(".").unwrap();
    let workload = IoWorkload {
        distribution: Distribution::Zipf { theta: 1.2 },
        end: End::Bytes(Bytes::mib(8)),
        queue_depth: 32,
        read_percent: 40,
        ..workload(Operation::RandRw, Backend::IoUring)
    };
    let report = verified(&ready(&workload, directory.path()));
    assert_eq!(report.bad(), 0, "{report:?}");
}

/// A device that lost a write still holds what an earlier run left: the same place, another
/// generation.
#[test]
fn a_lost_write_is_stale() {
    let directory = tempfile::tempdir_in(".").unwrap();
    let path = directory.path().join("f0");
    let writes = workload(Operation::RandWrite, Backend::Sync);
    verified(&ready(&writes, directory.path()));
    let old = block(&File::open(&path).unwrap(), 7);
    verified(&ready(&writes, directory.path()));
    let new = block(&File::open(&path).unwrap(), 7);
    assert!(old != new, "two runs must not write the same data");

    // Lay out again, then put back what the block held before.
    let prepared = ready(&workload(Operation::Read, Backend::Sync), directory.path());
    let file = OpenOptions::new().write(true).open(&path).unwrap();
    file.write_all_at(&old, 7 * BLOCK).unwrap();
    let report = verified(&prepared);
    assert_eq!((report.stale, report.bad()), (8, 8));
    assert_eq!(report.examples[0], 7 * BLOCK);
}

#[test]
fn blocks_that_are_no_multiple_of_a_sector_verify_too() {
    let directory = tempfile::tempdir_in(".").unwrap();
    for operation in [Operation::Write, Operation::RandWrite, Operation::RandRead] {
        let workload = IoWorkload {
            block_size: Bytes(1_000).into(),
            ..workload(operation, Backend::Sync)
        };
        let report = verified(&ready(&workload, directory.path()));
        assert_eq!(report.bad(), 0, "{operation}: {report:?}");
    }
}
