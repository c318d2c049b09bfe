//! What is kept free of a filesystem, where the input is the user's.

use std::fs::File;
use std::sync::atomic::AtomicU64;

use etalon_testbed::Mount;

use super::*;

/// Nine tenths of this may be used.
const SIZE: usize = 20 << 20;

/// Between that and all of it.
const TOO_MUCH: usize = 19 << 20;

/// What is told when the reserve was not used.
const KEPT: &str = "are kept for others";

fn filesystem(test: &str) -> Option<Mount> {
    Mount::tmpfs_for(test, &format!("size={SIZE}"))
}

/// How a work ended, whether a step was timed before or not.
fn told(place: &Path, name: &str, given: &[(&str, &str)]) -> String {
    match run_on(place, name, given, &GO) {
        Ok(record) => format!("{:?}", record.ended),
        Err(error) => error.to_string(),
    }
}

fn archive_of_zeros(path: &Path, format: &str) {
    let file = File::create_new(path).unwrap();
    let packed = crate::codec::Codec::new(format, "1").unwrap();
    let mut tar = tar::Builder::new(packed.encoder(file).unwrap());
    let mut header = tar::Header::new_gnu();
    header.set_size(TOO_MUCH as u64);
    let zeros = std::io::Read::take(std::io::repeat(0), TOO_MUCH as u64);
    tar.append_data(&mut header, "zeros", zeros).unwrap();
    tar.into_inner().unwrap().finish().unwrap();
}

#[test]
fn an_archive_that_unpacks_to_more_than_may_be_used_is_left_in_the_middle() {
    let test = "an_archive_that_unpacks_to_more_than_may_be_used_is_left_in_the_middle";
    let Some(place) = filesystem(test) else {
        return;
    };
    let mine = super::place();
    let of = |format: &str| {
        let path = mine.path().join(format);
        archive_of_zeros(&path, format);
        let input = path.display().to_string();
        let given = [("input", &*input), ("format", format), ("verify", "no")];
        told(place.path(), "archive", &given)
    };
    let (small, large) = (of("zstd"), of("none"));
    let rest = entries(place.path());
    place.unmount();
    assert!(small.contains(KEPT), "{small}");
    assert!(large.starts_with("the work needs 38"), "{large}");
    assert_eq!(rest, 0);
}

#[test]
fn a_build_that_would_use_the_reserve_is_ended() {
    let Some(place) = filesystem("a_build_that_would_use_the_reserve_is_ended") else {
        return;
    };
    let mine = super::place();
    let configure = mine.path().join("configure");
    let script =
        "#!/bin/sh\nprintf 'all:\\n\\thead -c 19922944 /dev/zero >big && sleep 5\\n' >Makefile\n";
    fs::write(&configure, script).unwrap();
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    fs::set_permissions(&configure, mode).unwrap();
    let tree = mine.path().display().to_string();
    let told = told(place.path(), "build", &[("tree", &tree)]);
    let rest = entries(place.path());
    place.unmount();
    assert!(
        told.starts_with("DiskFull") && told.contains(KEPT),
        "{told}"
    );
    assert_eq!(rest, 0);
}

#[test]
fn what_a_generated_build_cannot_hold_is_refused() {
    let Some(place) = filesystem("what_a_generated_build_cannot_hold_is_refused") else {
        return;
    };
    let told = told(place.path(), "build", &[("units", "2000")]);
    place.unmount();
    assert!(told.starts_with("the work needs"), "{told}");
}

/// Adds up what lies below a place when the build is done.
struct Weighing<'a>(&'a Path, AtomicU64);

impl PartWitness for Weighing<'_> {
    fn begins(&self, _part: &str) {}

    fn ended(&self, part: &str) {
        let weight = if part == "make" { weight(self.0) } else { 0 };
        self.1.fetch_add(weight, Ordering::Relaxed);
    }
}

fn weight(path: &Path) -> u64 {
    let entries = fs::read_dir(path).unwrap().map(|entry| entry.unwrap());
    let of = |entry: fs::DirEntry| match entry.file_type().unwrap().is_dir() {
        true => weight(&entry.path()),
        false => entry.metadata().unwrap().len(),
    };
    entries.map(of).sum()
}

#[test]
fn a_generated_build_leaves_less_than_it_was_given_room_for() {
    let place = super::place();
    let given = typed(&[("units", "20")]);
    let witness = Weighing(place.path(), AtomicU64::new(0));
    let context = context(place.path(), &given, &GO, &witness);
    let record = find("build").unwrap().run(&context).unwrap();
    let (sources, all) = (record.input.unwrap().bytes.get(), witness.1.into_inner());
    assert!(sources < all && all < 4 * sources, "{all} of {sources}");
}

#[test]
fn the_comparison_of_a_backup_needs_room_of_its_own() {
    let Some(place) = filesystem("the_comparison_of_a_backup_needs_room_of_its_own") else {
        return;
    };
    let (mine, other) = (super::place(), super::place());
    fs::write(mine.path().join("ten"), vec![1; 10 << 20]).unwrap();
    let (input, target) = (
        mine.path().display().to_string(),
        other.path().display().to_string(),
    );
    let of = |more: &[(&str, &str)]| {
        let given = [&[("input", &*input)], more].concat();
        told(place.path(), "backup", &given)
    };
    let (alone, both) = (of(&[("verify", "no")]), of(&[("verify", "yes")]));
    let elsewhere = of(&[("verify", "yes"), ("target", &target)]);
    place.unmount();
    assert_eq!((&*alone, &*elsewhere), ("Complete", "Complete"));
    assert!(both.starts_with("the work needs 20 MiB"), "{both}");
}
