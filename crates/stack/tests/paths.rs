//! One disk by two paths that nothing joins: what is used by the one is used by the other.

#![expect(
    clippy::unwrap_used,
    reason = "a test that cannot go on should say where"
)]

mod machine;

use std::fs::{File, OpenOptions};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

use etalon_model::stack::User;
use etalon_stack::{Stack, device_use};
use etalon_testbed::Loop;

use machine::Machine;

/// Two ports of one SAS disk with two partitions, and a disk of its own.
const PATHS: &str = "\
[dev]
sda =
sda1 =
sda2 =
sdb =
sdb1 =
sdb2 =
sdc =
[sys/block]
sda -> ../devices/port1/block/sda
sdb -> ../devices/port2/block/sdb
sdc -> ../devices/port3/block/sdc
[sys/class/block]
sda -> ../../devices/port1/block/sda
sda1 -> ../../devices/port1/block/sda/sda1
sda2 -> ../../devices/port1/block/sda/sda2
sdb -> ../../devices/port2/block/sdb
sdb1 -> ../../devices/port2/block/sdb/sdb1
sdb2 -> ../../devices/port2/block/sdb/sdb2
sdc -> ../../devices/port3/block/sdc
[sys/dev/block]
8:0 -> ../../devices/port1/block/sda
8:1 -> ../../devices/port1/block/sda/sda1
8:2 -> ../../devices/port1/block/sda/sda2
8:16 -> ../../devices/port2/block/sdb
8:17 -> ../../devices/port2/block/sdb/sdb1
8:18 -> ../../devices/port2/block/sdb/sdb2
8:32 -> ../../devices/port3/block/sdc
[sys/devices/port1]
wwid = naa.5000c500a1b2c3d4\\n
[sys/devices/port1/block/sda]
dev = 8:0
device -> ../..
[sys/devices/port1/block/sda/sda1]
dev = 8:1
partition = 1
size = 1000
start = 2048
[sys/devices/port1/block/sda/sda2]
dev = 8:2
partition = 2
size = 1000
start = 4096
[sys/devices/port2]
wwid = naa.5000c500a1b2c3d4\\n
[sys/devices/port2/block/sdb]
dev = 8:16
device -> ../..
ro = 1
[sys/devices/port2/block/sdb/sdb1]
dev = 8:17
partition = 1
size = 1000
start = 2048
[sys/devices/port2/block/sdb/sdb2]
dev = 8:18
partition = 2
size = 1000
start = 4096
[sys/devices/port3]
wwid = naa.5000c500ffffffff\\n
[sys/devices/port3/block/sdc]
dev = 8:32
device -> ../..
";

fn machine(mounts: &str, swaps: &str) -> Machine {
    machine_of(PATHS, mounts, swaps)
}

fn machine_of(paths: &str, mounts: &str, swaps: &str) -> Machine {
    Machine::unpack(&format!(
        "{paths}[proc]\nswaps = Filename\\tType\\tSize\\tUsed\\tPriority\\n{swaps}\n\
         [proc/self]\nmountinfo = 1 1 0:2 / / rw - rootfs rootfs rw\\n{mounts}\n"
    ))
}

/// Who uses the node beside what lies on it, in words.
fn users(machine: &Machine, node: &str) -> Vec<String> {
    let found = device_use(Path::new(node), &machine.roots()).unwrap();
    let users = found.users.iter().filter(|user| !user.is_content());
    users.map(User::to_string).collect()
}

const SAME: &str = "/dev/sdb is the same disk as /dev/sda, by another path";

#[test]
fn a_second_path_that_nobody_uses_is_no_use() {
    let free = machine("", "");
    for node in ["/dev/sda", "/dev/sda1", "/dev/sdc"] {
        assert_eq!(users(&free, node), [""; 0], "{node}");
    }
}

#[test]
fn what_is_mounted_by_one_path_is_in_use_by_the_other() {
    let whole = machine("27 1 8:16 / /srv rw - ext4 /dev/sdb rw", "");
    let mounted = "/dev/sdb is mounted at /srv";
    for node in ["/dev/sda", "/dev/sda1"] {
        assert_eq!(users(&whole, node), [mounted, SAME], "{node}");
    }
    assert_eq!(users(&whole, "/dev/sdc"), [""; 0]);
}

