//! Files and trees under names of the user's: made, removed, and told from what replaced them.

use std::fs;
use std::path::{Path, PathBuf};

use etalon_factor::{Hold, KeptReason, Named, NamedError, RemoveError, restore};
use etalon_testbed::{Mount, root_for};
use rustix::fs::Mode;

use crate::place::{Place, names};

fn file(place: &Place) -> (Named, PathBuf) {
    let path = place.target.join("file");
    let mut named = Named::at(&path, Hold::Yes).unwrap();
    named.make_file(Some(&place.journal)).unwrap();
    (named, path)
}

/// Leaves what was made as a process leaves it that is killed: its entry names one that is gone.
pub(crate) fn kill<T>(place: &Place, made: T) {
    std::mem::forget(made);
    for name in names(place.journal.directory()) {
        let entry = place.journal.directory().join(name);
        let text = fs::read_to_string(&entry).unwrap();
        if let Some(at) = text.find("\"start_ticks\":") {
            let (before, after) = text.split_at(at + "\"start_ticks\":".len());
            fs::write(&entry, format!("{before}1{after}")).unwrap();
        }
    }
}

/// Makes it look as where a filesystem keeps no attributes.
fn unmark(place: &Place, path: &Path) {
    let _ = rustix::fs::removexattr(path, "user.etalon");
    for name in names(place.journal.directory()) {
        let entry = place.journal.directory().join(name);
        let text = fs::read_to_string(&entry).unwrap();
        fs::write(&entry, text.replace("\"marked\":true", "\"marked\":false")).unwrap();
    }
}

#[test]
fn what_is_made_is_private_entered_and_goes_away() {
    let place = Place::new();
    let (mut named, path) = file(&place);
    assert_eq!(names(&place.target), ["file"]);
    assert_eq!(place.entries(), 1);
    let mode = std::os::unix::fs::MetadataExt::mode(&fs::metadata(&path).unwrap());
    assert_eq!(mode & 0o7777, 0o600);
    fs::write(named.held_path(), "1").unwrap();
    named.clear().unwrap();
    named.make_file(Some(&place.journal)).unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"", "made anew");
    assert_eq!(place.entries(), 1);
    drop(named);
    assert_eq!(names(&place.target), [""; 0]);
    assert_eq!(place.entries(), 0);

    let (mut named, path) = file(&place);
    named.keep();
    drop(named);
    assert!(path.exists());
    assert_eq!(place.entries(), 0);
}

#[test]
fn a_name_that_is_taken_is_left_alone() {
    let place = Place::new();
    let path = place.target.join("file");
    fs::write(&path, "1").unwrap();
    let mut named = Named::at(&path, Hold::Yes).unwrap();
    let error = named.make_file(Some(&place.journal)).unwrap_err();
    assert!(matches!(error, NamedError::Io(_)), "{error}");
    drop(named);
    assert_eq!(names(&place.target), ["file"]);
    assert_eq!(fs::read(&path).unwrap(), b"1");
    assert_eq!(place.entries(), 0);
}

#[test]
fn what_a_killed_process_made_is_removed_with_or_without_its_mark() {
    let place = Place::new();
    for unmarked in [false, true] {
        let (named, path) = file(&place);
        fs::write(&path, "1").unwrap();
        if unmarked {
            unmark(&place, &path);
        }
        kill(&place, named);
        let report = restore(&place.journal);
        assert_eq!(report.removed, [path], "{report:?}");
        assert_eq!(place.entries(), 0);
        assert_eq!(names(&place.target), [""; 0]);
    }
}

#[test]
fn what_replaced_it_stays_and_is_told_once() {
    let place = Place::new();
    let (named, path) = file(&place);
    fs::remove_file(&path).unwrap();
    fs::write(&path, "mine").unwrap();
    kill(&place, named);
    let report = restore(&place.journal);
    assert!(report.removed.is_empty(), "{report:?}");
    assert!(
        matches!(
            report.kept[0].reason,
            KeptReason::Remove(RemoveError::Replaced)
        ),
        "{report:?}"
    );
    assert!(report.kept[0].to_string().contains(path.to_str().unwrap()));
    assert_eq!(fs::read(&path).unwrap(), b"mine");
    assert!(restore(&place.journal).is_empty());

    let (mut named, path) = {
        fs::remove_file(&path).unwrap();
        file(&place)
    };
    fs::remove_file(&path).unwrap();
    std::os::unix::fs::symlink(place.journal.directory(), &path).unwrap();
    let error = named.remove().unwrap_err();
    assert!(
        matches!(error, NamedError::Remove(RemoveError::Replaced)),
        "{error}"
    );
    assert!(path.is_symlink());
}

#[test]
fn what_had_no_name_yet_goes_and_what_has_it_stays() {
    let place = Place::new();
    let (named, path) = file(&place);
    kill(&place, named);
    let entry = names(place.journal.directory()).remove(0);
    let token = entry.trim_end_matches(".json").to_owned();
    // As it is between the making and the naming.
    fs::rename(&path, place.target.join(format!(".etalon-{token}"))).unwrap();
    fs::write(&path, "mine").unwrap();
    let file = place.journal.directory().join(entry);
    let text = fs::read_to_string(&file).unwrap();
    let at = text.find("\"identity\":").unwrap();
    let end = at
        + text[at..]
            .find("]}")
            .map_or_else(|| text[at..].find('}').unwrap() + 1, |n| n + 2);
    let text = format!("{}\"identity\":null{}", &text[..at], &text[end..]);
    fs::write(&file, text).unwrap();
    let report = restore(&place.journal);
    assert!(report.kept.is_empty(), "{report:?}");
    assert_eq!(names(&place.target), ["file"]);
    assert_eq!(fs::read(&path).unwrap(), b"mine");
    assert_eq!(place.entries(), 0);
}

#[test]
fn a_tree_goes_with_all_that_it_holds() {
    let place = Place::new();
    let path = place.target.join("tree");
    for killed in [false, true] {
        let mut named = Named::at(&path, Hold::Yes).unwrap();
        named
            .make_directory(Some(&place.journal), Mode::RWXU)
            .unwrap();
        fs::create_dir_all(path.join("a/b")).unwrap();
        fs::write(path.join("a/file"), "1").unwrap();
        if killed {
            kill(&place, named);
            assert_eq!(restore(&place.journal).removed, std::slice::from_ref(&path));
        } else {
            named.remove().unwrap();
        }
        assert_eq!(names(&place.target), [""; 0]);
        assert_eq!(place.entries(), 0);
    }
}

#[test]
fn a_tree_gets_a_free_name_where_the_filesystem_renames_only_by_replacing() {
    let test = "a_tree_gets_a_free_name_where_the_filesystem_renames_only_by_replacing";
    if !root_for(test) {
        return;
    }
    let mut place = Place::new();
    let mount = Mount::by("bindfs", &[place.target.to_str().unwrap()]);
    place.target = mount.path().canonicalize().unwrap();
    let path = place.target.join("tree");
    let mut named = Named::at(&path, Hold::Yes).unwrap();
    let journal = Some(&place.journal);
    named.make_directory(journal, Mode::RWXU).unwrap();
    assert_eq!(names(&place.target), ["tree"]);
    named.remove().unwrap();
    fs::create_dir(&path).unwrap();
    let refused = named.make_directory(journal, Mode::RWXU).unwrap_err();
    assert!(refused.to_string().contains("File exists"), "{refused}");
    drop(named);
    assert_eq!(names(&place.target), ["tree"]);
    assert_eq!(place.entries(), 0);
}
