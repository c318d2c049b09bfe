use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use etalon_units::Bytes;

use super::MetadataOperation as Op;
use super::*;
use crate::measurable::{Measurable as _, Pass};

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
        if let PhaseOutcome::Unsupported { .. } = phase.outcome {
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
            (op, wanted, PhaseOutcome::Complete)
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
            order: FileOrder::Random,
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
            order: FileOrder::Random,
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
    assert_eq!(record.phases[0].outcome, PhaseOutcome::Partial);

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
fn what_is_mounted_in_the_directory_of_a_run_is_named_and_not_emptied() {
    if !etalon_testbed::root_for(
        "what_is_mounted_in_the_directory_of_a_run_is_named_and_not_emptied",
    ) {
        return;
    }
    let (place, mine) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    fs::write(mine.path().join("photo"), "precious").unwrap();
    let ready = prepare(&small(), place.path(), &GO).unwrap();
    let own = fs::read_dir(place.path()).unwrap().next().unwrap();
    let point = own.unwrap().path().join("m");
    fs::create_dir(&point).unwrap();
    let mount = etalon_testbed::Mount::at(&point, &["--bind", mine.path().to_str().unwrap()]);
    let removed = ready.remove();
    let is_whole = mine.path().join("photo").exists();
    mount.unmount();
    assert!(is_whole, "LOST: what was mounted");
    let told = removed.unwrap_err().to_string();
    assert!(told.contains("a filesystem is mounted at 'm'"), "{told}");
}

/// As on NFS, where the server has no room for what it is handed when a file is closed.
#[test]
fn what_a_file_tells_when_it_is_closed_ends_the_run() {
    let place = tempfile::tempdir().unwrap();
    for op in [Op::Create, Op::Write] {
        let workload = MetadataWorkload {
            operations: vec![op],
            ..small()
        };
        let ready = prepare(&workload, place.path(), &GO).unwrap();
        let record = std::thread::scope(|scope| {
            let refused = scope.spawn(|| {
                etalon_testbed::refuse_close();
                ready.run(&GO, &())
            });
            refused.join().unwrap().unwrap()
        });
        let told = matches!(&record.ended, MetadataEnd::DiskFull { operation, errno: 122, .. } if *operation == op);
        assert!(told, "{:?}", record.ended);
        assert_eq!(record.phase(op).map(|phase| phase.count), Some(0));
    }
}

#[test]
fn what_a_filesystem_lacks_is_said_and_the_run_goes_on() {
    // procfs and sysfs make nothing; a filesystem without attributes is ramfs, which needs root.
    if !etalon_testbed::root_for("what_a_filesystem_lacks_is_said_and_the_run_goes_on") {
        return;
    }
    let place = etalon_testbed::Mount::new(&["-t", "ramfs", "none"]);
    let result = run(&small(), place.path(), &GO, &());
    place.unmount();
    let record = result.unwrap();
    assert_eq!(record.ended, MetadataEnd::Complete);
    assert!(matches!(
        record.phase(Op::SetXattr).unwrap().outcome,
        PhaseOutcome::Unsupported { errno: 95 }
    ));
    assert!(matches!(
        record.phase(Op::GetXattr).unwrap().outcome,
        PhaseOutcome::Unsupported { .. }
    ));
    assert_eq!(
        record.phase(Op::Unlink).unwrap().outcome,
        PhaseOutcome::Complete
    );
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

#[test]
fn what_an_operation_needs_stands_before_it_begins_and_goes_with_it() {
    let place = tempfile::tempdir().unwrap();
    for (op, before, after) in [
        (Op::Create, 0, 2500),
        (Op::Stat, 2500, 2500),
        (Op::Rename, 2500, 2500),
        (Op::Link, 2500, 5000),
        (Op::Unlink, 2500, 0),
    ] {
        let workload = MetadataWorkload::of_one(op, 2500, 2, 7).unwrap();
        let prepared = prepare(&workload, place.path(), &GO).unwrap();
        assert_eq!(files_below(place.path()), before, "{op}");
        let record = prepared.run(&GO, &()).unwrap();
        assert_eq!(files_below(place.path()), after, "{op}");
        let phase = &record.phases[0];
        assert_eq!((record.phases.len(), phase.count), (1, 2500), "{op}");
        assert_eq!(record.ended, MetadataEnd::Complete);
        prepared.remove().unwrap();
        assert_eq!(entries(place.path()), 0);
    }
}

#[test]
fn no_page_of_a_file_is_equal_to_another_whichever_job_and_pass_wrote_it() {
    let place = tempfile::tempdir().unwrap();
    let mut pages = std::collections::HashSet::new();
    for seed in [7, 8] {
        let workload = MetadataWorkload {
            operations: vec![Op::Write],
            jobs: 2,
            file_size: Bytes(6000),
            block_size: Bytes(1000),
            seed,
            ..small()
        };
        let prepared = prepare(&workload, place.path(), &GO).unwrap();
        let record = prepared.run(&GO, &()).unwrap();
        assert_eq!(record.phase(Op::Write).unwrap().count, 2 * 52);
        each_file(place.path(), &mut |path| {
            for page in fs::read(path).unwrap().chunks(4096) {
                assert!(pages.insert(page.to_vec()), "{}", path.display());
            }
        });
        prepared.remove().unwrap();
    }
    assert_eq!(pages.len(), 2 * 2 * 52 * 2);
}

fn each_file(directory: &Path, act: &mut impl FnMut(&Path)) {
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => each_file(&path, act),
            false => act(&path),
        }
    }
}

