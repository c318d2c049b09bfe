//! A directory within the private one.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::PathBuf;

use etalon_factor::OwnDirectory;
use etalon_testbed::{Mount, root_for};
use tempfile::TempDir;

use crate::place::names;

/// Something precious in a place of its own.
fn photos() -> (TempDir, PathBuf) {
    let place = TempDir::new().unwrap();
    let photo = place.path().join("album/photo");
    fs::create_dir(place.path().join("album")).unwrap();
    fs::write(&photo, "precious").unwrap();
    (place, photo)
}

#[test]
fn what_it_holds_goes_with_it_and_nothing_that_it_points_to() {
    let (place, (photos, photo)) = (TempDir::new().unwrap(), photos());
    let own = OwnDirectory::make(place.path(), "own").unwrap();
    let inside = |name: &str| own.path().join(name);
    symlink(photos.path(), inside("link")).unwrap();
    fs::create_dir_all(inside("a/b")).unwrap();
    // No mark protects a file here, whatever its name.
    fs::write(inside(".etalon-marker"), "").unwrap();
    let mode = own.path().metadata().unwrap().permissions().mode();
    assert_eq!(mode & 0o7777, 0o700);
    for directory in [inside("a/b"), inside("a"), own.path().to_owned()] {
        fs::set_permissions(directory, fs::Permissions::from_mode(0o100)).unwrap();
    }
    own.remove().unwrap();
    assert_eq!(names(place.path()), [""; 0]);
    drop(own);
    drop(OwnDirectory::make(place.path(), "own").unwrap());
    assert_eq!(names(place.path()), [""; 0]);
    assert_eq!(fs::read(photo).unwrap(), b"precious");
}

#[test]
fn what_lies_there_already_is_not_taken() {
    let place = TempDir::new().unwrap();
    fs::create_dir(place.path().join("own")).unwrap();
    assert!(OwnDirectory::make(place.path(), "own").is_err());
    assert_eq!(names(place.path()), ["own"]);
}

#[test]
fn a_mount_is_named_and_what_is_mounted_stays() {
    let test = "a_mount_is_named_and_what_is_mounted_stays";
    if !root_for(test) {
        return;
    }
    // Beside other things, deep down, and over the directory itself.
    for below in ["m", "a/b/m", "."] {
        let (place, (photos, photo)) = (TempDir::new().unwrap(), photos());
        let own = OwnDirectory::make(place.path(), "own").unwrap();
        fs::create_dir_all(own.path().join(below)).unwrap();
        let point = own.path().join(below).canonicalize().unwrap();
        let mut mount = Mount::at(&point, &["--bind", photos.path().to_str().unwrap()]);
        let told = own.remove();
        drop(own);
        let is_whole = fs::read(&photo).is_ok_and(|text| text == b"precious");
        let lifted = place.path().join("own/.etalon-lifted-0/m");
        if !point.exists() {
            mount.has_moved_to(&lifted);
        }
        drop(mount);
        assert!(is_whole, "LOST: what was mounted at {below}");
        let told = told.unwrap_err().to_string();
        assert!(told.contains("a filesystem is mounted at"), "{told}");
    }
}
