use etalon_units::Bytes;

use super::*;
use crate::stack::{
    DevNo, Disk, Filesystem, FsDetail, LayerKind, Md, Partition, TargetKind, Transport,
};

fn layer(name: &str, kind: LayerKind, below: Vec<Layer>) -> Layer {
    Layer {
        name: name.to_owned(),
        devno: DevNo {
            major: 8,
            minor: name.bytes().map(u32::from).sum(),
        },
        node: format!("/dev/{name}"),
        uuid: None,
        size: Bytes::mib(1),
        read_only: false,
        queue: None,
        kind,
        warnings: Vec::new(),
        below,
    }
}

fn disk(name: &str, serial: Option<&str>, wwid: Option<&str>) -> Layer {
    let disk = Disk {
        transport: Transport::Usb,
        vendor: None,
        model: Some("ST4000".to_owned()),
        serial: serial.map(str::to_owned),
        firmware: None,
        wwid: wwid.map(str::to_owned),
        cache_size: None,
        rotation_rpm: None,
        removable: false,
        driver: None,
        state: None,
        temperature_celsius: None,
        smart: None,
        links: Vec::new(),
        by_id: Vec::new(),
        shared_names: Vec::new(),
        served_here: None,
    };
    layer(name, LayerKind::Disk(disk), Vec::new())
}

/// The same with names that another disk of the machine has too.
fn shared(mut layer: Layer, by_id: &str, names: &[&str]) -> Layer {
    if let LayerKind::Disk(disk) = &mut layer.kind {
        disk.by_id = vec![by_id.to_owned()];
        disk.shared_names = names.iter().map(|&name| name.to_owned()).collect();
    }
    layer
}

fn part(disk: Layer, number: u32) -> Layer {
    let part = Partition {
        number,
        label: None,
        offset: Bytes::mib(number.into()),
        starts_at: None,
        ends_at: None,
        misaligned_by: Bytes::ZERO,
    };
    let name = format!("{}{number}", disk.name);
    layer(&name, LayerKind::Partition(part), vec![disk])
}

fn array(uuid: Option<&str>, below: Vec<Layer>) -> Layer {
    let md = Md {
        level: "raid1".to_owned(),
        layout: None,
        chunk: None,
        metadata: None,
        bitmap: None,
        raid_disks: 2,
        degraded: 0,
        state: None,
        sync_action: None,
        sync_progress: None,
        sync_speed: None,
        mismatch_sectors: None,
        members: Vec::new(),
    };
    Layer {
        uuid: uuid.map(str::to_owned),
        ..layer("md127", LayerKind::Md(md), below)
    }
}

fn raw(device: Layer) -> StackTree {
    StackTree {
        devices: vec![device],
        ..StackTree::of_nothing("/dev/x", TargetKind::BlockDevice)
    }
}

fn mounted(uuid: Option<&str>, device: Layer) -> StackTree {
    let filesystem = Filesystem {
        fs_type: "ext4".to_owned(),
        label: None,
        uuid: uuid.map(str::to_owned),
        space: None,
        direct_io: None,
        detail: FsDetail::Other,
        beneath: None,
    };
    StackTree {
        filesystem: Some(filesystem),
        ..raw(device)
    }
}

fn both(a: &StackTree, b: &StackTree) -> (Option<bool>, bool) {
    let alike = a.identity().is_some() && a.identity() == b.identity();
    (a.is_same(b), alike)
}

#[test]
fn a_name_of_zeros_or_without_a_serial_number_tells_nothing() {
    for wwid in [
        "naa.5000c500a1b2c3d4",
        "t10.ATA ST4000 WFN1",
        "nvme.144d-53344557-53616d-00000001",
        "uuid.6f1c",
    ] {
        assert!(tells_apart(wwid), "{wwid}");
    }
    for wwid in [
        "naa.0000000000000000",
        "nvme.1b36--51454d55-00000001",
        "",
        "0",
    ] {
        assert!(!tells_apart(wwid), "{wwid}");
    }
}

