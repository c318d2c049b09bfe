//! Entries that are damaged, of living processes, of other machines, of missing filesystems.

use std::fs;
use std::os::unix::fs::symlink;

use etalon_factor::{FilesystemMark, KeptReason, ProcessStamp, Scratch, restore};
use rustix::fs::{CWD, FileType, Mode, mknodat};

use crate::place::{Place, dead, names};

#[test]
fn damaged_entries_are_reported_and_left() {
    let place = Place::new();
    let (token, path) = place.enter_dead();
    fs::create_dir(&path).unwrap();
    let file = |name: &str| place.journal.directory().join(name);
    let whole = fs::read(file(&format!("{token}.json"))).unwrap();
    fs::write(file("a.json"), &whole[..whole.len() / 2]).unwrap();
    fs::write(file("b.json"), "").unwrap();
    fs::write(file("c.json"), [0xff; 3000]).unwrap();
    fs::write(file("d.json"), " ".repeat(1 << 20)).unwrap();
    fs::write(file("e.json"), &whole).unwrap();
    fs::create_dir(file("f.json")).unwrap();
    symlink(file("e.json"), file("g.json")).unwrap();
    mknodat(CWD, file("h.json"), FileType::Fifo, Mode::RWXU, 0).unwrap();
    fs::write(file("i.json"), r#"{"journal": 9, "new": true}"#).unwrap();

    let report = restore(&place.journal);
    assert_eq!(report.removed, [path], "the sound one is put back");
    assert_eq!(report.kept.len(), 9, "{report:?}");
    for (kept, name) in report.kept.iter().zip("abcdefghi".chars()) {
        assert!(matches!(kept.reason, KeptReason::Entry(_)), "{kept}");
        let text = kept.to_string();
        assert!(text.contains(&format!("{name}.json: ")), "{text}");
    }
    assert!(report.kept[4].to_string().contains("its name is not that"));
    assert!(report.kept[8].to_string().contains("has form 9"));
    assert_eq!(place.entries(), 9);
}

#[test]
fn an_entry_that_was_never_finished_goes_silently() {
    let place = Place::new();
    let file = place.journal.directory().join("abc.tmp");
    fs::write(&file, "{").unwrap();
    assert!(restore(&place.journal).is_empty());
    assert!(!file.exists());
}

#[test]
fn a_living_owner_is_left_alone() {
    let place = Place::new();
    let scratch = Scratch::create(&place.journal, &place.target).unwrap();
    let report = restore(&place.journal);
    assert_eq!(report.in_use.len(), 1);
    assert_eq!(report.in_use[0].path, scratch.path());
    assert_eq!(report.in_use[0].owner, ProcessStamp::current().unwrap());
    assert!(report.removed.is_empty() && report.kept.is_empty());
    assert_eq!(names(&place.target).len(), 1);
}

#[test]
fn an_owner_on_another_machine_is_named() {
    let place = Place::new();
    let owner = ProcessStamp {
        machine: "elsewhere".into(),
        ..dead()
    };
    let (_, path) = place.enter(owner, place.filesystem());
    fs::create_dir(&path).unwrap();
    let report = restore(&place.journal);
    assert!(report.removed.is_empty());
    assert!(report.kept[0].to_string().contains("on machine elsewhere"));
    assert!(path.exists());
}

#[test]
fn a_directory_already_gone_is_struck_out() {
    let place = Place::new();
    place.enter_dead();
    assert!(restore(&place.journal).is_empty());
    assert_eq!(place.entries(), 0);

    place.enter_dead();
    fs::remove_dir(&place.target).unwrap();
    assert!(restore(&place.journal).is_empty());
    assert_eq!(place.entries(), 0);
}

#[test]
fn a_filesystem_that_is_not_mounted_keeps_its_entry() {
    let place = Place::new();
    let another = FilesystemMark {
        id: place.filesystem().id ^ 1,
        volatile: false,
    };
    let (token, path) = place.enter(dead(), another.clone());
    let report = restore(&place.journal);
    assert!(matches!(
        report.kept[0].reason,
        KeptReason::NotMounted { .. }
    ));
    assert!(report.kept[0].to_string().contains(token.as_str()));
    assert_eq!(place.entries(), 1);
    // Mounted again, by whatever number.
    fs::create_dir(&path).unwrap();
    assert_eq!(restore(&place.journal).removed, [path]);

    // Memory keeps nothing over a reboot, so that nothing is missing.
    let volatile = FilesystemMark {
        volatile: true,
        ..another
    };
    place.enter(dead(), volatile);
    assert!(restore(&place.journal).is_empty());
    assert_eq!(place.entries(), 0);
}
