//! Copied machines and the trees that they must give.
//!
//! Each `machines/NAME.machine` names its target on its first line (`# /mnt/t`); the tree drawn
//! from it must equal `machines/NAME.txt`. `ETALON_BLESS=1` writes those files anew: read what
//! changed before you keep it.

#![expect(
    clippy::unwrap_used,
    reason = "a test that cannot go on should say where"
)]

mod machine;

use std::fs;
use std::path::{Path, PathBuf};

use etalon_model::stack::{DeviceKind, Disk, Layer, LayerKind, Link, Queue, StackTree, Transport};
use etalon_report::render_text;
use etalon_stack::Stack;

use machine::Machine;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/machines")
}

fn names() -> Vec<String> {
    let entries = fs::read_dir(folder())
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let machines = entries.filter(|path| path.extension().is_some_and(|e| e == "machine"));
    let stems = machines.map(|path| path.file_stem().unwrap().to_string_lossy().into_owned());
    let mut names: Vec<String> = stems.collect();
    names.sort();
    names
}

fn stack_of(name: &str) -> StackTree {
    let text = fs::read_to_string(folder().join(format!("{name}.machine"))).unwrap();
    let target = text
        .lines()
        .next()
        .unwrap()
        .trim_start_matches("# ")
        .to_owned();
    let machine = Machine::unpack(&text);
    Stack::of(Path::new(&target), &machine.roots()).unwrap()
}

#[test]
fn every_machine_gives_its_tree() {
    let bless = std::env::var_os("ETALON_BLESS").is_some();
    let mut wrong = Vec::new();
    for name in names() {
        let tree = stack_of(&name);
        let lines = [tree.one_line(), tree.short_line(), String::new()];
        let drawn = lines.join("\n") + "\n" + &render_text(&tree);
        let path = folder().join(format!("{name}.txt"));
        if bless {
            fs::write(&path, &drawn).unwrap();
        }
        let expected = fs::read_to_string(&path).unwrap_or_default();
        if drawn != expected {
            wrong.push(format!("{name}: expected\n{expected}\nbut drew\n{drawn}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn no_machine_has_been_lost() {
    assert!(names().len() >= 22, "{:?}", names());
}

#[test]
fn a_mirror_of_two_disks_under_lvm_shows_the_lvm_layer() {
    let tree = stack_of("lvm-mirror-two-disks");
    let kinds: Vec<String> = tree
        .layers()
        .iter()
        .map(|layer| layer.short_name())
        .collect();
    assert_eq!(
        kinds,
        [
            "LVM TALE/VOL_EXT4",
            "md4 (raid1)",
            "sdc1",
            "sdc",
            "sdd1",
            "sdd"
        ]
    );
    let leaves: Vec<&str> = tree
        .leaves()
        .iter()
        .map(|leaf| leaf.name.as_str())
        .collect();
    assert_eq!(leaves, ["sdc", "sdd"]);
}

#[test]
fn a_compressed_disk_in_memory_stands_on_nothing_unless_it_writes_out() {
    let text = include_str!("machines/zram.machine");
    let backing = |told: &str| {
        let text = text.replace("backing_dev = none", told);
        let tree = Stack::of(Path::new("/mnt/t"), &Machine::unpack(&text).roots()).unwrap();
        match &tree.devices[0].kind {
            LayerKind::Zram(zram) => zram.backing.clone(),
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(backing("backing_dev = none\\n"), None);
    assert_eq!(backing("ro = 0"), None);
    let disk = backing("backing_dev = /dev/sdz1\\n");
    assert_eq!(disk.as_deref(), Some("/dev/sdz1"));
}

#[test]
fn every_tree_survives_json() {
    for name in names() {
        let tree = stack_of(&name);
        let text = serde_json::to_string(&tree).unwrap();
        let back: StackTree = serde_json::from_str(&text).unwrap();
        assert_eq!(render_text(&back), render_text(&tree), "{name}");
    }
}

#[test]
fn only_one_plain_real_disk_proves_its_class() {
    for name in names() {
        let kind = stack_of(&name).device_class().map(|class| class.kind);
        // The others stand on virtual disks, arrays, loop devices, memory, a network, USB, or on several disks.
        let expected = match name.as_str() {
            "laptop-lvm" => Some(DeviceKind::HardDisk7200),
            "luks" => Some(DeviceKind::SataSsd),
            _ => None,
        };
        assert_eq!(kind, expected, "{name}");
    }
}

/// The laptop with another disk.
fn with_disk(change: impl Fn(&mut Disk, &mut Queue)) -> Option<DeviceKind> {
    fn lowest(layer: &mut Layer) -> &mut Layer {
        match layer.below.is_empty() {
            true => layer,
            false => lowest(&mut layer.below[0]),
        }
    }
    let mut tree = stack_of("laptop-lvm");
    let leaf = lowest(&mut tree.devices[0]);
    let (LayerKind::Disk(disk), Some(queue)) = (&mut leaf.kind, &mut leaf.queue) else {
        panic!("the lowest layer is a disk");
    };
    change(disk, queue);
    tree.device_class().map(|class| class.kind)
}

fn on_pcie(disk: &mut Disk, gts: f64, lanes: u32) {
    disk.transport = Transport::Nvme;
    disk.rotation_rpm = None;
    disk.links = vec![Link::Pcie {
        address: "0000:01:00.0".to_owned(),
        driver: Some("nvme".to_owned()),
        id: Some("144d:a808".to_owned()),
        controller: None,
        speed_gts: Some(8.0),
        max_speed_gts: Some(gts),
        width: Some(4),
        max_width: Some(lanes),
    }];
}

#[test]
fn a_class_follows_from_transport_rotation_and_link() {
    let flash = |change: fn(&mut Disk)| {
        with_disk(|disk, queue| {
            (queue.rotational, disk.rotation_rpm) = (Some(false), None);
            change(disk);
        })
    };
    assert_eq!(flash(|_| {}), Some(DeviceKind::SataSsd));
    assert_eq!(
        flash(|disk| on_pcie(disk, 8.0, 4)),
        Some(DeviceKind::NvmePcie3)
    );
    assert_eq!(
        flash(|disk| on_pcie(disk, 16.0, 4)),
        Some(DeviceKind::NvmePcie4)
    );
    assert_eq!(flash(|disk| on_pcie(disk, 32.0, 4)), None);
    assert_eq!(flash(|disk| on_pcie(disk, 8.0, 2)), None);
    assert_eq!(flash(|disk| disk.transport = Transport::Usb), None);
    assert_eq!(
        flash(|disk| disk.model = Some("QEMU HARDDISK".to_owned())),
        None
    );
    let card = |name: &str| {
        with_disk(|disk, _| {
            disk.transport = Transport::Mmc;
            let (host, card) = ("mmc0".to_owned(), Some(name.to_owned()));
            disk.links = vec![Link::Mmc { host, card }];
        })
    };
    assert_eq!((card("SD"), card("MMC")), (Some(DeviceKind::SdCard), None));
    // A disk that tells no speed may be anything that the kernel takes for rotating.
    assert_eq!(with_disk(|disk, _| disk.rotation_rpm = None), None);
    assert_eq!(with_disk(|disk, _| disk.rotation_rpm = Some(5400)), None);
}
