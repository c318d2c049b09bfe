//! Devices and files that a target of the kernel has open, by its directories in configfs and sysfs.

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

/// A store of which a program does the work, as tcmu-runner does.
fn program_store(config: &str, enable: u8) -> String {
    let info = format!("Config: {config} Size: 1048576 MaxDataAreaMB: 8");
    store("user_0", enable, &info)
}

/// A unit of a gadget that was put together in configfs.
fn gadget(path: &str) -> String {
    format!(
        "[sys/kernel/config/usb_gadget/g1/functions/acm.0]\nport_num = 0\\n\n\
         [sys/kernel/config/usb_gadget/g1/functions/mass_storage.0]\nstall = 1\\n\n\
         [sys/kernel/config/usb_gadget/g1/functions/mass_storage.0/lun.0]\nfile = {path}\nro = 0\\n\n"
    )
}

/// The same of the module g_mass_storage, on a controller that is emulated.
fn gadget_module(path: &str) -> String {
    format!(
        "[sys/module]\ng_mass_storage/\nusb_f_mass_storage/\n[sys/kernel/config]\nusb_gadget/\n\
         [sys/class/udc]\ndummy_udc.0 -> ../../devices/platform/dummy_udc.0/udc/dummy_udc.0\n\
         [sys/devices/platform/dummy_udc.0/udc/dummy_udc.0]\ndevice -> ../../../dummy_udc.0\n\
         [sys/devices/platform/dummy_udc.0/gadget.0/lun0]\nfile = {path}\nro = 0\\n\n"
    )
}

/// A disk and a network card of virtual machine 3, of which the disk has its device open or not yet.
fn virtual_disk(attributes: &str) -> String {
    format!(
        "[sys/bus/xen-backend/devices]\n\
         vbd-3-51712 -> ../../../devices/xen-backend/vbd-3-51712\n\
         vif-3-0 -> ../../../devices/xen-backend/vif-3-0\n\
         [sys/devices/xen-backend/vif-3-0]\ndevtype = vif\\n\n\
         [sys/devices/xen-backend/vbd-3-51712]\ndevtype = vbd\\n\n{attributes}"
    )
}

/// A device of a client over RDMA.
fn rdma(name: &str, disk: &str) -> String {
    format!(
        "[sys/class/rnbd-server/ctl/devices/{name}]\nsessions/\n\
         block_dev -> ../../../../../devices/{disk}\n"
    )
}

#[test]
fn disks_that_no_target_serves_are_free() {
    for more in [
        gadget(""),
        gadget("/dev/nvme0n1\\n"),
        gadget_module(""),
        virtual_disk(""),
        virtual_disk("physical_device = 103:0\\n\nmode = w\\n\n"),
        rdma("nvme0n1", "nvme/nvme0/nvme0n1"),
        program_store("rbd/pool/image", 1),
        program_store("qcow//dev/gone", 1),
        program_store("file//dev/sdb", 0),
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
fn a_backstore_of_a_program_is_in_use() {
    let machine = machine(&program_store("file//dev/sdb", 1));
    let served = "/dev/sdb is served by LIO (backstore user_0/disk)";
    assert_eq!(users(&machine, "/dev/sdb"), [served]);
}

#[test]
fn what_a_gadget_of_usb_serves_is_in_use() {
    let served = |device, unit| format!("{device} is served by a USB gadget ({unit})");
    let unit = "gadget g1, mass_storage.0, lun.0";
    let whole = machine(&gadget("/dev/sdb\\n"));
    assert_eq!(users(&whole, "/dev/sdb"), [served("/dev/sdb", unit)]);
    let part = machine(&gadget("/dev/sdb1\\n"));
    assert_eq!(users(&part, "/dev/sdb"), [served("/dev/sdb1", unit)]);
    let unit = "controller dummy_udc.0, lun0";
    let by_module = machine(&gadget_module("/dev/sdb\\n"));
    assert_eq!(users(&by_module, "/dev/sdb"), [served("/dev/sdb", unit)]);
}

#[test]
fn what_virtual_machines_of_xen_have_is_in_use() {
    let served = |device| format!("{device} is served by Xen's blkback (vbd-3-51712)");
    let whole = machine(&virtual_disk("physical_device = 8:10\\n\nmode = w\\n\n"));
    assert_eq!(users(&whole, "/dev/sdb"), [served("/dev/sdb")]);
    let part = machine(&virtual_disk("physical_device = 8:11\\n\nmode = r\\n\n"));
    assert_eq!(users(&part, "/dev/sdb"), [served("/dev/sdb1")]);
}

#[test]
fn what_is_served_over_rdma_is_in_use() {
    let served = |name| format!("/dev/{name} is served by RNBD (device {name})");
    let part = machine(&rdma("sdb1", "ata/block/sdb"));
    assert_eq!(users(&part, "/dev/sdb"), [served("sdb1")]);
    // A kernel that names it otherwise still links to the disk.
    let whole = machine(&rdma("!dev!disk", "ata/block/sdb"));
    let named = "/dev/sdb is served by RNBD (device !dev!disk)";
    assert_eq!(users(&whole, "/dev/sdb"), [named]);
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
fn what_cannot_be_found_of_a_gadget_or_of_a_virtual_disk_leaves_no_device_free() {
    for (more, words) in [
        (
            gadget("/dev/gone\\n"),
            "what a USB gadget serves as gadget g1, mass_storage.0, lun.0 is not known: '/dev/gone' leads to",
        ),
        (
            gadget("/srv/image (deleted)\\n"),
            "what a USB gadget serves as gadget g1, mass_storage.0, lun.0 is not known: '/srv/image (deleted)'",
        ),
        (
            "[sys/module]\nusb_f_mass_storage/\n".to_owned(),
            "what a USB gadget serves is not known: the module usb_f_mass_storage is loaded",
        ),
        (
            virtual_disk("physical_device = \\n\n"),
            "what Xen's blkback serves as vbd-3-51712 is not known: '' in ",
        ),
        (
            rdma("gone", "gone"),
            "what RNBD serves as device gone is not known: its device is not shown",
        ),
    ] {
        let found = users(&machine(&more), "/dev/sdb");
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].starts_with(words), "{found:?}");
    }
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
    let (server, unit) = ("LIO".to_owned(), "backstore user_0/disk".to_owned());
    let by_program = FileUser::Served { server, unit };
    let (server, unit) = (
        "a USB gadget".to_owned(),
        "gadget g1, mass_storage.0, lun.0".to_owned(),
    );
    let by_gadget = FileUser::Served { server, unit };
    let path = at("one image").to_string_lossy().into_owned();
    for (more, expected) in [
        (namespace(&path, 1), vec![by_nvmet]),
        (file_store(&path, 1), vec![by_lio]),
        (program_store(&format!("file/{path}"), 1), vec![by_program]),
        (gadget(&format!("{path}\\n")), vec![by_gadget]),
        (file_store(&path, 0), Vec::new()),
        (program_store(&format!("file/{path}"), 0), Vec::new()),
        (namespace("/dev/gone", 1), Vec::new()),
    ] {
        let machine = machine(&more);
        let of = |name: &str| file_use(&File::open(at(name)).unwrap(), &machine.roots()).unwrap();
        assert_eq!(of("twin"), expected, "{more}");
        assert_eq!(of("two"), []);
    }
}
