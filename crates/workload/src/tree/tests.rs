use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use etalon_units::Bytes;

use super::*;

static GO: AtomicBool = AtomicBool::new(false);

fn options(start: &Path, levels: u32, directories: u32, files: u32, blocks: u64) -> TreeSettings {
    let shape = TreeShape {
        levels,
        directories,
        files,
        blocks,
    };
    TreeSettings {
        shape,
        start: start.to_owned(),
        ..TreeSettings::default()
    }
}

/// Directories, files and bytes below and including `root`, counted by listing.
fn listed(root: &Path) -> (u64, u64, u64) {
    let (mut directories, mut files, mut bytes) = (1, 0, 0);
    for entry in fs::read_dir(root).unwrap() {
        let entry = entry.unwrap();
        if entry.file_type().unwrap().is_dir() {
            let below = listed(&entry.path());
            directories += below.0;
            files += below.1;
            bytes += below.2;
        } else {
            files += 1;
            bytes += entry.metadata().unwrap().len();
        }
    }
    (directories, files, bytes)
}

fn entries(place: &Path) -> usize {
    fs::read_dir(place).unwrap().count()
}

#[test]
fn what_is_created_is_what_the_formula_says_and_goes_again() {
    let place = tempfile::tempdir().unwrap();
    for (levels, directories, files, blocks) in [
        (2, 3, 2, 1),
        (0, 5, 3, 0),
        (3, 1, 0, 9),
        (2, 0, 4, 2),
        (1, 12, 11, 1),
    ] {
        let mut wanted = options(place.path(), levels, directories, files, blocks);
        wanted.remove = false;
        let record = run(&wanted, 1, &GO).unwrap();
        let shape = wanted.shape;
        let totals = (
            shape.total_directories(),
            shape.total_files(),
            shape.total_bytes().get(),
        );
        assert_eq!(listed(&record.root), totals);
        let counts: Vec<u64> = record.phases.iter().map(|p| p.count).collect();
        assert_eq!(counts, [totals.0, totals.1]);
        (wanted.create, wanted.remove) = (false, true);
        let record = run(&wanted, 1, &GO).unwrap();
        let counts: Vec<u64> = record.phases.iter().map(|p| p.count).collect();
        assert_eq!(counts, [totals.1, totals.0]);
        assert_eq!(entries(place.path()), 0);
    }
}

#[test]
fn the_names_are_the_scripts() {
    let place = tempfile::tempdir().unwrap();
    let mut wanted = options(place.path(), 1, 2, 1, 1);
    wanted.remove = false;
    let root = run(&wanted, 1, &GO).unwrap().root;
    for name in ["L1F1", "L1D1/L0F1", "L1D2/L0F1"] {
        assert_eq!(fs::metadata(root.join(name)).unwrap().len(), 4096, "{name}");
    }
    assert!(
        root.file_name()
            .unwrap()
            .to_string_lossy()
            .starts_with("LEVEL0.")
    );
}

#[test]
fn phases_follow_one_another_and_only_files_carry_bytes() {
    let place = tempfile::tempdir().unwrap();
    let record = run(&options(place.path(), 2, 2, 2, 3), 1, &GO).unwrap();
    let order: Vec<Phase> = record.phases.iter().map(|p| p.phase).collect();
    assert_eq!(order, Phase::ALL);
    assert!(
        record
            .phases
            .windows(2)
            .all(|pair| pair[0].end <= pair[1].begin)
    );
    let bytes: Vec<Bytes> = record.phases.iter().map(|p| p.bytes).collect();
    assert_eq!(bytes, [Bytes(0), Bytes(14 * 3 * 4096), Bytes(0), Bytes(0)]);
}

#[test]
fn zeros_are_zeros_and_data_are_not() {
    let place = tempfile::tempdir().unwrap();
    for zero in [false, true] {
        let mut wanted = options(place.path(), 0, 0, 1, 2);
        (wanted.remove, wanted.zero) = (false, zero);
        let root = run(&wanted, 1, &GO).unwrap().root;
        let data = fs::read(root.join("L0F1")).unwrap();
        assert_eq!(data.iter().all(|&b| b == 0), zero);
        fs::remove_dir_all(root).unwrap();
    }
}