#[test]
fn a_partition_is_in_use_by_the_other_path_and_its_neighbour_is_not() {
    let swap = machine("", "/dev/sdb2 partition 1 0 -2");
    let used = ["/dev/sdb2 is swap space", SAME];
    assert_eq!(users(&swap, "/dev/sda"), used);
    assert_eq!(users(&swap, "/dev/sda2"), used);
    assert_eq!(users(&swap, "/dev/sda1"), [""; 0]);
    let unknown = PATHS.replace("start = 2048\n", "");
    let swap = machine_of(&unknown, "", "/dev/sdb2 partition 1 0 -2");
    assert_eq!(users(&swap, "/dev/sda1"), used, "which bytes is not known");
}

#[test]
fn two_disks_without_a_name_are_two_and_a_hidden_path_is_none() {
    let mounts = "27 1 8:16 / /srv rw - ext4 /dev/sdb rw";
    for (changed, why) in [
        (
            PATHS.replace("naa.5000c500a1b2c3d4", "naa.0000000000000000"),
            "zeros",
        ),
        (
            PATHS.replace("wwid = naa.5000c500a1b2c3d4\\n\n", ""),
            "no name",
        ),
        (PATHS.replace("ro = 1\n", "ro = 1\nhidden = 1\n"), "hidden"),
    ] {
        let machine = machine_of(&changed, mounts, "");
        assert_eq!(users(&machine, "/dev/sda"), [""; 0], "{why}");
    }
    let of_nvme = PATHS.replace("wwid = naa.5000c500a1b2c3d4\\n\n", "");
    let wwid = |dev: &str| {
        (
            format!("dev = {dev}\n"),
            format!("dev = {dev}\nwwid = eui.0025385a\n"),
        )
    };
    let of_nvme = [wwid("8:0"), wwid("8:16")]
        .iter()
        .fold(of_nvme, |text, (from, to)| text.replace(from, to));
    let machine = machine_of(&of_nvme, mounts, "");
    let mounted = "/dev/sdb is mounted at /srv";
    assert_eq!(users(&machine, "/dev/sda"), [mounted, SAME]);
}

#[test]
fn another_path_that_somebody_holds_unseen_is_in_use() {
    let name = "another_path_that_somebody_holds_unseen_is_in_use";
    let directory = tempfile::tempdir().unwrap();
    let image = directory.path().join("image");
    File::create(&image).unwrap().set_len(4 << 20).unwrap();
    let Some(device) = Loop::for_test(name, &image, &[]) else {
        return;
    };
    let node = format!("sdb -> {}\n", device.name());
    let paths = PATHS.replacen("sdb =\n", &node, 1);
    let machine = machine_of(&paths, "", "");
    let mut hold = OpenOptions::new();
    hold.read(true).custom_flags(libc::O_EXCL);
    let held = hold.open(device.node()).unwrap();
    let unseen = "who uses /dev/sdb is not known: the kernel does not open it for exclusive use";
    assert_eq!(users(&machine, "/dev/sda"), [SAME, unseen]);
    drop(held);
    assert_eq!(users(&machine, "/dev/sda"), [""; 0]);
}

/// A dock with two disks behind one USB device, of which one has two partitions, and a bridge with the same serial number.
const DOCK: &str = "\
[run/udev/data]
b8:0 = S:disk/by-id/usb-Dock_BOX-0:0\\n
b8:16 = S:disk/by-id/usb-Dock_BOX-0:1\\n
b8:17 = S:disk/by-id/usb-Dock_BOX-0:1-part1\\nE:ID_SERIAL_SHORT=BOX\\n
b8:18 = S:disk/by-id/usb-Dock_BOX-0:1-part2\\nE:ID_SERIAL_SHORT=BOX\\n
[sys/class/block]
sda -> ../../devices/usb1/1-1/lun0/block/sda
sdb -> ../../devices/usb1/1-1/lun1/block/sdb
sdb1 -> ../../devices/usb1/1-1/lun1/block/sdb/sdb1
sdb2 -> ../../devices/usb1/1-1/lun1/block/sdb/sdb2
[sys/dev/block]
8:0 -> ../../devices/usb1/1-1/lun0/block/sda
8:16 -> ../../devices/usb1/1-1/lun1/block/sdb
8:17 -> ../../devices/usb1/1-1/lun1/block/sdb/sdb1
8:18 -> ../../devices/usb1/1-1/lun1/block/sdb/sdb2
[dev]
sda =
sdb =
sdb1 =
sdb2 =
[sys/devices/usb1/1-1]
serial = BOX\\n
speed = 480\\n
subsystem -> ../../../bus/usb
[sys/devices/usb1/1-1/lun0/block/sda]
dev = 8:0
size = 2048
device -> ../..
[sys/devices/usb1/1-1/lun1/block/sdb]
dev = 8:16
size = 2048
device -> ../..
[sys/devices/usb1/1-1/lun1/block/sdb/sdb1]
dev = 8:17
partition = 1
[sys/devices/usb1/1-1/lun1/block/sdb/sdb2]
dev = 8:18
partition = 2
";

