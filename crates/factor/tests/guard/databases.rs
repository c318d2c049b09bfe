//! The file of a store.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};

use etalon_factor::guard::{Refusal, database};
use etalon_testbed::Loop;
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
