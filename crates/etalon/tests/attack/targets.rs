//! Dangers x ways.

use std::fs::OpenOptions;
use std::os::unix::fs::FileExt as _;

use crate::common::{Loop, root_for, run};
use crate::dangers::devices::{Devices, image};
use crate::dangers::files::{Files, file};
use crate::dangers::marks::MARKS;
use crate::dangers::spellings::Spellings;
use crate::dangers::{Breadth, Danger, WORKERS, at_once, attack, attack_all, none, special};
use crate::ways::Scene;

#[test]
fn a_device_with_a_mark_is_not_written() {
    if !root_for("a_device_with_a_mark_is_not_written") {
        return;
    }
    const SIZE: u64 = 4 << 20;
    assert!(MARKS.len() >= 40);
    none(&at_once(|worker| {
        let scene = Scene::new();
        let path = image(scene.ground.path(), "marked", SIZE >> 20);
        let mut faults = Vec::new();
        for (what, at, magic) in MARKS.iter().skip(worker).step_by(WORKERS) {
            let disk = blank(&path, SIZE);
            let marked = OpenOptions::new().write(true).open(&disk.device).unwrap();
            marked.write_all_at(magic, at.of(SIZE)).unwrap();
            drop(marked);
            let mut danger = Danger::device(&format!("a device with {what}"), &disk.device, &path);
            faults.extend(attack(&scene, &mut danger, Breadth::Core));
        }
        faults
    }));
}

/// A loop over an image without data.
fn blank(path: &std::path::Path, size: u64) -> Loop {
    let file = OpenOptions::new().write(true).open(path).unwrap();
    file.set_len(0).unwrap();
    file.set_len(size).unwrap();
    Loop::over(path)
}

#[test]
fn a_device_in_use_is_not_written() {
    if !root_for("a_device_in_use_is_not_written") {
        return;
    }
    let scene = Scene::new();
    let mut devices = Devices::new(&scene);
    devices.open_for_writing(&scene);
    assert!(devices.all.len() >= 13);
    none(&attack_all(&mut devices.all, Breadth::All));
}

/// Reading takes seconds, and is the same for all devices.
#[test]
fn a_device_in_use_is_not_changed_by_who_reads_for_seconds() {
    if !root_for("a_device_in_use_is_not_changed_by_who_reads_for_seconds") {
        return;
    }
    let scene = Scene::new();
    let mut devices = Devices::new(&scene);
    none(&attack(&scene, &mut devices.all[0], Breadth::Slow));
}

#[test]
fn a_device_in_use_is_not_written_under_another_name() {
    if !root_for("a_device_in_use_is_not_written_under_another_name") {
        return;
    }
    none(&at_once(|worker| {
        let scene = Scene::new();
        let path = image(scene.ground.path(), "spelled", 16);
        crate::dangers::devices::make("ext4", &path).unwrap();
        let disk = Loop::over(&path);
        let mount = crate::common::Mount::of_device(disk.name(), "noatime");
        crate::common::tool("sync", &["-f", mount.path().to_str().unwrap()]);
        let spellings = Spellings::of(&disk.device, &scene.ground.directory("spelled"));
        assert!(spellings.names.len() >= 15);
        let danger = || Danger::device("a mounted device", &disk.device, &path);
        attack_spelled(&scene, &spellings, danger, worker)
    }));
}

/// The share of one worker of the ways to write the name of a danger.
fn attack_spelled(
    scene: &Scene,
    spellings: &Spellings,
    danger: impl Fn() -> Danger,
    worker: usize,
) -> Vec<String> {
    let own = spellings.names.iter().skip(worker).step_by(WORKERS);
    own.flat_map(|(how, name, from)| {
        let mut danger = danger().spelled(how, name);
        danger.from.clone_from(from);
        attack(scene, &mut danger, Breadth::Each)
    })
    .collect()
}

#[test]
fn a_file_behind_a_device_is_not_written() {
    if !root_for("a_file_behind_a_device_is_not_written") {
        return;
    }
    let scene = Scene::new();
    let mut files = Files::new(&scene);
    assert!(files.all.len() >= 4);
    none(&attack_all(&mut files.all, Breadth::All));
}

#[test]
fn a_file_behind_a_device_is_not_written_under_another_name() {
    if !root_for("a_file_behind_a_device_is_not_written_under_another_name") {
        return;
    }
    none(&at_once(|worker| {
        let scene = Scene::new();
        let kept = scene.ground.directory("kept");
        let path = image(&kept, "attached", 8);
        std::fs::write(&path, vec![0x5a; 8 << 20]).unwrap();
        let _disk = Loop::over(&path);
        let spellings = Spellings::of(&path, &scene.ground.directory("spelled"));
        let danger = || file("the file of a loop", &path);
        attack_spelled(&scene, &spellings, danger, worker)
    }));
}

#[test]
fn what_is_no_file_is_neither_waited_at_nor_replaced() {
    let scene = Scene::new();
    let mut faults = Vec::new();
    for mut danger in special::all(&scene) {
        faults.extend(attack(&scene, &mut danger, Breadth::Each));
    }
    if root_for("what_is_no_file_is_neither_waited_at_nor_replaced: a mount point") {
        let (mut danger, _mount, _disk) = special::mount_point(&scene);
        faults.extend(attack(&scene, &mut danger, Breadth::Each));
    }
    none(&faults);
}

/// SQLite takes a name that begins with `file:` for an address, where it is asked to.
#[test]
fn an_address_is_the_name_of_a_file() {
    let scene = Scene::new();
    let kept = scene.ground.file("kept", b"");
    let name = kept.to_str().unwrap();
    for address in [
        format!("file:{name}"),
        format!("file://{name}?mode=rwc"),
        format!("file:{}", name.replace('/', "%2f")),
    ] {
        let line = "measure {ground} --op read -s 64k --time 20ms --store {}";
        let said = run(scene.words(line, &address.into()));
        assert!(said.is_orderly(), "{said:?}");
        assert_eq!(std::fs::metadata(&kept).unwrap().len(), 0, "{said:?}");
    }
}
