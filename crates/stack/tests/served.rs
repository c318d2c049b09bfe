//! Devices and files that a target of the kernel has open, by its directories in configfs.

#![expect(
    clippy::unwrap_used,
    reason = "a test that cannot go on should say where"
)]

mod machine;

use std::fs::{self, File};
use std::path::Path;

use etalon_model::stack::{FileUser, User};
use etalon_stack::{device_use, file_use};

use machine::Machine;

/// A disk with a partition, of which nobody else knows, and one of NVMe.
const DISKS: &str = "\
[dev]
sdb =
sdb1 =
nvme0n1 =
[dev/disk/by-id]
ata-disk -> ../../sdb
[proc]
swaps = Filename\\t\\t\\t\\tType\\t\\tSize\\t\\tUsed\\t\\tPriority
[proc/self]
mountinfo = 1 1 0:2 / / rw - rootfs rootfs rw
[sys/class/block]
sdb -> ../../devices/ata/block/sdb
sdb1 -> ../../devices/ata/block/sdb/sdb1
nvme0n1 -> ../../devices/nvme/nvme0/nvme0n1
[sys/class/nvme]
nvme0 -> ../../devices/nvme/nvme0
[sys/dev/block]
8:16 -> ../../devices/ata/block/sdb
8:17 -> ../../devices/ata/block/sdb/sdb1
259:0 -> ../../devices/nvme/nvme0/nvme0n1
[sys/devices/ata/block/sdb]
dev = 8:16
[sys/devices/ata/block/sdb/sdb1]
dev = 8:17
partition = 1
[sys/devices/nvme/nvme0]
subsysnqn = nqn.2019-08.org.example:disk
[sys/devices/nvme/nvme0/nvme0n1]
dev = 259:0
device -> ../../nvme0
";

fn machine(more: &str) -> Machine {
    Machine::unpack(&format!("{DISKS}{more}"))
}

/// Who uses the node beside what lies on it, in words.
fn users(machine: &Machine, node: &str) -> Vec<String> {
    let found = device_use(Path::new(node), &machine.roots()).unwrap();
    let users = found.users.iter().filter(|user| !user.is_content());
    users.map(User::to_string).collect()
}

fn namespace(path: &str, enable: u8) -> String {
    format!(
        "[sys/kernel/config/nvmet/subsystems/nqn.x/namespaces/7]\n\
         device_path = {path}\\n\nenable = {enable}\\n\n"
    )
}

/// As the kernel's `info` of a store has it, behind the lines that all stores have.
fn store(adapter: &str, enable: u8, info: &str) -> String {
    format!(
        "[sys/kernel/config/target/core/alua/lu_gps/default_lu_gp]\nmembers =\n\
         [sys/kernel/config/target/core/{adapter}/disk]\nenable = {enable}\\n\n\
         info = Status: ACTIVATED  Max Queue Depth: 0  SectorSize: 512  HwMaxSectors: 16384\\n        {info}\\n\n"
    )
}

fn file_store(path: &str, enable: u8) -> String {
    let info =
        format!("TCM FILEIO ID: 0        File: {path}  Size: 1048576  Mode: Buffered-WCE Async: 0");
    store("fileio_0", enable, &info)
}

#[test]
fn disks_that_no_target_serves_are_free() {
    for more in [
        String::new(),
        namespace("/dev/sdb", 0),
        namespace("/dev/nvme0n1", 1),
        file_store("/dev/sdb", 0),
        // A disk in memory.
        store("rd_mcp_0", 1, "TCM RamDisk ID: 0  RamDisk Makeup: rd_mcp  PAGES/PAGE_SIZE: 8*4096"),
        "[sys/kernel/config/nvmet/subsystems]\n[sys/module]\nnvmet/\n[sys/kernel/config/nvmet]\nsubsystems/\n".to_owned(),
    ] {
        assert_eq!(users(&machine(&more), "/dev/sdb"), [""; 0], "{more}");
    }
}

