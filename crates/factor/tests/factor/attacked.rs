//! Another user who exchanges what lies on the way to the journal.

use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt as _, chown, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

use etalon_factor::{Journal, JournalError, Scratch, ScratchError, TrustError, restore};
use etalon_testbed::root_for;
use tempfile::TempDir;

use crate::attacker::{Attacker, OTHER};
use crate::place::{Place, names};

/// A directory of somebody's that must stay as it is.
fn victim(within: &Path) -> PathBuf {
    let victim = within.join("victim");
    fs::create_dir(&victim).unwrap();
    fs::write(victim.join("letter.tmp"), "1").unwrap();
    victim
}

fn assert_whole(victim: &Path) {
    assert_eq!(names(victim), ["letter.tmp"]);
}

fn directory(path: &Path, mode: u32) -> PathBuf {
    fs::create_dir(path).unwrap();
    fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
    path.to_owned()
}

fn refused(path: &Path) -> TrustError {
    match Journal::at(path) {
        Err(JournalError::NotTrusted { source, .. }) => source,
        other => panic!("{} was not refused: {other:?}", path.display()),
    }
}

#[test]
fn a_directory_exchanged_for_a_link_after_it_was_opened_leads_nowhere() {
    let place = Place::new();
    let victim = victim(&place.target);
    place.enter_dead();
    let journal = place.journal.directory();
    let held = journal.with_file_name("held");
    fs::rename(journal, &held).unwrap();
    symlink(&victim, journal).unwrap();

    place.enter_dead();
    assert!(restore(&place.journal).kept.is_empty());
    assert_whole(&victim);
    assert_eq!(
        names(&held),
        ["lock"],
        "the entries are reached where they are"
    );
}

#[test]
fn a_parent_of_another_user_is_refused() {
    if !root_for("a_parent_of_another_user_is_refused") {
        return;
    }
    let home = TempDir::new().unwrap();
    let parent = directory(&home.path().join("parent"), 0o755);
    let own = directory(&parent.join("own"), 0o755);
    chown(&parent, Some(OTHER), Some(OTHER)).unwrap();
    for path in [parent.join("journal"), own.join("journal")] {
        let reason = refused(&path);
        assert!(
            matches!(reason, TrustError::OtherOwner { owner: OTHER, .. }),
            "{reason}"
        );
    }
    assert_eq!(names(&parent), ["own"]);
    assert_eq!(names(&own), [""; 0]);
}

#[test]
fn a_parent_that_others_may_write_is_refused() {
    let home = TempDir::new().unwrap();
    for mode in [0o777, 0o757] {
        let parent = directory(&home.path().join(format!("{mode:o}")), mode);
        let own = directory(&parent.join("own"), 0o755);
        for path in [parent.join("journal"), own.join("journal")] {
            let reason = refused(&path);
            assert!(matches!(reason, TrustError::Writable { .. }), "{reason}");
        }
        assert_eq!(names(&own), [""; 0]);
    }
}

#[test]
fn nothing_is_made_and_no_link_followed_where_everybody_makes_files() {
    let home = TempDir::new().unwrap();
    let shared = directory(&home.path().join("shared"), 0o1777);
    let victim = victim(home.path());
    symlink(&victim, shared.join("planted")).unwrap();
    for path in [shared.join("journal"), shared.join("planted/journal")] {
        let reason = refused(&path);
        assert!(matches!(reason, TrustError::Shared { .. }), "{reason}");
    }
    assert_eq!(names(&shared), ["planted"]);
    assert_whole(&victim);
    // What is this user's own there nobody else can move.
    let own = directory(&shared.join("own"), 0o755);
    Journal::at(&own.join("journal")).unwrap();
}

#[test]
fn a_link_of_ones_own_on_the_way_is_followed() {
    let home = TempDir::new().unwrap();
    let real = directory(&home.path().join("real"), 0o755);
    symlink("real", home.path().join("link")).unwrap();
    Journal::at(&home.path().join("link/state/journal")).unwrap();
    assert_eq!(names(&real.join("state")), ["journal"]);
    symlink("circle", home.path().join("circle")).unwrap();
    let reason = refused(&home.path().join("circle/journal"));
    assert!(matches!(reason, TrustError::Links { .. }), "{reason}");
}

