//! What is wrong with a machine is said where it is wrong, and only there: one figure of a sound
//! machine is altered at a time.

#![expect(
    clippy::unwrap_used,
    reason = "a test that cannot go on should say where"
)]

mod machine;

use std::path::Path;

use etalon_model::stack::{StackTree, Warning};
use etalon_stack::Stack;
use etalon_units::Bytes;

use machine::Machine;

const NVME: &str = include_str!("machines/lvm-md-nvme.machine");
const LAPTOP: &str = include_str!("machines/laptop-lvm.machine");
const PATHS: &str = include_str!("machines/multipath.machine");
const MIRROR: &str = include_str!("machines/lvm-mirror-two-disks.machine");
const VIRTUAL: &str = include_str!("machines/virtio-qcow2.machine");

fn tree_of(text: &str) -> StackTree {
    let target = text.lines().next().unwrap().trim_start_matches("# ");
    Stack::of(Path::new(target), &Machine::unpack(text).roots()).unwrap()
}

/// The machine with `name` of `section` set to `value`.
fn altered(text: &str, section: &str, name: &str, value: &str) -> String {
    let head = format!("[{section}]\n");
    let (before, after) = text.split_once(&head).unwrap();
    let end = after.find("\n[").unwrap_or(after.len());
    let (inside, rest) = after.split_at(end);
    let kept = inside
        .lines()
        .filter(|line| !line.starts_with(&format!("{name} =")));
    let kept: Vec<&str> = kept.collect();
    format!("{before}{head}{name} = {value}\n{}{rest}", kept.join("\n"))
}

fn warnings(text: &str) -> Vec<(String, Warning)> {
    let tree = tree_of(text);
    let found = tree.all_warnings().into_iter();
    found
        .map(|(name, warning)| (name.to_owned(), warning.clone()))
        .collect()
}

fn only(text: &str) -> (String, Warning) {
    let mut found = warnings(text);
    assert_eq!(found.len(), 1, "{found:?}");
    found.remove(0)
}

#[test]
fn sound_machines_have_no_warning() {
    for text in [NVME, LAPTOP, PATHS, MIRROR, VIRTUAL] {
        assert_eq!(warnings(text), []);
    }
}

#[test]
fn a_narrow_pcie_link() {
    let function = "sys/devices/pci0000:00/0000:00:03.0";
    let mut text = NVME.to_owned();
    for (name, value) in [
        ("current_link_speed", "8.0 GT/s PCIe"),
        ("max_link_speed", "8.0 GT/s PCIe"),
        ("max_link_width", "4"),
    ] {
        text = altered(&text, function, name, value);
    }
    assert_eq!(
        warnings(&altered(&text, function, "current_link_width", "4")),
        []
    );
    let (name, warning) = only(&altered(&text, function, "current_link_width", "1"));
    assert_eq!(name, "nvme1n1");
    let words = warning.to_string();
    assert!(
        words.contains("PCIe 0000:00:03.0 runs at 8 GT/s x1, below its ability of 8 GT/s x4"),
        "{words}"
    );
}

#[test]
fn a_slow_sata_link() {
    let link = "sys/devices/pci0000:00/0000:00:1f.2/ata3/link3/ata_link/link3";
    let (name, warning) = only(&altered(LAPTOP, link, "hw_sata_spd_limit", "6.0 Gbps"));
    assert_eq!(name, "sde");
    assert!(
        warning
            .to_string()
            .contains("1.5 Gbit/s, below its ability of 6 Gbit/s"),
        "{warning}"
    );
}

#[test]
fn a_write_cache_that_is_off_on_a_sata_disk_but_not_on_a_virtual_one() {
    let disk = "sys/devices/pci0000:00/0000:00:1f.2/ata3/host4/target4:0:0/4:0:0:0/block/sde/queue";
    assert_eq!(
        only(&altered(LAPTOP, disk, "write_cache", "write through")),
        ("sde".to_owned(), Warning::WriteCacheOff)
    );
    let disk = "sys/devices/pci0000:00/0000:00:01.0/virtio0/block/vda/queue";
    assert_eq!(
        warnings(&altered(VIRTUAL, disk, "write_cache", "write through")),
        []
    );
}

#[test]
fn a_disk_whose_io_is_not_counted() {
    let disk = "sys/devices/pci0000:00/0000:00:01.0/virtio0/block/vda/queue";
    let (_, warning) = only(&altered(VIRTUAL, disk, "iostats", "0"));
    assert_eq!(warning, Warning::NoCounters);
}

#[test]
fn a_misaligned_partition() {
    let disk = "sys/devices/pci0000:00/0000:00:1f.2/ata3/host4/target4:0:0/4:0:0:0/block/sde";
    let text = altered(
        LAPTOP,
        &format!("{disk}/queue"),
        "physical_block_size",
        "4096",
    );
    assert_eq!(warnings(&text), []);
    let (name, warning) = only(&altered(&text, &format!("{disk}/sde2"), "start", "63"));
    assert_eq!(name, "sde2");
    let expected = Warning::MisalignedPartition {
        offset: Bytes(32_256),
        block: Bytes::kib(4),
    };
    assert_eq!(warning, expected);
}

#[test]
fn a_path_that_is_down() {
    let mut links = PATHS
        .lines()
        .filter_map(|line| line.strip_prefix("sdb -> ../../devices/"));
    let disk = links.next().unwrap().split("/block/").next().unwrap();
    let (name, warning) = only(&altered(
        PATHS,
        &format!("sys/devices/{disk}"),
        "state",
        "offline",
    ));
    assert_eq!(
        (name.as_str(), warning),
        ("dm-0", Warning::PathsDown { down: 1, of: 2 })
    );
}

#[test]
fn an_array_at_work_and_a_degraded_one() {
    let md = "sys/devices/virtual/block/md4/md";
    let (name, warning) = only(&altered(MIRROR, md, "sync_action", "resync"));
    let busy = Warning::ArrayBusy {
        action: "resync".to_owned(),
    };
    assert_eq!((name.as_str(), warning), ("md4", busy));
    let (_, warning) = only(&altered(MIRROR, md, "degraded", "1"));
    assert_eq!(warning, Warning::DegradedArray { missing: 1, of: 2 });
}
