//! Command lines of the user's, and what they leave behind.

use std::path::PathBuf;

use etalon_testbed::{Mount, root_for};

use super::*;

/// What lies at `name` in the directory that a work has left below `place`.
fn left_over(place: &Path, name: &str) -> PathBuf {
    let work = fs::read_dir(place).unwrap().next().unwrap().unwrap();
    work.path().join(name)
}

#[test]
fn what_a_line_mounted_and_left_is_not_emptied() {
    let test = "what_a_line_mounted_and_left_is_not_emptied";
    if !root_for(test) {
        return;
    }
    let (place, mine) = (super::place(), super::place());
    fs::write(mine.path().join("photo"), "precious").unwrap();
    let bind = format!("mount --bind '{}' m", mine.path().display());
    let given = [
        ("setup", "mkdir m"),
        ("setup", &*bind),
        ("step", "touch made"),
    ];
    let record = run_on(place.path(), "command", &given, &GO);
    let is_whole = mine.path().join("photo").exists();
    drop(Mount::held(&left_over(place.path(), "m")));
    assert!(is_whole, "LOST: what a command mounted");
    let record = record.unwrap();
    let told = format!("{:?}", record.ended);
    assert!(told.contains("a filesystem is mounted at 'm'"), "{told}");
    assert_eq!(names(&record), ["touch made"]);
}
