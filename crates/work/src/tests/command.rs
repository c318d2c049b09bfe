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

#[test]
fn equal_lines_are_steps_of_their_own() {
    let lines = [("setup", "touch a"), ("step", "cat a"), ("step", "cat a")];
    assert_eq!(names(&done("command", &lines)), ["cat a", "cat a (2)"]);
}

/// A work whose two steps have one name.
struct Twice;

impl RealWork for Twice {
    fn name(&self) -> &'static str {
        "twice"
    }

    fn summary(&self) -> &'static str {
        "one name for two steps"
    }

    fn parameters(&self) -> &'static [Parameter] {
        &[]
    }

    fn work(&self, job: &mut Job<'_>) -> Result<(), WorkError> {
        job.step("one", |_| Ok(()))?;
        job.reading("one", |_| Ok(()))
    }
}

#[test]
fn a_name_is_never_given_to_two_steps() {
    let place = place();
    let context = context(place.path(), &[], &GO, &());
    let record = Twice.run(&context).unwrap();
    assert_eq!(names(&record), ["one"]);
    assert!(matches!(&record.ended, WorkEnd::Failed { message } if message.contains("'one'")));
}

#[test]
fn every_cleaning_line_runs_and_what_fails_is_told_after_what_failed_first() {
    let mine = super::place();
    let seen = mine.path().join("seen");
    let touch = format!("touch '{}'", seen.display());
    let cleanup = [
        ("cleanup", "ls no-such-file"),
        ("cleanup", &*touch),
        ("cleanup", "cat neither-this"),
    ];
    let place = place();
    let run = |steps: &[(&str, &str)]| {
        let given = [steps, &cleanup].concat();
        let record = run_on(place.path(), "command", &given, &GO);
        fs::remove_file(&seen).unwrap();
        assert_eq!(entries(place.path()), 0);
        record
    };
    let record = run(&[("step", "true")]).unwrap();
    assert_eq!(names(&record), ["true"]);
    let WorkEnd::LeftOver { message } = record.ended else {
        panic!("the step is whole: {:?}", record.ended);
    };
    assert!(
        message.starts_with("'ls no-such-file' ended with"),
        "{message}"
    );
    assert!(
        message.contains("; then: 'cat neither-this' ended"),
        "{message}"
    );

    let record = run(&[("step", "true"), ("step", "false")]).unwrap();
    let WorkEnd::Failed { message } = record.ended else {
        panic!("{:?}", record.ended);
    };
    assert!(message.starts_with("'false' ended with"), "{message}");
    assert!(message.contains("; then: 'ls no-such-file'"), "{message}");

    let error = run(&[("step", "false")]).unwrap_err().to_string();
    assert!(error.contains("; then: 'ls no-such-file'"), "{error}");
}
