//! Two targets that differ, measured and compared as README says.

use std::path::Path;

use etalon_judge::{Goal, judge_cells};
use etalon_model::{
    ExperimentKind, ExperimentState, IoWorkload, Measurement, NewExperiment, Operation, Run,
    TargetRecord,
};
use etalon_store::Store;
use etalon_units::{Bytes, Nanos};
use serde_json::Value;

use crate::common::{Home, Mount, ROWS, Said, measured_or_dropped, root_for, short_check};

fn check(home: &Home, place: &Path, more: &[&str]) -> Value {
    let place = place.to_str().unwrap();
    let words = short_check(place);
    let said = home.run_in_time(&[&words, more].concat());
    assert!(matches!(said.code, Some(0 | 3)), "{said:?}");
    assert_eq!(measured_or_dropped(&said.json(), &ROWS), ROWS);
    said.json()
}

/// The size of the files of a check.
fn file_size(document: &Value) -> u64 {
    let choices = document["choices"].to_string();
    let size = choices.split("one file of ").nth(1).unwrap();
    let mut words = size.split(' ');
    let number: f64 = words.next().unwrap().parse().unwrap();
    let unit = match words.next().unwrap() {
        "MiB" => 1 << 20,
        "GiB" => 1 << 30,
        unit => panic!("{unit}"),
    };
    number as u64 * unit
}

/// What a row of a comparison is refused for.
fn refused(compared: &Said) -> Vec<String> {
    let document = compared.json();
    let rows = document["comparisons"].as_array().unwrap().iter();
    let verdicts = rows.map(|row| row["verdict"].to_string());
    verdicts
        .filter(|verdict| verdict.contains("refused"))
        .collect()
}

#[test]
fn two_filesystems_of_one_size_compare_without_an_option() {
    if !root_for("two_filesystems_of_one_size_compare_without_an_option") {
        return;
    }
    let home = Home::new();
    // Alone, the second would have larger files.
    let (first, second) = (
        Mount::image("btrfs", 160, "rw"),
        Mount::image("xfs", 512, "rw"),
    );
    let sizes = [&first, &second].map(|mount| file_size(&check(&home, mount.path(), &[])));
    assert_eq!(sizes[0], sizes[1]);
    let compared = home.run(["compare", "1", "2", "--json"]);
    assert!(matches!(compared.code, Some(0 | 3)), "{compared:?}");
    let about_size: Vec<String> = refused(&compared);
    let about_size = about_size.iter().filter(|why| why.contains("size"));
    assert_eq!(about_size.count(), 0, "{compared:?}");
    let page = home.run(["compare", "1", "2"]).joined();
    assert!(page.contains("xfs") && page.contains("btrfs"), "{page}");
    assert!(!page.contains("compare 1 2 --by"), "{page}");
}

#[test]
fn like_takes_the_size_of_the_experiment_that_is_named() {
    if !root_for("like_takes_the_size_of_the_experiment_that_is_named") {
        return;
    }
    let (home, mount) = (Home::new(), Mount::tmpfs(256));
    let words = ["--file-size", "5M"];
    assert_eq!(file_size(&check(&home, mount.path(), &words)), 5 << 20);
    let words = ["--file-size", "8M"];
    assert_eq!(file_size(&check(&home, mount.path(), &words)), 8 << 20);
    let like = check(&home, mount.path(), &["--like", "1"]);
    assert_eq!(file_size(&like), 5 << 20);
    // Without a word it is that of the last one.
    let last = check(&home, mount.path(), &[]);
    assert_eq!(file_size(&last), 5 << 20);
    let said = home.run(["quick", mount.path().to_str().unwrap(), "--like", "9"]);
    said.refused(1, &["9"]);
}

#[test]
fn what_is_too_unlike_compares_by_the_command_that_compare_names() {
    if !root_for("what_is_too_unlike_compares_by_the_command_that_compare_names") {
        return;
    }
    let home = Home::new();
    let (fast, slow) = (Mount::tmpfs(512), Mount::tmpfs(64));
    let quick = |place: &Mount, more: [&str; 2]| {
        let name = place.path().to_str().unwrap();
        let words = ["quick", name, "--budget", "5s"];
        let said = home.run(words.iter().chain(&more));
        assert!(matches!(said.code, Some(0 | 3)), "{said:?}");
    };
    quick(&fast, ["--file-size", "64M"]);
    quick(&slow, ["--file-size", "2M"]);
    let page = home.run(["compare", "1", "2"]).joined();
    let name = fast.path().to_str().unwrap();
    let command = format!("To compare them: etalon quick {name} --like 2");
    // Where others took the machine, the rows are refused as invalid.
    let reasons = refused(&home.run(["compare", "1", "2", "--json"]));
    assert!(!reasons.is_empty(), "{page}");
    let is_spoiled = reasons.iter().all(|why| why.contains("is invalid"));
    assert!(is_spoiled || page.contains(&command), "{page}");
    quick(&fast, ["--like", "2"]);
    let compared = home.run(["compare", "3", "2", "--json"]);
    assert!(matches!(compared.code, Some(0 | 3)), "{compared:?}");
    let by_speed = |why: &String| ["file-size", "queue-depth"].iter().any(|w| why.contains(w));
    let refused = refused(&compared);
    assert!(!refused.iter().any(by_speed), "{refused:?}");
    let page = home.run(["compare", "3", "2"]).joined();
    assert!(!page.contains("--like"), "{page}");
}

/// Keeps a check of six undisturbed runs on files of this size.
fn keep_check(store: &mut Store, target: &str, file_size: Bytes) {
    let new = NewExperiment {
        kind: ExperimentKind::Quick,
        started_unix_ns: 1,
        target: TargetRecord {
            path: target.to_owned(),
            ..TargetRecord::default()
        },
        settings: Value::Null,
        seed: 1,
        tool_version: "0".to_owned(),
        owner: None,
    };
    let id = store.begin_experiment(&new).unwrap();
    let workload = IoWorkload {
        operation: Operation::RandWrite,
        file_size,
        ..IoWorkload::default()
    };
    let runs = [0, 1, 2, 3, 4, 5].map(|block| {
        let mut measurement = Measurement::of_nothing(Nanos::secs(1));
        measurement.writes.operations = 5000 + u64::from(block);
        measurement.writes.bytes = Bytes::kib(4 * measurement.writes.operations);
        Run {
            block,
            position: block,
            // Runs of one moment would be the same ones.
            started_unix_ns: id,
            ..Run::of("random write 4 KiB, depth 1", workload.clone(), measurement)
        }
    });
    let cells = judge_cells(&runs, &Goal::default());
    store.append_runs(id, &runs).unwrap();
    store.append_cells(id, &cells).unwrap();
    store
        .finish_experiment(id, 2, ExperimentState::Finished)
        .unwrap();
}

#[test]
fn what_has_larger_files_is_told_to_be_measured_like_the_other() {
    let home = Home::new();
    let mut store = Store::open(&home.store()).unwrap();
    keep_check(&mut store, "/a fast disk", Bytes::mib(64));
    keep_check(&mut store, "/slow", Bytes::mib(2));
    let command = "To compare them: etalon quick '/a fast disk' --like 2";
    for arms in [["1", "2"], ["2", "1"]] {
        let said = home.run([&["compare"], &arms[..]].concat());
        assert!(said.joined().contains(command), "{said:?}");
    }
    keep_check(&mut store, "/as slow", Bytes::mib(2));
    let page = home.run(["compare", "2", "3"]).joined();
    assert!(!page.contains("--like"), "{page}");
}