/// Names that tell the device, and those that are others' too.
fn names(machine: &Machine, node: &str) -> (Vec<String>, Vec<(String, String)>) {
    let found = device_use(Path::new(node), &machine.roots()).unwrap();
    let shared = found.shared.iter();
    let shared = shared.map(|(name, others)| (name.clone(), others.join(" ")));
    (found.own_names(), shared.collect())
}

#[test]
fn the_serial_number_of_a_box_is_the_name_of_none_of_its_disks() {
    let machine = machine_of(DOCK, "", "");
    let with = |name: &str, others: &str| vec![(name.to_owned(), others.to_owned())];
    let (own, shared) = names(&machine, "/dev/sda");
    assert_eq!(own, ["usb-Dock_BOX-0:0"]);
    assert_eq!(shared, with("BOX", "/dev/sdb /dev/sdb1 /dev/sdb2"));
    // A partition is no other device than its disk, and another one than its neighbour.
    let (own, shared) = names(&machine, "/dev/sdb");
    assert_eq!(own, ["usb-Dock_BOX-0:1"]);
    assert_eq!(shared, with("BOX", "/dev/sda"));
    let (own, shared) = names(&machine, "/dev/sdb1");
    assert_eq!(own, ["usb-Dock_BOX-0:1-part1"]);
    assert_eq!(shared, with("BOX", "/dev/sda /dev/sdb2"));
    let alone = DOCK.replace("sda -> ../../devices/usb1/1-1/lun0/block/sda\n", "");
    let (own, shared) = names(&machine_of(&alone, "", ""), "/dev/sdb");
    assert_eq!(own, ["usb-Dock_BOX-0:1", "BOX"]);
    assert_eq!(shared, [], "the only disk of the box");
}

#[test]
fn two_disks_that_claim_one_link_are_told_by_none() {
    let claimed = DOCK.replace("usb-Dock_BOX-0:1\\n", "usb-Dock_BOX-0:0\\n");
    let (own, _) = names(&machine_of(&claimed, "", ""), "/dev/sda");
    assert_eq!(own, [""; 0]);
}

#[test]
fn paths_to_one_disk_and_what_joins_them_share_its_names() {
    let named = PATHS.replace(
        "naa.5000c500a1b2c3d4\\n\n",
        "naa.5000c500a1b2c3d4\\n\nserial = WFN1\n",
    );
    let (own, shared) = names(&machine_of(&named, "", ""), "/dev/sda");
    assert_eq!((own, shared), (vec!["WFN1".to_owned()], vec![]));
    let joined = "\
[run/udev/data]
b253:0 = E:ID_SERIAL_SHORT=WFN1\\n
[sys/class/block]
dm-0 -> ../../devices/virtual/block/dm-0
[sys/dev/block]
253:0 -> ../../devices/virtual/block/dm-0
[dev]
dm-0 =
[sys/devices/virtual/block/dm-0]
dev = 253:0
[sys/devices/virtual/block/dm-0/slaves]
sda -> ../../../../port1/block/sda
";
    let one = named.replacen("naa.5000c500a1b2c3d4\\n\n", "naa.0\\n\n", 2);
    let one = one.replacen(
        "serial = WFN1\n[sys/devices/port2/block",
        "[sys/devices/port2/block",
        1,
    );
    let machine = machine_of(&format!("{one}{joined}"), "", "");
    for node in ["/dev/dm-0", "/dev/sda"] {
        let (own, shared) = names(&machine, node);
        assert_eq!((own, shared), (vec!["WFN1".to_owned()], vec![]), "{node}");
    }
}

#[test]
fn a_disk_of_a_box_keeps_no_number_that_another_one_has() {
    let of = |node: &str, machine: &Machine| {
        let tree = Stack::of(Path::new(node), &machine.roots()).unwrap();
        tree.identity()
    };
    let machine = machine_of(DOCK, "", "");
    let told = [of("/dev/sda", &machine), of("/dev/sdb", &machine)];
    assert!(
        told.iter().all(Option::is_some) && told[0] != told[1],
        "{told:?}"
    );
    let unlinked = DOCK.replace("S:disk/by-id", "S:disk/by-path");
    assert_eq!(of("/dev/sda", &machine_of(&unlinked, "", "")), None);
}
