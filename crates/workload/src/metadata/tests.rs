use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use etalon_units::Bytes;

use super::MetadataOperation as Op;
use super::*;

static GO: AtomicBool = AtomicBool::new(false);

fn small() -> MetadataWorkload {
    MetadataWorkload {
        depth: 2,
        breadth: 3,
        files: 4,
        file_size: Bytes(5000),
        block_size: Bytes(4096),
        ..Default::default()
    }
}

fn entries(place: &Path) -> usize {
    fs::read_dir(place).unwrap().count()
}

/// Every count of a run against the formula, and nothing left.
fn counts_are_right(workload: &MetadataWorkload, trees: u64) {
    let place = tempfile::tempdir().unwrap();
    let record = run(workload, place.path(), &GO, &()).unwrap();
    assert_eq!(record.ended, MetadataEnd::Complete);
    let (directories, files) = (12 * trees, 13 * 4 * trees);
    for phase in &record.phases {
        let op = phase.operation;
        if let Outcome::Unsupported { .. } = phase.outcome {
            assert!(matches!(op, Op::SetXattr | Op::GetXattr), "{op}");
            continue;
        }
        let wanted = match op {
            Op::Mkdir | Op::Rmdir => directories,
            Op::Readdir => directories + trees,
            Op::Unlink => 3 * files,
            _ => files,
        };
        assert_eq!(
            (op, phase.count, phase.outcome),
            (op, wanted, Outcome::Complete)
        );
        assert_eq!(phase.latency.count(), wanted, "{op}");
        assert_eq!(
            phase.jobs.iter().map(|job| job.count).sum::<u64>(),
            wanted,
            "{op}"
        );
        assert!(
            phase
                .jobs
                .iter()
                .all(|job| job.begin <= job.end && job.end <= phase.duration),
            "{op}"
        );
    }
    assert_eq!(record.phases.len(), workload.operations.len());
    assert_eq!(
        record.phase(Op::Readdir).unwrap().entries,
        directories + files
    );
    assert_eq!(record.phase(Op::Write).unwrap().bytes, Bytes(5000 * files));
    assert_eq!(entries(place.path()), 0);
}

#[test]
fn each_phase_does_what_the_formula_says_and_nothing_is_left() {
    counts_are_right(&small(), 1);
    counts_are_right(&MetadataWorkload { jobs: 3, ..small() }, 3);
    counts_are_right(
        &MetadataWorkload {
            order: Order::Random,
            durability: Durability::Each,
            ..small()
        },
        1,
    );
    counts_are_right(
        &MetadataWorkload {
            durability: Durability::Phase,
            ..small()
        },
        1,
    );
}

#[test]
fn jobs_divide_a_shared_tree_whatever_their_number() {
    for jobs in [1, 2, 5, 20] {
        let shared = MetadataWorkload {
            jobs,
            directories: Directories::Shared,
            order: Order::Random,
            ..small()
        };
        counts_are_right(&shared, 1);
    }
}

#[test]
fn only_what_is_asked_for_is_reported() {
    let place = tempfile::tempdir().unwrap();
    let some = MetadataWorkload {
        operations: vec![Op::Stat, Op::GetXattr, Op::Rmdir],
        ..small()
    };
    let record = run(&some, place.path(), &GO, &()).unwrap();
    let reported: Vec<Op> = record.phases.iter().map(|phase| phase.operation).collect();
    assert_eq!(reported, [Op::Stat, Op::GetXattr, Op::Rmdir]);
    assert_eq!(record.phase(Op::Stat).unwrap().count, 52);
    assert_eq!(entries(place.path()), 0);
}

#[test]
fn a_flat_directory_and_an_empty_tree_work() {
    let place = tempfile::tempdir().unwrap();
    let flat = MetadataWorkload {
        depth: 0,
        files: 7,
        ..small()
    };
    let record = run(&flat, place.path(), &GO, &()).unwrap();
    assert_eq!(
        (
            record.phase(Op::Create).unwrap().count,
            record.phase(Op::Mkdir).unwrap().count
        ),
        (7, 0)
    );
    let empty = MetadataWorkload {
        depth: 1,
        breadth: 2,
        files: 0,
        ..small()
    };
    let record = run(&empty, place.path(), &GO, &()).unwrap();
    assert_eq!(
        (
            record.phase(Op::Create).unwrap().count,
            record.phase(Op::Rmdir).unwrap().count
        ),
        (0, 2)
    );
    assert_eq!(record.ended, MetadataEnd::Complete);
}

#[test]
fn a_stop_keeps_what_was_done_and_leaves_nothing() {
    let place = tempfile::tempdir().unwrap();
    let stop = AtomicBool::new(true);
    let record = run(&small(), place.path(), &stop, &()).unwrap();
    assert_eq!(record.ended, MetadataEnd::Interrupted);
    assert_eq!(record.phases[0].outcome, Outcome::Partial);

    let stop = AtomicBool::new(false);
    let large = MetadataWorkload {
        depth: 1,
        breadth: 2000,
        files: 40,
        jobs: 2,
        ..small()
    };
    std::thread::scope(|scope| {
        let running = scope.spawn(|| run(&large, place.path(), &stop, &()));
        while entries(place.path()) == 0 && !running.is_finished() {
            std::thread::yield_now();
        }
        stop.store(true, Ordering::Relaxed);
        let record = running.join().unwrap().unwrap();
        assert_eq!(record.ended, MetadataEnd::Interrupted);
    });
    assert_eq!(entries(place.path()), 0);
}

#[test]
fn a_place_that_cannot_be_used_is_named() {
    let place = tempfile::tempdir().unwrap();
    let error = run(&small(), &place.path().join("missing"), &GO, &()).unwrap_err();
    assert!(error.to_string().contains("missing"), "{error}");
    let huge = MetadataWorkload {
        file_size: Bytes(1 << 45),
        ..small()
    };
    let error = run(&huge, place.path(), &GO, &()).unwrap_err().to_string();
    assert!(error.contains("free on"), "{error}");
    assert_eq!(entries(place.path()), 0);
}

#[test]
fn what_a_filesystem_lacks_is_said_and_the_run_goes_on() {
    // procfs and sysfs make nothing; a filesystem without attributes is ramfs, which needs root.
    let place = tempfile::tempdir().unwrap();
    let mounted = std::process::Command::new("mount")
        .args(["-t", "ramfs", "none"])
        .arg(place.path())
        .status();
    if !mounted.is_ok_and(|status| status.success()) {
        eprintln!("skipped: mounting a ramfs needs root");
        return;
    }
    let result = run(&small(), place.path(), &GO, &());
    let unmounted = std::process::Command::new("umount")
        .arg(place.path())
        .status();
    assert!(unmounted.is_ok_and(|status| status.success()));
    let record = result.unwrap();
    assert_eq!(record.ended, MetadataEnd::Complete);
    assert!(matches!(
        record.phase(Op::SetXattr).unwrap().outcome,
        Outcome::Unsupported { errno: 95 }
    ));
    assert!(matches!(
        record.phase(Op::GetXattr).unwrap().outcome,
        Outcome::Unsupported { .. }
    ));
    assert_eq!(record.phase(Op::Unlink).unwrap().outcome, Outcome::Complete);
}

#[test]
fn a_record_survives_json() {
    let place = tempfile::tempdir().unwrap();
    let record = run(&small(), place.path(), &GO, &()).unwrap();
    let json = serde_json::to_string(&record).unwrap();
    assert_eq!(
        serde_json::from_str::<MetadataRecord>(&json).unwrap(),
        record
    );
}
