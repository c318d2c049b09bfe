//! What etalon did not make is not touched, whatever the journal says.

use std::fs;
use std::os::unix::fs::{chown, symlink};
use std::path::Path;

use etalon_factor::{KeptReason, RemoveError, RestoreReport, Scratch, restore};
use etalon_testbed::{Mount, root_for};

use crate::place::{Place, names};

const MARKER: &str = ".etalon-marker";

fn only_reason(report: RestoreReport) -> KeptReason {
    assert!(
        report.removed.is_empty() && report.in_use.is_empty(),
        "{report:?}"
    );
    let mut kept = report.kept;
    assert_eq!(kept.len(), 1);
    kept.remove(0).reason
}

fn not_marked(place: &Place) {
    let reason = only_reason(restore(&place.journal));
    assert!(
        matches!(reason, KeptReason::Remove(RemoveError::NotMarked)),
        "{reason}"
    );
    assert_eq!(place.entries(), 1, "the entry stays");
}

fn directory_with(path: &Path, marker: &str) {
    fs::create_dir(path).unwrap();
    fs::write(path.join(MARKER), marker).unwrap();
    fs::write(path.join("precious"), "1").unwrap();
}

fn assert_precious(directory: &Path) {
    assert_eq!(fs::read(directory.join("precious")).unwrap(), b"1");
}

#[test]
fn a_directory_with_its_token_is_removed() {
    let place = Place::new();
    let (token, path) = place.enter_dead();
    directory_with(&path, &format!("{token}\n"));
    let report = restore(&place.journal);
    assert_eq!(report.removed, std::slice::from_ref(&path));
    assert!(report.kept.is_empty());
    assert!(!path.exists());
    assert_eq!(place.entries(), 0);
    assert!(restore(&place.journal).is_empty());
}

#[test]
fn a_directory_without_a_marker_is_not_touched() {
    let place = Place::new();
    let (_, path) = place.enter_dead();
    fs::create_dir(&path).unwrap();
    fs::write(path.join("precious"), "1").unwrap();
    not_marked(&place);
    assert_precious(&path);
}

#[test]
fn another_token_or_only_a_part_of_it_is_no_marker() {
    let place = Place::new();
    let (token, path) = place.enter_dead();
    let text = token.as_str();
    let other = "0".repeat(32);
    for marker in [
        "",
        &text[..31],
        text,
        &other,
        &format!("{text}\n\n"),
        &format!("{other}\n"),
    ] {
        directory_with(&path, marker);
        not_marked(&place);
        assert_precious(&path);
        fs::remove_dir_all(&path).unwrap();
    }
}

#[test]
fn what_a_kill_leaves_between_directory_and_marker_is_removed() {
    let place = Place::new();
    for part in [None, Some(0), Some(10), Some(32)] {
        let (token, path) = place.enter_dead();
        fs::create_dir(&path).unwrap();
        if let Some(part) = part {
            fs::write(path.join(MARKER), &token.as_str()[..part]).unwrap();
        }
        assert_eq!(restore(&place.journal).removed, [path], "{part:?}");
    }
}

#[test]
fn a_link_or_a_file_under_its_name_is_not_touched() {
    let place = Place::new();
    let (token, path) = place.enter_dead();
    let elsewhere = place.target.join("elsewhere");
    directory_with(&elsewhere, &format!("{token}\n"));
    symlink(&elsewhere, &path).unwrap();
    let reason = only_reason(restore(&place.journal));
    assert!(
        matches!(reason, KeptReason::Remove(RemoveError::NotADirectory)),
        "{reason}"
    );
    assert_precious(&elsewhere);
    fs::remove_file(&path).unwrap();

    fs::write(&path, "1").unwrap();
    let reason = only_reason(restore(&place.journal));
    assert!(
        matches!(reason, KeptReason::Remove(RemoveError::NotADirectory)),
        "{reason}"
    );
    assert_eq!(fs::read(&path).unwrap(), b"1");
}

#[test]
fn a_marker_that_is_a_link_marks_nothing() {
    let place = Place::new();
    let (token, path) = place.enter_dead();
    directory_with(&path, "");
    fs::remove_file(path.join(MARKER)).unwrap();
    fs::write(place.target.join("text"), format!("{token}\n")).unwrap();
    symlink(place.target.join("text"), path.join(MARKER)).unwrap();
    not_marked(&place);
    assert_precious(&path);
}

#[test]
fn a_parent_that_has_become_a_link_is_not_followed() {
    let place = Place::new();
    let (token, path) = place.enter_dead();
    let elsewhere = place.target.with_file_name("elsewhere");
    fs::rename(&place.target, &elsewhere).unwrap();
    symlink(&elsewhere, &place.target).unwrap();
    directory_with(&path, &format!("{token}\n"));
    let reason = only_reason(restore(&place.journal));
    assert!(matches!(reason, KeptReason::Parent(_)), "{reason}");
    assert_precious(&path);
}

#[test]
fn another_users_directory_is_not_removed_even_with_the_token() {
    if !root_for("another_users_directory_is_not_removed_even_with_the_token") {
        return;
    }
    let place = Place::new();
    let (token, path) = place.enter_dead();
    directory_with(&path, &format!("{token}\n"));
    chown(&path, Some(65534), Some(65534)).unwrap();
    let reason = only_reason(restore(&place.journal));
    assert!(
        matches!(reason, KeptReason::Remove(RemoveError::OtherOwner)),
        "{reason}"
    );
    chown(&path, Some(0), Some(0)).unwrap();
    chown(path.join(MARKER), Some(65534), Some(65534)).unwrap();
    not_marked(&place);
    assert_precious(&path);
}

#[test]
fn a_journal_of_another_user_is_not_read() {
    if !root_for("a_journal_of_another_user_is_not_read") {
        return;
    }
    let place = Place::new();
    let (token, path) = place.enter_dead();
    directory_with(&path, &format!("{token}\n"));
    chown(place.journal.directory(), Some(65534), Some(65534)).unwrap();
    assert!(restore(&place.journal).is_empty());
    assert_precious(&path);
}

#[test]
fn a_mount_within_is_not_entered() {
    let place = Place::new();
    for below in ["mount", "a/b/mount"] {
        let scratch = Scratch::create(&place.journal, &place.target).unwrap();
        let path = scratch.path().to_owned();
        let at = path.join(below);
        fs::create_dir_all(&at).unwrap();
        let Some(mut mount) = Mount::tmpfs_at("a_mount_within_is_not_entered", &at, "size=1m")
        else {
            return;
        };
        fs::write(at.join("precious"), "1").unwrap();
        let error = scratch.close().unwrap_err().to_string();
        assert!(error.contains("a filesystem is mounted"), "{error}");
        assert_eq!(place.entries(), 1, "the entry stays");
        let places = [at, path.join(".etalon-lifted-0/mount")];
        let found: Vec<_> = places
            .into_iter()
            .filter(|at| at.join("precious").exists())
            .collect();
        assert_eq!(found.len(), 1);
        mount.has_moved_to(&found[0]);
        drop(mount);
        // This process lives, so that a restore would leave it alone.
        fs::remove_dir_all(&path).unwrap();
        for name in names(place.journal.directory()) {
            fs::remove_file(place.journal.directory().join(name)).unwrap();
        }
    }
}
