//! Profiles of btrfs. md and LVM are not in every kernel: their cases run in a guest.

use std::fs;

use etalon_factor::condition::factor;
use etalon_factor::guard::HeldDevice;
use serde_json::json;

use crate::machine::{Machine, above, apply};

/// Whether the kernel has what `path` shows; a test in a guest that has it says nothing.
fn has(path: &str, what: &str) -> bool {
    let is_there = std::path::Path::new(path).exists();
    if !is_there {
        println!("not on this machine: {what}");
    }
    is_there
}

#[test]
fn each_profile_of_btrfs_is_made_and_read_back() {
    let Some(machine) = Machine::new("each_profile_of_btrfs_is_made_and_read_back") else {
        return;
    };
    let disks = json!({ "value": "loop-memory", "size": "256MiB", "count": 4 });
    let disks = machine.apply("disk", &disks).unwrap();
    let ground = above(&machine.ground, &*disks);
    for profile in [
        "single", "raid0", "raid1", "raid1c3", "raid10", "raid5", "raid6",
    ] {
        let level = json!(format!("btrfs-{profile}"));
        let made = apply(&ground, "array", &level).unwrap();
        made.verify().unwrap();
        fs::write(made.target().unwrap().join("file"), [7; 70_000]).unwrap();
        assert!(made.facts().iter().any(|fact| fact.name == "created in"));
        made.restore().unwrap();
        for device in &ground.devices {
            HeldDevice::claim(device, None).unwrap();
        }
    }
    let mut one = ground.clone();
    one.devices.truncate(1);
    let made = apply(&one, "array", &json!("btrfs-dup")).unwrap();
    made.verify().unwrap();
    made.restore().unwrap();
    let error = apply(&one, "array", &json!("btrfs-raid1"))
        .unwrap_err()
        .to_string();
    assert!(error.contains("takes 2 devices"), "{error}");
    let mut twice = ground.clone();
    twice.devices[1] = twice.devices[0].clone();
    assert!(
        apply(&twice, "array", &json!("btrfs-raid1")).is_err(),
        "one disk twice"
    );
    disks.restore().unwrap();
    assert_eq!(machine.left(), [""; 0]);
}

#[test]
fn wrong_levels_are_quoted_with_what_is_accepted() {
    for (name, level) in [
        ("disk", json!("floppy")),
        ("disk", json!("/etc/passwd")),
        ("disk", json!("/dev/..")),
        ("disk", json!({ "value": "zram", "count": 0 })),
        ("disk", json!({ "value": "zram", "count": 99 })),
        ("disk", json!({ "value": "zram", "size": "4k" })),
        ("disk", json!({ "value": "zram", "speed": 3 })),
        ("filesystem", json!("ntfs")),
        (
            "filesystem",
            json!({ "value": "ext4", "options": "-J device=/dev/sdb" }),
        ),
        (
            "filesystem",
            json!({ "value": "ext4", "options": "-d /etc" }),
        ),
        (
            "filesystem",
            json!({ "value": "xfs", "options": "-l logdev=sdb" }),
        ),
        ("filesystem", json!({ "value": "ext4", "mount": "loop" })),
        (
            "filesystem",
            json!({ "value": "btrfs", "mount": "device=/dev/sdb" }),
        ),
        ("filesystem", json!({ "value": "ext4", "fill": 95 })),
        ("filesystem", json!({ "value": "ext4", "age": -1 })),
        ("array", json!("raid5")),
        ("array", json!("md-10-n9")),
        ("array", json!("btrfs-raid7")),
        ("array", json!({ "value": "md-0", "missing": 1 })),
        (
            "array",
            json!({ "value": "md-5", "missing": 1, "state": "degraded" }),
        ),
        ("array", json!({ "value": "md-1", "state": "broken" })),
        ("array", json!({ "value": "md-1", "bitmap": "/etc/passwd" })),
        ("array", json!({ "value": "md-0", "bitmap": "internal" })),
        ("array", json!({ "value": "btrfs-raid1", "chunk": "64KiB" })),
        ("array", json!({ "value": "md-1", "chunk": "64KiB" })),
        ("array", json!({ "value": "md-5", "chunk": "65000" })),
        ("array", json!({ "value": "lvm-linear", "chunk": "64KiB" })),
        ("array", json!({ "value": "lvm-raid1", "chunk": "64KiB" })),
        (
            "array",
            json!({ "value": "lvm-snapshot", "chunk": "64KiB" }),
        ),
        ("array", json!({ "value": "lvm-thin", "mount": "noatime" })),
    ] {
        let factor = factor(name).unwrap();
        let error = factor.parse(&level).unwrap_err().to_string();
        assert!(error.contains("accepted: "), "{error}");
        assert!(error.contains(&format!("no level of '{name}'")), "{error}");
    }
}

#[test]
fn each_level_of_md_is_made_degraded_rebuilt_and_undone() {
    let Some(machine) = Machine::new("each_level_of_md_is_made_degraded_rebuilt_and_undone") else {
        return;
    };
    if !has("/proc/mdstat", "md") {
        return;
    }
    let disks = json!({ "value": "loop-memory", "size": "32MiB", "count": 4 });
    let disks = machine.apply("disk", &disks).unwrap();
    let ground = above(&machine.ground, &*disks);
    for level in [
        json!("md-0"),
        json!({ "value": "md-1", "bitmap": "internal" }),
        json!("md-4"),
        json!({ "value": "md-5", "chunk": "64KiB" }),
        json!({ "value": "md-5", "missing": 1 }),
        json!({ "value": "md-5", "state": "degraded" }),
        json!({ "value": "md-6", "state": "rebuilding" }),
        json!("md-10-n2"),
        json!("md-10-o2"),
        json!("md-10-f2"),
        json!("md-10-n3"),
    ] {
        let mut made = apply(&ground, "array", &level).unwrap();
        made.before_run().unwrap();
        made.verify().unwrap();
        println!("{level}: {:?}", made.facts());
        let inner = above(&ground, &*made);
        let filesystem = apply(&inner, "filesystem", &json!("ext4")).unwrap();
        filesystem.restore().unwrap();
        made.restore().unwrap();
        for device in &ground.devices {
            HeldDevice::claim(device, None).unwrap();
        }
    }
    disks.restore().unwrap();
    assert_eq!(machine.left(), [""; 0]);
}

#[test]
fn each_volume_of_lvm_is_made_and_undone() {
    let Some(machine) = Machine::new("each_volume_of_lvm_is_made_and_undone") else {
        return;
    };
    if !has("/dev/mapper/control", "LVM") || !has("/sys/class/misc/device-mapper", "LVM") {
        return;
    }
    let disks = json!({ "value": "loop-memory", "size": "40MiB", "count": 5 });
    let disks = machine.apply("disk", &disks).unwrap();
    let ground = above(&machine.ground, &*disks);
    for name in [
        "linear", "striped", "mirror", "raid1", "raid5", "raid6", "raid10", "thin", "snapshot",
    ] {
        let level = json!(format!("lvm-{name}"));
        let made = apply(&ground, "array", &level).unwrap();
        made.verify().unwrap();
        println!("{level}: {:?}", made.facts());
        made.restore().unwrap();
        for device in &ground.devices {
            HeldDevice::claim(device, None).unwrap();
        }
    }
    disks.restore().unwrap();
    assert_eq!(machine.left(), [""; 0]);
}
