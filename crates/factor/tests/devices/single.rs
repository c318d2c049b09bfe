//! Disks and filesystems.

use std::fs::{self, OpenOptions};
use std::os::unix::fs::{FileExt as _, MetadataExt as _};
use std::path::Path;

use etalon_factor::condition::factor;
use etalon_factor::guard::HeldDevice;
use etalon_model::{FactValue, LevelFact};
use etalon_testbed::{ControlGroup, Mount, mkfs, skip, tool};
use rustix::fs::{major, minor};
use serde_json::json;

use crate::again::Said;
use crate::machine::{Machine, above, apply};

#[test]
fn disks_are_made_of_files_and_of_memory_and_go_away() {
    let Some(machine) = Machine::new("disks_are_made_of_files_and_of_memory_and_go_away") else {
        return;
    };
    for level in [
        json!({ "value": "loop-file", "size": "4MiB", "count": 2 }),
        json!({ "value": "loop-memory", "size": "4MiB", "count": 3 }),
    ] {
        let disks = machine.apply("disk", &level).unwrap();
        let devices = disks.devices().unwrap();
        assert_eq!(devices.len() as u64, level["count"].as_u64().unwrap());
        disks.verify().unwrap();
        for device in &devices {
            HeldDevice::claim(device, None).unwrap();
        }
        disks.restore().unwrap();
        assert_eq!(machine.left(), [""; 0]);
    }
}

#[test]
fn disks_that_the_memory_does_not_take_are_refused_and_told_before() {
    let name = "disks_that_the_memory_does_not_take_are_refused_and_told_before";
    let Some(machine) = Machine::new(name) else {
        return;
    };
    // More than any machine has, so that none is short of memory where it is not refused.
    let level = json!({ "value": "loop-memory", "size": "1000TiB", "count": 32 });
    let parsed = factor("disk").unwrap().parse(&level).unwrap();
    let needs = parsed.needs(&machine.ground);
    let told: Vec<String> = needs.iter().map(ToString::to_string).collect();
    assert!(told.concat().contains("of memory, of which"), "{told:?}");
    let error = machine.apply("disk", &level).unwrap_err().to_string();
    assert!(error.contains("so that a tenth stays free"), "{error}");
    assert_eq!(machine.left(), [""; 0]);
}

/// Set where a test runs once more, in a control group.
const IN_GROUP: &str = "ETALON_TEST_IN_GROUP";

#[test]
fn disks_in_memory_are_held_against_what_a_control_group_allows() {
    let name = "disks_in_memory_are_held_against_what_a_control_group_allows";
    let Some(machine) = Machine::new(name) else {
        return;
    };
    if std::env::var_os(IN_GROUP).is_some() {
        return tell_needs(&machine);
    }
    let Some(group) = ControlGroup::of_memory("268435456") else {
        return skip(name, "no control group limits memory here");
    };
    let test = format!("single::{name}");
    let said = Said::within(&group, &test, (IN_GROUP, "yes".as_ref()));
    let place = format!("in the control group '{}'", group.path().display());
    assert!(said.line("loop-memory").contains(&place), "{}", said.0);
    // What a zram stores is charged to no group.
    assert_eq!(said.line("zram"), "zram: ", "{}", said.0);
}

/// What disks lack of memory that any machine has, but not the group.
fn tell_needs(machine: &Machine) {
    for kind in ["loop-memory", "zram"] {
        let level = json!({ "value": kind, "size": "300MiB" });
        let parsed = factor("disk").unwrap().parse(&level).unwrap();
        let needs = parsed.needs(&machine.ground).into_iter();
        let needs = needs.map(|need| need.to_string());
        let of_memory: Vec<String> = needs.filter(|need| need.contains("of memory")).collect();
        println!("{kind}: {}", of_memory.concat());
    }
}

#[test]
fn a_disk_of_compressed_memory_goes_away_alone() {
    let name = "a_disk_of_compressed_memory_goes_away_alone";
    let Some(machine) = Machine::new(name) else {
        return;
    };
    if !std::path::Path::new("/sys/class/zram-control").is_dir() {
        return println!("not on this machine: zram");
    }
    let level = json!({ "value": "zram", "size": "16MiB", "count": 2 });
    let disks = machine.apply("disk", &level).unwrap();
    let devices = disks.devices().unwrap();
    let held = HeldDevice::claim(&devices[0], None).unwrap();
    drop(held);
    disks.restore().unwrap();
    assert!(devices.iter().all(|device| !device.exists()), "{devices:?}");
    assert_eq!(machine.left(), [""; 0]);
}

