//! What this user makes belongs to another where its filesystem says so, as NFS does with what root makes, and is removed all
//! the same.

use std::fs;
use std::os::unix::fs::MetadataExt as _;

use etalon_factor::{Hold, Named, Scratch, restore};
use etalon_testbed::{Mount, root_for};
use rustix::fs::Mode;
use tempfile::TempDir;

use crate::named::kill;
use crate::place::{Place, names};

/// A user to whom no test belongs.
const OTHER: u32 = 65534;
/// As NFS has it, and as vfat does.
const GIVEN: [&str; 2] = ["--create-for-user=65534", "--force-user=65534"];

/// A place on each such filesystem, which goes with it.
fn places(test: &str) -> Vec<(Place, Mount, TempDir)> {
    if !root_for(test) {
        return Vec::new();
    }
    let place_on = |how: &str| {
        let shown = TempDir::new().unwrap();
        let mount = Mount::by("bindfs", &[how, shown.path().to_str().unwrap()]);
        let mut place = Place::new();
        place.target = mount.path().canonicalize().unwrap();
        (place, mount, shown)
    };
    GIVEN.map(place_on).into()
}

fn assert_nothing_is_left(place: &Place) {
    assert_eq!(names(&place.target), [""; 0]);
    assert_eq!(place.entries(), 0);
}

#[test]
fn a_scratch_directory_that_is_given_to_another_user_goes_away() {
    let test = "a_scratch_directory_that_is_given_to_another_user_goes_away";
    for (place, _mount, _shown) in places(test) {
        for killed in [false, true] {
            let scratch = Scratch::create(&place.journal, &place.target).unwrap();
            let path = scratch.path().to_owned();
            assert_eq!(fs::metadata(&path).unwrap().uid(), OTHER);
            assert_eq!(names(&path), [".etalon-marker"]);
            fs::create_dir(path.join("a")).unwrap();
            fs::write(path.join("a/file"), "1").unwrap();
            if killed {
                kill(&place, scratch);
                assert_eq!(restore(&place.journal).removed, [path]);
            } else {
                scratch.close().unwrap();
            }
            assert_nothing_is_left(&place);
        }
    }
}

#[test]
fn a_file_or_a_tree_that_is_given_to_another_user_goes_away() {
    let test = "a_file_or_a_tree_that_is_given_to_another_user_goes_away";
    for (place, _mount, _shown) in places(test) {
        let path = place.target.join("named");
        for (is_tree, killed) in [(false, false), (false, true), (true, false), (true, true)] {
            let mut named = Named::at(&path, Hold::Yes).unwrap();
            let journal = Some(&place.journal);
            match is_tree {
                true => drop(named.make_directory(journal, Mode::RWXU).unwrap()),
                false => named.make_file(journal).unwrap(),
            }
            assert_eq!(fs::metadata(&path).unwrap().uid(), OTHER);
            if killed {
                kill(&place, named);
                let removed = restore(&place.journal).removed;
                assert_eq!(removed, std::slice::from_ref(&path));
            } else {
                named.remove().unwrap();
            }
            assert_nothing_is_left(&place);
        }
    }
}