#[test]
fn what_the_journal_holds_is_private_under_any_umask() {
    let home = TempDir::new().unwrap();
    let done = Command::new("sh")
        .args(["-c", "for mask in 000 077 777; do umask $mask; UMASK=$mask \"$0\" --exact attacked::private_under_this_umask --ignored --nocapture || exit 1; done"])
        .arg(std::env::current_exe().unwrap())
        .env("PLACE", home.path())
        .output()
        .unwrap();
    assert!(
        done.status.success(),
        "{}",
        String::from_utf8_lossy(&done.stdout)
    );
}

#[test]
#[ignore = "the child of what_the_journal_holds_is_private_under_any_umask"]
fn private_under_this_umask() {
    let Some(place) = std::env::var_os("PLACE").map(PathBuf::from) else {
        return;
    };
    let base = place.join(std::env::var_os("UMASK").unwrap());
    let directory = base.join("journal");
    let journal = Journal::at(&directory).unwrap();
    let target = place.join(".");
    let scratch = Scratch::create(&journal, &target).unwrap();
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o7777;
    for own in [&base, &directory, scratch.path()] {
        assert_eq!(mode(own), 0o700, "{}", own.display());
    }
    for name in names(&directory) {
        assert_eq!(mode(&directory.join(&name)), 0o600, "{name}");
    }
    assert_eq!(names(&directory).len(), 2);
    assert_eq!(mode(&scratch.path().join(".etalon-marker")), 0o600);
    scratch.close().unwrap();
}

#[test]
fn whoever_makes_the_place_first_and_swaps_it_reaches_nothing() {
    if !root_for("whoever_makes_the_place_first_and_swaps_it_reaches_nothing") {
        return;
    }
    let home = TempDir::new().unwrap();
    fs::set_permissions(home.path(), Permissions::from_mode(0o755)).unwrap();
    let victim = victim(home.path());
    let parent = directory(&home.path().join("etalon"), 0o755);
    chown(&parent, Some(OTHER), Some(OTHER)).unwrap();
    // What root made there once can be moved by whoever owns the parent.
    directory(&parent.join("journal"), 0o700);
    symlink(&victim, parent.join("planted")).unwrap();
    let _attacker = Attacker::exchanging(&parent, "journal", "planted");
    for _ in 0..2000 {
        if let Ok(journal) = Journal::at(&parent.join("journal")) {
            restore(&journal);
        }
        assert_whole(&victim);
    }
}

#[test]
fn a_private_directory_that_was_exchanged_is_used_and_emptied_where_it_lies() {
    let place = Place::new();
    let victim = victim(place.target.parent().unwrap());
    let scratch = Scratch::create(&place.journal, &place.target).unwrap();
    let aside = place.target.join("aside");
    fs::rename(scratch.path(), &aside).unwrap();
    symlink(&victim, scratch.path()).unwrap();
    fs::write(scratch.held_path().join("f0"), "1").unwrap();
    fs::create_dir_all(scratch.held_path().join("tree/a")).unwrap();
    assert_eq!(names(&aside), [".etalon-marker", "f0", "tree"]);
    assert_whole(&victim);
    let error = scratch.close().unwrap_err();
    assert!(matches!(error, ScratchError::Remove { .. }), "{error}");
    assert_whole(&victim);
    assert_eq!(names(&aside), [".etalon-marker"], "the test files are gone");
}

#[test]
fn what_others_exchange_while_it_is_made_reaches_nothing() {
    if !root_for("what_others_exchange_while_it_is_made_reaches_nothing") {
        return;
    }
    let place = Place::new();
    let home = place.target.parent().unwrap();
    fs::set_permissions(home, Permissions::from_mode(0o755)).unwrap();
    fs::set_permissions(&place.target, Permissions::from_mode(0o777)).unwrap();
    let victim = victim(home);
    // Root's own, with something in it, that others may move within the shared directory.
    let planted = directory(&place.target.join("planted"), 0o755);
    fs::write(planted.join("letter"), "1").unwrap();
    symlink(&victim, place.target.join("link")).unwrap();
    let attackers = [
        Attacker::exchanging(&place.target, ".etalon-", "planted"),
        Attacker::exchanging(&place.target, ".etalon-", "link"),
    ];
    for _ in 0..300 {
        if let Ok(scratch) = Scratch::create(&place.journal, &place.target) {
            let _ = fs::write(scratch.held_path().join("f0"), "1");
        }
        assert_whole(&victim);
    }
    drop(attackers);
    let letters = names(&place.target)
        .iter()
        .filter(|name| place.target.join(name).join("letter").exists())
        .count();
    assert_eq!(letters, 1, "root's own directory was emptied");
}