fn files_below(directory: &Path) -> usize {
    let entries = fs::read_dir(directory).unwrap().map(|e| e.unwrap().path());
    entries
        .map(|path| if path.is_dir() { files_below(&path) } else { 1 })
        .sum()
}

#[test]
fn what_is_dropped_before_it_ran_leaves_nothing_and_a_stopped_laying_out_has_no_figure() {
    let place = tempfile::tempdir().unwrap();
    let unlink = MetadataWorkload::of_one(Op::Unlink, 300, 1, 7).unwrap();
    drop(prepare(&unlink, place.path(), &GO).unwrap());
    assert_eq!(entries(place.path()), 0);
    let stopped = prepare(&unlink, place.path(), &AtomicBool::new(true)).unwrap();
    let record = stopped.run(&GO, &()).unwrap();
    assert_eq!(record.ended, MetadataEnd::Interrupted);
    assert!(record.phases.is_empty());
}

#[test]
fn a_pass_gives_each_operation_a_cell_and_what_it_made_goes_with_the_next() {
    let place = tempfile::tempdir().unwrap();
    let life = MetadataWorkload::life_of_files(120, 7).unwrap();
    let cells = vec![(Op::Create, "create files".to_owned())];
    let mut names = Names::new(life, place.path().to_owned(), &GO).in_cells(cells);
    for block in 0..2 {
        let pass = Pass {
            block,
            position: 3 * block,
        };
        names.get_ready(pass).unwrap();
        assert_eq!(entries(place.path()), 1);
        names.carry_out(&()).unwrap();
        let report = names.report(&[]);
        let cells: Vec<&str> = report.parts.iter().map(|part| part.cell.as_str()).collect();
        assert_eq!(cells, ["create files", "stat", "unlink"]);
        for part in &report.parts {
            assert_eq!(part.measurement.operations(), 120);
            assert_eq!(part.workload.seed(), Some(8 + 3 * u64::from(block)));
            let task = part.workload.task().unwrap();
            assert_eq!(task.parameters["files_in_all"].to_string(), "120");
            assert!(!task.parameters.contains_key("depth"), "{task:?}");
        }
    }
    assert_eq!(names.into_records().len(), 2);
    assert_eq!(entries(place.path()), 0);
}
