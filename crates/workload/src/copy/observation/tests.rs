//! What is found around copies that are really made.

use std::fs;

use etalon_testbed::{Loop, Mount, Zram, root_for, skip};
use tempfile::TempDir;

use super::super::tests::asked;
use super::super::{Conversions, Counts, Go, Notice, Observer, copy, open};
use super::*;

struct Silent;

impl Observer for Silent {
    fn go_on(&mut self, _counts: &Counts) -> Go {
        Go::On
    }

    fn notice(&mut self, notice: &Notice) {
        panic!("{notice}");
    }

    fn statistics(&mut self, _counts: &Counts) {}
}

/// What is found around a copy of 4 MiB to a file there.
fn copied_to(directory: &Path) -> CopyObservation {
    copied_onto(&directory.join("output"))
}

/// What is found around a copy of 4 MiB to this file or device.
fn copied_onto(output: &Path) -> CopyObservation {
    let input = tempfile::NamedTempFile::new().unwrap();
    fs::write(input.path(), vec![7; 4 << 20]).unwrap();
    let settings = CopySettings {
        input: Some(input.path().to_owned()),
        output: Some(output.to_owned()),
        ..asked(1 << 20, 1 << 20, Conversions::default())
    };
    let before = CopyCounters::of(&settings);
    let ends = open(&settings, None).unwrap();
    let mut copied = copy(&settings, ends.source, ends.sink, &mut Silent).unwrap();
    before.after(&settings, &copied.counts, &mut copied.sink)
}

/// An overlay over directories in `place`.
fn overlay_in(place: &Path) -> Mount {
    let made = |name: &str| {
        let path = place.join(name);
        fs::create_dir(&path).unwrap();
        path.display().to_string()
    };
    let (lower, upper, work) = (made("lower"), made("upper"), made("work"));
    let options = format!("lowerdir={lower},upperdir={upper},workdir={work}");
    Mount::new(&["-t", "overlay", "overlay", "-o", &options])
}

/// Beside this program, which is on no filesystem in memory as a rule.
fn beside_the_program() -> TempDir {
    let program = std::env::current_exe().unwrap();
    tempfile::tempdir_in(program.parent().unwrap()).unwrap()
}

#[test]
fn what_is_copied_to_memory_is_not_called_durable() {
    let test = "what_is_copied_to_memory_is_not_called_durable";
    let Some(memory) = Mount::tmpfs_for(test, "size=32m") else {
        return;
    };
    let overlay = overlay_in(memory.path());
    for directory in [memory.path(), overlay.path()] {
        let found = copied_to(directory);
        assert_eq!(found.dirty, Dirty::InMemory, "{}", directory.display());
        assert_eq!(found.fsync_after, None, "{}", directory.display());
    }
}

#[test]
fn a_device_of_memory_is_not_called_durable_and_has_its_share() {
    let test = "a_device_of_memory_is_not_called_durable_and_has_its_share";
    let Some(memory) = Mount::tmpfs_for(test, "size=32m") else {
        return;
    };
    let image = memory.path().join("image");
    let file = fs::File::create(&image).unwrap();
    file.set_len(16 << 20).unwrap();
    let device = Loop::over(&image, &[]);
    let zram = Path::new("/sys/class/zram-control").exists();
    let zram = zram.then(|| Zram::new("16M"));
    if zram.is_none() {
        skip(test, "its part on zram: the kernel has none");
    }
    let zrams = zram.iter().map(|zram| (zram.node(), "(zram)"));
    for (node, word) in zrams.chain([(device.name().to_owned(), "on tmpfs")]) {
        let found = copied_onto(Path::new(&node));
        assert_eq!((found.dirty, found.fsync_after), (Dirty::InMemory, None));
        assert!(found.in_memory[0].contains(word), "{:?}", found.in_memory);
        let Share::Of(part) = found.output_share else {
            panic!("{node}: {:?}", found.output_share);
        };
        assert!(part.fraction() > 0.99, "{node}: {part}");
    }
}

#[test]
fn on_an_overlay_the_reason_is_not_an_old_kernel() {
    if !root_for("on_an_overlay_the_reason_is_not_an_old_kernel") {
        return;
    }
    let place = beside_the_program();
    let overlay = overlay_in(place.path());
    let found = copied_to(overlay.path());
    let Dirty::NotKnown(why) = &found.dirty else {
        panic!("{found:?}");
    };
    assert!(why.contains("overlayfs"), "{why}");
    assert!(found.fsync_after.is_some(), "{found:?}");
}

#[test]
fn the_disks_beneath_an_overlay_are_counted() {
    if !root_for("the_disks_beneath_an_overlay_are_counted") {
        return;
    }
    let place = beside_the_program();
    let tree = Stack::of(place.path(), &Roots::default()).unwrap();
    if tree.top_devices().is_empty() {
        return skip(
            "the_disks_beneath_an_overlay_are_counted",
            "no disk beneath the program",
        );
    }
    let overlay = overlay_in(place.path());
    let found = copied_to(overlay.path());
    assert!(matches!(found.output_share, Share::Of(_)), "{found:?}");
    assert!(!found.disks.is_empty(), "{found:?}");
}