#[test]
fn a_disk_is_the_same_under_another_name() {
    let of = |name, serial, wwid| raw(disk(name, serial, wwid));
    let (serial, wwid) = (Some("WFN1"), Some("naa.5000c500a1b2c3d4"));
    let then = of("sda", serial, wwid);
    assert_eq!(both(&then, &of("sdb", serial, wwid)), (Some(true), true));
    let (then, now) = (of("sda", serial, None), of("sdb", serial, None));
    assert_eq!(both(&then, &now), (Some(true), true));
    let other = of("sda", Some("WFN2"), None);
    assert_eq!(both(&then, &other), (Some(false), false));
    let (then, now) = (of("sda", None, None), of("sda", None, None));
    assert_eq!(both(&then, &now), (None, false), "nothing tells it");
}

#[test]
fn disks_that_share_a_serial_number_are_told_apart_by_all_else() {
    let dock = Some("BOX");
    let of = |wwid| raw(disk("sda", dock, Some(wwid)));
    let [first, second] = ["naa.5000c500a1b2c3d4", "naa.5000c500ffffffff"].map(of);
    assert_eq!(both(&first, &second), (Some(false), false));
    // Two namespaces of one controller.
    let [first, second] = ["eui.0025385a01", "eui.0025385a02"].map(of);
    assert_eq!(both(&first, &second), (Some(false), false));
    let slot = |link: &str| raw(shared(disk("sda", dock, None), link, &["BOX"]));
    let [first, second] = ["usb-Dock_BOX-0:0", "usb-Dock_BOX-0:1"].map(slot);
    assert_eq!(both(&first, &second), (None, false));
    let bridge = raw(shared(disk("sda", dock, None), "usb-B", &["BOX", "usb-B"]));
    assert_eq!(bridge.identity(), None);
    // The same bridge with a disk of another size.
    let mut larger = disk("sda", dock, None);
    larger.size = Bytes::mib(2);
    let one = raw(disk("sda", dock, None));
    assert_eq!(both(&one, &raw(larger)), (Some(false), false));
}

#[test]
fn partitions_and_volumes_are_told_apart_on_the_same_disks() {
    let disk = |name| disk(name, Some("WFN1"), None);
    let [a, same, b] =
        [("sda", 1), ("sdb", 1), ("sda", 2)].map(|(name, number)| raw(part(disk(name), number)));
    assert_eq!(both(&a, &same), (Some(true), true));
    assert_eq!(both(&a, &b), (Some(false), false));
    let [a, same, b] = ["c3:01", "c3:01", "c3:02"].map(|uuid| raw(array(Some(uuid), vec![])));
    assert_eq!(both(&a, &same), (Some(true), true));
    assert_eq!(both(&a, &b), (Some(false), false));
}

#[test]
fn members_in_another_order_are_the_same_and_another_member_is_not() {
    let of = |serials: [&str; 2]| {
        let members = serials.map(|serial| disk(serial, Some(serial), None));
        mounted(Some("u"), array(None, members.to_vec()))
    };
    let then = of(["A", "B"]);
    assert_eq!(then.is_same(&of(["B", "A"])), Some(true));
    assert_eq!(then.is_same(&of(["A", "C"])), Some(false));
}

#[test]
fn a_filesystem_is_told_by_its_uuid_and_a_copy_of_it_by_its_disk() {
    let on = |uuid, serial| mounted(uuid, disk("sda", serial, None));
    let then = on(Some("u"), Some("A"));
    assert_eq!(both(&then, &on(Some("u"), None)), (Some(true), true));
    assert_eq!(then.is_same(&on(Some("u"), Some("B"))), Some(false));
    assert_eq!(
        both(&then, &on(Some("v"), Some("A"))),
        (Some(false), false),
        "made anew"
    );
    assert_eq!(both(&then, &on(None, Some("A"))), (None, false));
    assert_eq!(
        then.is_same(&raw(disk("sda", Some("A"), None))),
        Some(false)
    );
}

#[test]
fn arrays_on_arrays_are_compared_in_no_time() {
    let deep = || {
        let disk = disk("sda", Some("A"), None);
        (0..24).fold(disk, |below, _| array(None, vec![below]))
    };
    assert_eq!(both(&raw(deep()), &raw(deep())), (Some(true), true));
}
