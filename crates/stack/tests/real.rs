//! Filesystems on real loop devices: needs root, `losetup` and the tools that make them.

#![expect(
    clippy::unwrap_used,
    reason = "a test that cannot go on should say where"
)]

mod loops;

use std::fs;
use std::path::Path;

use etalon_model::stack::{DirectIo, FsDetail, LayerKind, LoopDevice, StackTree, Warning};
use etalon_stack::{Roots, Stack, direct_io, snapshot};
use etalon_testbed::{Mount, mkfs, skip, tool};
use etalon_units::Bytes;

use loops::Loop;

fn stack_of(path: &Path) -> StackTree {
    Stack::of(path, &Roots::default()).unwrap()
}

#[test]
fn ext4_on_a_loop_device_leads_on_to_the_files_own_stack() {
    let name = "ext4_on_a_loop_device_leads_on_to_the_files_own_stack";
    let Some(device) = Loop::new(name, 32) else {
        return;
    };
    mkfs("ext4", &["-b", "1024", "-L", "small", &device.text()]);
    let mount = Mount::at(&device.directory.path().join("a b"), &[&device.text()]);
    let tree = stack_of(mount.path());
    let fs = tree.filesystem.as_ref().unwrap();
    assert_eq!(fs.label.as_deref(), Some("small"));
    let FsDetail::Ext(parameters) = &fs.detail else {
        panic!("{fs:?}")
    };
    assert_eq!(parameters.block_size, Some(Bytes::kib(1)));
    assert!(parameters.features.iter().any(|f| f == "has_journal"));
    let LayerKind::Loop(found) = &tree.devices[0].kind else {
        panic!("{:?}", tree.devices)
    };
    let image = fs::canonicalize(device.directory.path().join("image")).unwrap();
    assert_eq!(found.file.as_deref().map(Path::new), Some(image.as_path()));
    let own = stack_of(&image);
    assert_eq!(
        found.beneath.as_ref().unwrap().devices.len(),
        own.devices.len()
    );
    // A bind mount elsewhere stands on the same device.
    let point = device.directory.path().join("bound");
    let bound = Mount::at(&point, &["--bind", &mount.path().to_string_lossy()]);
    let of_bound = stack_of(bound.path());
    assert_eq!(of_bound.devices[0].devno, tree.devices[0].devno);
}

#[test]
fn what_is_written_and_synced_is_counted_on_every_layer() {
    let name = "what_is_written_and_synced_is_counted_on_every_layer";
    let Some(device) = Loop::new(name, 32) else {
        return;
    };
    mkfs("ext4", &[&device.text()]);
    let mount = Mount::at(&device.directory.path().join("m"), &[&device.text()]);
    let tree = stack_of(mount.path());
    let before = snapshot(&tree, &Roots::default());
    let path = mount.path().join("file");
    fs::write(&path, vec![7_u8; 4 << 20]).unwrap();
    fs::File::open(&path).unwrap().sync_all().unwrap();
    let delta = snapshot(&tree, &Roots::default()).since(&before);
    let top = delta.layers[0].delta.unwrap();
    assert!(top.write_bytes >= Bytes::mib(4), "{top:?}");
    assert!(delta.process.unwrap().wchar >= 4 << 20);
    let aligned = matches!(direct_io(&path), DirectIo::Supported { offset_align, .. } if offset_align.get() >= 512);
    assert!(aligned || matches!(direct_io(&path), DirectIo::Unknown { .. }));
}

#[test]
fn a_btrfs_mirror_shows_both_devices_even_from_a_subvolume() {
    let name = "a_btrfs_mirror_shows_both_devices_even_from_a_subvolume";
    let (Some(one), Some(two)) = (Loop::new(name, 128), Loop::new(name, 128)) else {
        return;
    };
    let arguments = ["-d", "raid1", "-m", "raid1", &one.text(), &two.text()];
    mkfs("btrfs", &arguments);
    let mount = Mount::at(&one.directory.path().join("m"), &[&one.text()]);
    let volume = mount.path().join("volume");
    tool("btrfs", &["subvolume", "create", &volume.to_string_lossy()]);
    for path in [mount.path(), &volume] {
        let tree = stack_of(path);
        let mut names: Vec<String> = tree.devices.iter().map(|d| d.node.clone()).collect();
        names.sort();
        let mut expected = [one.text(), two.text()];
        expected.sort();
        assert_eq!(names, expected);
        let FsDetail::Btrfs {
            allocation,
            devices,
            ..
        } = &tree.filesystem.as_ref().unwrap().detail
        else {
            panic!("{:?}", tree.filesystem);
        };
        assert_eq!(*devices, 2);
        assert!(
            allocation
                .iter()
                .any(|a| a.class == "data" && a.profiles == ["raid1"])
        );
    }
}