#[test]
fn each_filesystem_is_made_read_back_and_taken_away() {
    let name = "each_filesystem_is_made_read_back_and_taken_away";
    let Some(machine) = Machine::new(name) else {
        return;
    };
    let disk = json!({ "value": "loop-memory", "size": "320MiB" });
    let disk = machine.apply("disk", &disk).unwrap();
    let ground = above(&machine.ground, &*disk);
    for (level, option) in [
        (json!("ext2"), "rw"),
        (
            json!({ "value": "ext4", "options": "-O ^has_journal", "mount": "noatime" }),
            "noatime",
        ),
        (json!({ "value": "xfs", "mount": "noatime" }), "noatime"),
        (json!("btrfs"), "rw"),
    ] {
        let made = apply(&ground, "filesystem", &level).unwrap();
        made.verify().unwrap();
        let point = made.target().unwrap().to_owned();
        fs::write(point.join("file"), "data").unwrap();
        let mounts = fs::read_to_string("/proc/self/mountinfo").unwrap();
        let line = mounts
            .lines()
            .find(|line| line.contains(&*point.to_string_lossy()))
            .unwrap();
        assert!(line.contains(option), "{line}");
        assert!(made.facts().iter().any(|fact| fact.name == "mkfs"));
        made.restore().unwrap();
        // No mark stays, so that the next one needs no --destroy.
        HeldDevice::claim(&ground.devices[0], None).unwrap();
    }
    disk.restore().unwrap();
    assert_eq!(machine.left(), [""; 0]);
}

#[test]
fn what_is_mounted_is_known_by_its_device_whatever_its_name() {
    let name = "what_is_mounted_is_known_by_its_device_whatever_its_name";
    let Some(machine) = Machine::new(name) else {
        return;
    };
    let disks = json!({ "value": "loop-memory", "size": "320MiB", "count": 2 });
    let disks = machine.apply("disk", &disks).unwrap();
    let ground = above(&machine.ground, &*disks);
    // Nodes count on a filesystem that is not mounted with nodev.
    let place = Mount::tmpfs("size=1m");
    for kind in ["ext4", "xfs", "btrfs"] {
        let made = apply(&ground, "filesystem", &json!(kind)).unwrap();
        let point = made.target().unwrap().to_str().unwrap();
        // As /dev/mapper/NAME is another node of /dev/dm-0.
        let named = |device: &Path, end: &str| {
            let node = place.path().join(format!("{kind}-{end}"));
            let number = fs::metadata(device).unwrap().rdev();
            let (node, major, minor) = (
                node.to_str().unwrap(),
                major(number).to_string(),
                minor(number).to_string(),
            );
            tool("mknod", &[node, "b", &major, &minor]);
            tool("umount", &[point]);
            tool("mount", &["-t", kind, node, point]);
        };
        named(&ground.devices[0], "itself");
        made.verify().unwrap();
        mkfs(kind, &[ground.devices[1].to_str().unwrap()]);
        named(&ground.devices[1], "another");
        let error = made.verify().unwrap_err().to_string();
        assert!(
            error.contains(&format!("{kind}-another")),
            "{kind}: {error}"
        );
        made.restore().unwrap();
        tool(
            "wipefs",
            &["--all", "--quiet", ground.devices[1].to_str().unwrap()],
        );
    }
    disks.restore().unwrap();
    assert_eq!(machine.left(), [""; 0]);
}

#[test]
fn a_filesystem_is_filled_and_aged_and_what_changes_it_is_noticed() {
    let name = "a_filesystem_is_filled_and_aged_and_what_changes_it_is_noticed";
    let Some(machine) = Machine::new(name) else {
        return;
    };
    let disk = json!({ "value": "loop-memory", "size": "64MiB" });
    let disk = machine.apply("disk", &disk).unwrap();
    let ground = above(&machine.ground, &*disk);
    let level = json!({ "value": "ext4", "fill": 50, "age": 3 });
    let made = apply(&ground, "filesystem", &level).unwrap();
    let filled = made
        .facts()
        .into_iter()
        .find(|fact| fact.name == "filled")
        .unwrap();
    let FactValue::Figure { value: filled, .. } = filled.value else {
        panic!("{filled:?}");
    };
    assert!((50.0..60.0).contains(&filled), "{filled}");
    let device = OpenOptions::new()
        .write(true)
        .open(&ground.devices[0])
        .unwrap();
    device.write_all_at(&[0; 16], 1024 + 0x68).unwrap();
    let error = made.verify().unwrap_err().to_string();
    assert!(error.contains("another format"), "{error}");
    drop(device);
    // What is not surely its own any more is left; the disk goes all the same.
    made.restore().unwrap();
    assert!(HeldDevice::claim(&ground.devices[0], None).is_err());
    disk.restore().unwrap();
    assert_eq!(machine.left(), [""; 0]);
}

