//! The running machine, whatever it is: nothing here depends on its hardware.

#![expect(
    clippy::unwrap_used,
    reason = "a test that cannot go on should say where"
)]

use std::path::Path;

use etalon_model::stack::{StackTree, TargetKind};
use etalon_stack::{Roots, Stack, direct_io, process_io, snapshot, space};

fn here() -> StackTree {
    Stack::of(Path::new(env!("CARGO_MANIFEST_DIR")), &Roots::default()).unwrap()
}

#[test]
fn the_directory_of_this_crate_has_a_stack() {
    let tree = here();
    println!("{}", tree.one_line());
    assert_eq!(tree.kind, TargetKind::Directory);
    let mount = tree.mount.as_ref().unwrap();
    assert!(Path::new(&tree.resolved).starts_with(&mount.point));
    assert_eq!(tree.devices.is_empty(), tree.no_block.is_some());
    let text = serde_json::to_string(&tree).unwrap();
    assert_eq!(serde_json::from_str::<StackTree>(&text).unwrap(), tree);
}

#[test]
fn proc_lies_on_no_device_and_says_so() {
    let tree = Stack::of(Path::new("/proc/self/status"), &Roots::default()).unwrap();
    assert!(tree.leaves().is_empty());
    assert!(tree.no_block.is_some_and(|why| why.contains("proc")));
}

#[test]
fn a_path_not_made_yet_is_judged_by_the_directory_above_it() {
    let absent = Path::new(env!("CARGO_MANIFEST_DIR")).join("not/made/yet");
    let tree = Stack::of(&absent, &Roots::default()).unwrap();
    assert_eq!(tree.kind, TargetKind::Absent);
    assert_eq!(tree.devices, here().devices);
}

#[test]
fn counters_of_two_moments_can_be_compared() {
    let tree = here();
    let before = snapshot(&tree, &Roots::default());
    std::fs::read(env!("CARGO_MANIFEST_PATH")).unwrap();
    let delta = snapshot(&tree, &Roots::default()).since(&before);
    assert_eq!(delta.layers.len(), tree.layers().len());
    assert!(delta.process.unwrap().rchar > 0);
}

#[test]
fn this_process_and_its_filesystem_tell_of_themselves() {
    assert!(process_io(None, &Roots::default()).unwrap().rchar > 0);
    let room = space(Path::new(env!("CARGO_MANIFEST_DIR"))).unwrap();
    assert!(room.total > room.free && room.free >= room.available);
    println!("{:?}", direct_io(Path::new(env!("CARGO_MANIFEST_PATH"))));
}