#[test]
fn a_loop_device_over_memory_is_its_own_leaf_and_the_memory_is_named() {
    let name = "a_loop_device_over_memory_is_its_own_leaf_and_the_memory_is_named";
    let memory = tempfile::tempdir_in("/dev/shm").unwrap();
    let Some(device) = Loop::over(memory, name, 4) else {
        return;
    };
    let tree = stack_of(device.node());
    let leaves: Vec<&str> = tree.leaves().iter().map(|l| l.node.as_str()).collect();
    assert_eq!(leaves, [device.text()]);
    let warnings = tree.all_warnings();
    assert!(
        warnings.iter().any(|(_, w)| **w == Warning::InMemory),
        "{warnings:?}"
    );
    assert!(
        snapshot(&tree, &Roots::default()).layers[0]
            .counters
            .is_some()
    );
}

fn loop_of(tree: &StackTree) -> &LoopDevice {
    match &tree.devices[0].kind {
        LayerKind::Loop(found) => found,
        other => panic!("{other:?}"),
    }
}

/// What could not be found out of the file behind the loop device.
fn missing_of(tree: &StackTree) -> String {
    let what = format!("stack of {}", loop_of(tree).file.as_deref().unwrap());
    let missing = tree.missing.iter().find(|missing| missing.what == what);
    missing
        .unwrap_or_else(|| panic!("{:?}", tree.missing))
        .why
        .clone()
}

/// As in a container, where the name that a file has on the host leads elsewhere.
#[test]
fn a_loop_devices_file_that_is_covered_is_not_sought_by_its_name() {
    let name = "a_loop_devices_file_that_is_covered_is_not_sought_by_its_name";
    let Some(device) = Loop::new(name, 4) else {
        return;
    };
    let cover = Mount::tmpfs_at(name, device.directory.path(), "size=16M").unwrap();
    let covered = stack_of(device.node());
    // Another file of that name, which is sparse.
    let twin = fs::File::create(cover.path().join("image")).unwrap();
    twin.set_len(4 << 20).unwrap();
    drop(twin);
    let replaced = stack_of(device.node());
    cover.unmount();
    for (tree, why) in [(&covered, "not visible"), (&replaced, "another file")] {
        let found = loop_of(tree);
        assert!(
            found.beneath.is_none() && found.allocated.is_none(),
            "{found:?}"
        );
        assert!(missing_of(tree).contains(why), "{:?}", tree.missing);
        let warnings = tree.all_warnings();
        assert!(warnings.is_empty(), "{warnings:?}");
    }
    assert!(loop_of(&stack_of(device.node())).beneath.is_some());
}

#[test]
fn a_loop_device_over_the_directory_of_its_own_file_stands_on_itself_once() {
    let name = "a_loop_device_over_the_directory_of_its_own_file_stands_on_itself_once";
    let Some(device) = Loop::new(name, 32) else {
        return;
    };
    mkfs("ext4", &[&device.text()]);
    let mount = Mount::at(device.directory.path(), &[&device.text()]);
    let tree = stack_of(mount.path());
    mount.unmount();
    assert_eq!(loop_of(&tree).beneath, None);
    assert!(
        missing_of(&tree).contains("not visible"),
        "{:?}",
        tree.missing
    );
}

#[test]
fn tmpfs_takes_o_direct_and_serves_it_from_memory() {
    let memory = Path::new("/dev/shm");
    let tree = stack_of(memory);
    if tree.filesystem.as_ref().unwrap().fs_type != "tmpfs" {
        return skip(
            "tmpfs_takes_o_direct_and_serves_it_from_memory",
            "/dev/shm is no tmpfs",
        );
    }
    assert_eq!(
        tree.filesystem.as_ref().unwrap().direct_io,
        Some(DirectIo::ServedFromMemory)
    );
    assert!(tree.leaves().is_empty() && tree.no_block.is_some());
}