#[test]
fn a_device_that_carries_something_is_refused_and_left_as_it_is() {
    let name = "a_device_that_carries_something_is_refused_and_left_as_it_is";
    let Some(machine) = Machine::new(name) else {
        return;
    };
    let disk = json!({ "value": "loop-memory", "size": "128MiB", "count": 2 });
    let disk = machine.apply("disk", &disk).unwrap();
    let ground = above(&machine.ground, &*disk);
    let device = OpenOptions::new()
        .write(true)
        .open(&ground.devices[1])
        .unwrap();
    device.write_all_at(&[0x53, 0xef], 1080).unwrap();
    drop(device);
    let before = fs::read(&ground.devices[1]).unwrap();
    let first = fs::read(&ground.devices[0]).unwrap();
    let named = format!(
        "{},{}",
        ground.devices[0].display(),
        ground.devices[1].display()
    );
    for (factor, level) in [("array", json!("btrfs-raid1")), ("disk", json!(named))] {
        let error = apply(&ground, factor, &level).unwrap_err().to_string();
        assert!(
            error.contains("must not be written") && error.contains("ext"),
            "{error}"
        );
    }
    let mut second = ground.clone();
    second.devices.swap(0, 1);
    let error = apply(&second, "filesystem", &json!("ext4"))
        .unwrap_err()
        .to_string();
    assert!(error.contains("Nothing was written"), "{error}");
    assert!(fs::read(&ground.devices[1]).unwrap() == before);
    assert!(fs::read(&ground.devices[0]).unwrap() == first);
    disk.restore().unwrap();
    assert_eq!(machine.left(), [""; 0]);
}

#[test]
fn what_is_discarded_is_counted_and_a_device_in_use_is_not_discarded() {
    let name = "what_is_discarded_is_counted_and_a_device_in_use_is_not_discarded";
    let Some(machine) = Machine::new(name) else {
        return;
    };
    let disk = json!({ "value": "loop-memory", "size": "64MiB" });
    let disk = machine.apply("disk", &disk).unwrap();
    let ground = above(&machine.ground, &*disk);
    let device = OpenOptions::new()
        .write(true)
        .open(&ground.devices[0])
        .unwrap();
    device.write_all_at(&[7; 4096], 1 << 20).unwrap();
    device.sync_all().unwrap();
    drop(device);
    let amount = |facts: Vec<LevelFact>| {
        facts
            .into_iter()
            .find(|fact| fact.name == "discarded")
            .map(|fact| fact.value.to_string())
    };
    let mut discard = apply(&ground, "discard", &json!("blkdiscard")).unwrap();
    discard.before_run().unwrap();
    assert_eq!(
        amount(discard.facts()).unwrap(),
        format!("{} bytes", 64 << 20)
    );
    assert!(
        fs::read(&ground.devices[0])
            .unwrap()
            .iter()
            .all(|&byte| byte == 0)
    );
    discard.restore().unwrap();
    let made = apply(&ground, "filesystem", &json!("ext4")).unwrap();
    let before = fs::read(&ground.devices[0]).unwrap();
    assert!(apply(&ground, "discard", &json!("blkdiscard")).is_err());
    assert!(fs::read(&ground.devices[0]).unwrap() == before);
    let inner = above(&ground, &*made);
    let mut trim = apply(&inner, "discard", &json!("fstrim")).unwrap();
    trim.before_run().unwrap();
    assert!(amount(trim.facts()).unwrap().ends_with(" bytes"));
    let mut none = apply(&inner, "discard", &json!("none")).unwrap();
    none.before_run().unwrap();
    assert_eq!(amount(none.facts()), None);
    made.restore().unwrap();
    disk.restore().unwrap();
    assert_eq!(machine.left(), [""; 0]);
}