/// Every page of the files below `root`.
fn pages(root: &Path, found: &mut Vec<Vec<u8>>) {
    for entry in fs::read_dir(root).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            pages(&path, found);
        } else {
            found.extend(fs::read(path).unwrap().chunks(4096).map(<[u8]>::to_vec));
        }
    }
}

#[test]
fn no_page_of_two_trees_is_equal_to_another() {
    let place = tempfile::tempdir().unwrap();
    for seed in [3, 4] {
        let mut wanted = options(place.path(), 1, 2, 3, 2);
        (wanted.remove, wanted.seed) = (false, seed);
        run(&wanted, seed as u32, &GO).unwrap();
    }
    let mut found = Vec::new();
    pages(place.path(), &mut found);
    let all = found.len();
    found.sort_unstable();
    found.dedup();
    assert_eq!((all, found.len()), (2 * 9 * 2, 2 * 9 * 2));
}

#[test]
fn a_stop_leaves_nothing() {
    let place = tempfile::tempdir().unwrap();
    let stop = AtomicBool::new(true);
    let wanted = options(place.path(), 2, 3, 3, 1);
    assert!(matches!(run(&wanted, 1, &stop), Err(TreeError::Stopped)));
    assert_eq!(entries(place.path()), 0);

    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let running = scope.spawn(|| run(&options(place.path(), 3, 10, 100, 1), 1, &stop));
        while entries(place.path()) == 0 && !running.is_finished() {
            std::thread::yield_now();
        }
        stop.store(true, Ordering::Relaxed);
        assert!(matches!(running.join().unwrap(), Err(TreeError::Stopped)));
    });
    assert_eq!(entries(place.path()), 0);
}

#[test]
fn a_failure_in_the_middle_leaves_nothing_and_names_the_path() {
    let place = tempfile::tempdir().unwrap();
    let mut wanted = options(place.path(), 1, 2, 2, 1);
    wanted.remove = false;
    let root = run(&wanted, 1, &GO).unwrap().root;
    // Another file where the formula knows of none: the removal must fail, and say where.
    fs::write(root.join("L1D1/stranger"), "x").unwrap();
    (wanted.create, wanted.remove) = (false, true);
    let error = run(&wanted, 1, &GO).unwrap_err().to_string();
    assert!(
        error.contains("L1D1") && error.contains("remove the directory"),
        "{error}"
    );
    assert!(
        root.join("L1D1/stranger").exists(),
        "what is not the tree's stays"
    );
}

#[test]
fn what_a_file_tells_when_it_is_closed_ends_the_run() {
    let place = tempfile::tempdir().unwrap();
    let error = std::thread::scope(|scope| {
        let refused = scope.spawn(|| {
            etalon_testbed::refuse_close();
            run(&options(place.path(), 0, 0, 1, 1), 1, &GO)
        });
        refused.join().unwrap().unwrap_err()
    });
    let full = matches!(&error, TreeError::Operation { what: "close the file", source, .. }
        if source.kind() == std::io::ErrorKind::QuotaExceeded);
    assert!(full, "{error}");
}

#[test]
fn no_room_is_refused_with_figures_before_anything_is_made() {
    let place = tempfile::tempdir().unwrap();
    let error = run(&options(place.path(), 0, 0, 1000, 1 << 40), 1, &GO).unwrap_err();
    assert!(
        matches!(error, TreeError::Room(crate::RoomError::Space { .. })),
        "{error}"
    );
    assert!(error.to_string().contains("free on"), "{error}");
    assert_eq!(entries(place.path()), 0);
    let missing = place.path().join("missing");
    assert!(matches!(
        run(&options(&missing, 1, 1, 1, 1), 1, &GO),
        Err(TreeError::Room(crate::RoomError::Unknown { .. }))
    ));
}

#[test]
fn removing_needs_one_tree() {
    let place = tempfile::tempdir().unwrap();
    let mut wanted = options(place.path(), 1, 1, 1, 0);
    (wanted.create, wanted.remove) = (false, true);
    assert!(matches!(run(&wanted, 1, &GO), Err(TreeError::NoTree(_))));
    for name in ["LEVEL0.a.1", "LEVEL0.a.2"] {
        fs::create_dir(place.path().join(name)).unwrap();
    }
    assert!(matches!(
        run(&wanted, 1, &GO),
        Err(TreeError::SeveralTrees { count: 2, .. })
    ));
}
