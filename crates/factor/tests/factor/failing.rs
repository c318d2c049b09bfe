//! Filesystems that cannot be written: what is absent there may come back.

use std::fs::{self, File};
use std::io::{ErrorKind, Write as _};
use std::path::Path;

use etalon_factor::{Hold, KeptReason, Named, NamedError, RemoveError, restore};
use etalon_testbed::{Mount, mkfs, root_for};

use crate::named::kill;
use crate::place::{Place, names};

/// The entry stays, and this is why.
fn kept(place: &Place) -> KeptReason {
    let mut report = restore(&place.journal);
    assert!(report.removed.is_empty(), "{report:?}");
    assert_eq!(report.kept.len(), 1, "{report:?}");
    assert_eq!(place.entries(), 1, "the entry stays");
    report.kept.remove(0).reason
}

fn may_come_back(place: &Place) {
    let reason = kept(place);
    assert!(
        matches!(reason, KeptReason::MayComeBack { .. }),
        "{reason:?}"
    );
}

#[test]
fn what_is_absent_from_a_read_only_filesystem_keeps_its_entry() {
    let place = Place::new();
    let test = "what_is_absent_from_a_read_only_filesystem_keeps_its_entry";
    let Some(mount) = Mount::tmpfs_at(test, &place.target, "size=1m") else {
        return;
    };
    place.enter_dead();
    mount.remount("ro");
    may_come_back(&place);
    mount.remount("rw");
    assert!(restore(&place.journal).is_empty());
    assert_eq!(place.entries(), 0);
    assert_eq!(names(&place.target), [""; 0], "a probe is left");
}

#[test]
fn a_parent_absent_from_a_read_only_filesystem_keeps_its_entry() {
    let mut place = Place::new();
    let test = "a_parent_absent_from_a_read_only_filesystem_keeps_its_entry";
    let Some(mount) = Mount::tmpfs_at(test, &place.target, "size=1m") else {
        return;
    };
    place.target.push("parent");
    fs::create_dir(&place.target).unwrap();
    place.enter_dead();
    fs::remove_dir(&place.target).unwrap();
    mount.remount("ro");
    may_come_back(&place);
    mount.remount("rw");
    assert!(restore(&place.journal).is_empty());
    assert_eq!(place.entries(), 0);
    assert_eq!(
        names(mount.path()),
        [""; 0],
        "only the parent may be written"
    );
}

#[test]
fn what_comes_back_with_the_disk_is_removed_then() {
    let place = Place::new();
    let test = "what_comes_back_with_the_disk_is_removed_then";
    // An image with holes, for which the filesystem below has no room once it is full: the loop
    // device then fails every write to a hole.
    let below = place.target.with_file_name("below");
    fs::create_dir(&below).unwrap();
    let Some(_below) = Mount::tmpfs_at(test, &below, "size=16m") else {
        return;
    };
    let image = below.join("image");
    File::create(&image).unwrap().set_len(64 << 20).unwrap();
    let image_name = image.to_str().unwrap();
    mkfs("ext4", &["-F", "-E", "lazy_journal_init=1", image_name]);

    let by_loop = ["-o", "loop", image_name];
    let disk = Mount::at(&place.target, &by_loop);
    let (token, path) = place.enter_dead();
    fs::create_dir(&path).unwrap();
    fs::write(path.join(".etalon-marker"), format!("{token}\n")).unwrap();
    fs::write(path.join("file"), "1").unwrap();
    rustix::fs::syncfs(File::open(&place.target).unwrap()).unwrap();
    let filler = below.join("filler");
    fill(&filler);

    // In memory it goes, on the disk it does not.
    kept(&place);
    assert!(!path.exists(), "nothing is tested");
    // Whether fsync(2) or the attempt to write says it differs from one kernel to another.
    kept(&place);
    kept(&place);
    drop(disk);

    fs::remove_file(&filler).unwrap();
    let _disk = Mount::at(&place.target, &by_loop);
    assert!(path.exists(), "nothing is tested");
    assert_eq!(restore(&place.journal).removed, [path]);
    assert_eq!(place.entries(), 0);
    assert_eq!(names(&place.target), ["lost+found"]);
}

#[test]
fn a_name_whose_filesystem_is_away_keeps_its_entry() {
    let place = Place::new();
    let test = "a_name_whose_filesystem_is_away_keeps_its_entry";
    let image = place.target.with_file_name("image");
    File::create(&image).unwrap().set_len(16 << 20).unwrap();
    if !root_for(test) {
        return;
    }
    mkfs("ext4", &[image.to_str().unwrap()]);
    let by_loop = ["-o", "loop", image.to_str().unwrap()];
    let disk = Mount::at(&place.target, &by_loop);
    let path = place.target.join("file");
    let mut named = Named::at(&path, Hold::No).unwrap();
    named.make_file(Some(&place.journal)).unwrap();
    disk.unmount();

    let error = named.remove().unwrap_err();
    assert!(
        matches!(error, NamedError::Remove(RemoveError::NotMounted)),
        "{error}"
    );
    kill(&place, named);
    let reason = kept(&place);
    assert!(
        matches!(reason, KeptReason::NotMounted { .. }),
        "{reason:?}"
    );
    let _disk = Mount::at(&place.target, &by_loop);
    assert_eq!(restore(&place.journal).removed, [path]);
    assert_eq!(place.entries(), 0);
}

/// Takes what room there is.
fn fill(file: &Path) {
    let mut file = File::create(file).unwrap();
    let full = loop {
        if let Err(error) = file.write_all(&[1; 4096]) {
            break error;
        }
    };
    assert_eq!(full.kind(), ErrorKind::StorageFull);
}