#[test]
fn a_namespace_of_nvmet_is_in_use_with_its_partitions_and_its_disk() {
    let served = |device| format!("{device} is served by nvmet (subsystem nqn.x, namespace 7)");
    for path in ["/dev/sdb", "/dev/disk/by-id/ata-disk"] {
        let machine = machine(&namespace(path, 1));
        assert_eq!(users(&machine, "/dev/sdb"), [served("/dev/sdb")]);
        let part = "/dev/sdb, of which /dev/sdb1 is a part, is in use as a whole".to_owned();
        assert_eq!(users(&machine, "/dev/sdb1"), [part, served("/dev/sdb")]);
    }
    let machine = machine(&namespace("/dev/sdb1", 1));
    assert_eq!(users(&machine, "/dev/sdb"), [served("/dev/sdb1")]);
    assert_eq!(users(&machine, "/dev/sdb1"), [served("/dev/sdb1")]);
}

#[test]
fn a_controller_that_is_passed_through_has_its_namespaces_in_use() {
    let passed = |enable: u8| {
        machine(&format!(
            "[sys/kernel/config/nvmet/subsystems/nqn.x/passthru]\n\
             device_path = /dev/nvme0\\n\nenable = {enable}\\n\n"
        ))
    };
    let served = "/dev/nvme0n1 is served by nvmet (subsystem nqn.x, passed through)";
    assert_eq!(users(&passed(1), "/dev/nvme0n1"), [served]);
    assert_eq!(users(&passed(1), "/dev/sdb"), [""; 0]);
    assert_eq!(users(&passed(0), "/dev/nvme0n1"), [""; 0]);
}

#[test]
fn a_backstore_of_lio_is_in_use() {
    let served = |store| format!("/dev/sdb is served by LIO (backstore {store}/disk)");
    let by_file = machine(&file_store("/dev/disk/by-id/ata-disk", 1));
    assert_eq!(users(&by_file, "/dev/sdb"), [served("fileio_0")]);
    // Its name has gone meanwhile; the kernel tells its number.
    let info = "iBlock device: sdb  UDEV PATH: /dev/old  readonly: 0\\n        Major: 8 Minor: 16  CLAIMED: IBLOCK";
    let by_number = machine(&store("iblock_0", 1, info));
    assert_eq!(users(&by_number, "/dev/sdb"), [served("iblock_0")]);
    let info = "SCSI Device Bus Location: Channel ID: 0 Target ID: 0 LUN: 0 Host ID: 2";
    let passed = store("pscsi_0", 1, info) + "udev_path = /dev/sdb\\n\n";
    assert_eq!(users(&machine(&passed), "/dev/sdb"), [served("pscsi_0")]);
}

#[test]
fn what_cannot_be_found_of_a_target_leaves_no_device_free() {
    let gone = machine(&namespace("/dev/gone", 1));
    let found = users(&gone, "/dev/sdb");
    assert_eq!(found.len(), 1, "{found:?}");
    let words =
        "what nvmet serves as subsystem nqn.x, namespace 7 is not known: '/dev/gone' leads to";
    assert!(found[0].starts_with(words), "{found:?}");
    let hidden = machine("[sys/module]\ntarget_core_mod/\nnvmet/\n");
    let found = users(&hidden, "/dev/sdb");
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(found[0].starts_with("what LIO serves is not known: the module target_core_mod"));
    assert!(found[1].starts_with("what nvmet serves is not known: the module nvmet is loaded"));
}

#[test]
fn a_file_that_a_target_serves_is_known_by_its_inode() {
    let place = tempfile::tempdir().unwrap();
    let at = |name: &str| place.path().join(name);
    for name in ["one image", "two"] {
        fs::write(at(name), "").unwrap();
    }
    fs::hard_link(at("one image"), at("twin")).unwrap();
    let (server, unit) = (
        "nvmet".to_owned(),
        "subsystem nqn.x, namespace 7".to_owned(),
    );
    let by_nvmet = FileUser::Served { server, unit };
    let (server, unit) = ("LIO".to_owned(), "backstore fileio_0/disk".to_owned());
    let by_lio = FileUser::Served { server, unit };
    let path = at("one image").to_string_lossy().into_owned();
    for (more, expected) in [
        (namespace(&path, 1), vec![by_nvmet]),
        (file_store(&path, 1), vec![by_lio]),
        (file_store(&path, 0), Vec::new()),
        (namespace("/dev/gone", 1), Vec::new()),
    ] {
        let machine = machine(&more);
        let of = |name: &str| file_use(&File::open(at(name)).unwrap(), &machine.roots()).unwrap();
        assert_eq!(of("twin"), expected, "{more}");
        assert_eq!(of("two"), []);
    }
}
