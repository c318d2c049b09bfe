//! The file of a store.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, chown, symlink};

use etalon_factor::guard::{Refusal, database};
use etalon_testbed::{Loop, root_for};
use rustix::io::Errno;

use crate::ground::{MIB, zeros};

#[test]
fn a_missing_one_is_made_for_its_owner_alone() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("store.db");
    assert_eq!(database(&path, false).unwrap_err(), Errno::NOENT.into());
    let made = database(&path, true).unwrap();
    assert!(made.made);
    let mode = fs::metadata(&path).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let found = database(&path, true).unwrap();
    assert_eq!((found.path, found.made), (made.path, false));
}

#[test]
fn a_link_is_resolved_and_one_that_leads_nowhere_refused() {
    let place = tempfile::tempdir().unwrap();
    let place = place.path().canonicalize().unwrap();
    let at = |name: &str| place.join(name);
    fs::write(at("store.db"), "").unwrap();
    symlink("store.db", at("link")).unwrap();
    assert_eq!(database(&at("link"), true).unwrap().path, at("store.db"));
    symlink("nothing", at("dangling")).unwrap();
    let path = at("dangling");
    assert_eq!(
        database(&path, true).unwrap_err(),
        Refusal::Link { path: path.clone() }.into()
    );
    assert!(!at("nothing").exists());
}

/// Any user but root.
const STRANGER: u32 = 65534;

#[test]
fn no_link_leads_root_into_what_somebody_else_owns() {
    if !root_for("no_link_leads_root_into_what_somebody_else_owns") {
        return;
    }
    let place = tempfile::tempdir().unwrap();
    let place = place.path().canonicalize().unwrap();
    let at = |name: &str| place.join(name);
    fs::create_dir(at("theirs")).unwrap();
    fs::write(at("theirs/empty"), "").unwrap();
    symlink("theirs/empty", at("to-file")).unwrap();
    symlink("theirs", at("to-directory")).unwrap();
    symlink("theirs/missing", at("dangling")).unwrap();
    for name in ["theirs", "theirs/empty"] {
        chown(at(name), Some(STRANGER), Some(STRANGER)).unwrap();
    }
    for (name, real) in [
        ("to-file", "theirs/empty"),
        ("to-directory/empty", "theirs/empty"),
        ("to-directory/missing", "theirs"),
    ] {
        let expected = Refusal::ForeignLink {
            path: at(name),
            real: at(real),
            owner: STRANGER,
        };
        assert_eq!(database(&at(name), true).unwrap_err(), expected.into());
    }
    assert!(database(&at("dangling"), true).unwrap_err().is_refusal());
    assert!(!at("theirs/missing").exists());
    assert_eq!(fs::metadata(at("theirs/empty")).unwrap().len(), 0);
    // What is named itself is meant, and looking writes nothing.
    assert!(database(&at("theirs/empty"), true).is_ok());
    assert!(database(&at("to-file"), false).is_ok());
    assert!(database(&at("theirs/missing"), true).is_ok());
}

#[test]
fn devices_and_backing_files_are_no_stores() {
    let name = "devices_and_backing_files_are_no_stores";
    let place = tempfile::tempdir().unwrap();
    let null = std::path::Path::new("/dev/null");
    assert!(database(null, true).unwrap_err().is_refusal());
    let directory = database(place.path(), true).unwrap_err();
    assert_eq!(directory, Errno::ISDIR.into());
    let image = zeros(place.path(), "image", MIB);
    let Some(device) = Loop::for_test(name, &image, &[]) else {
        return;
    };
    let link = place.path().join("link");
    symlink(device.node(), &link).unwrap();
    for path in [device.node(), &link, &image] {
        assert!(database(path, true).unwrap_err().is_refusal(), "{path:?}");
        assert!(database(path, false).unwrap_err().is_refusal(), "{path:?}");
    }
}
