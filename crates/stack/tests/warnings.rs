//! What is wrong with a machine is said where it is wrong, and only there: one figure of a sound
//! machine is altered at a time.

#![expect(
    clippy::unwrap_used,
    reason = "a test that cannot go on should say where"
)]

mod machine;

use std::path::Path;

use etalon_model::stack::{LayerKind, Smart, StackTree, Warning};
use etalon_stack::{Monitor, MonitorOptions, Stack, snapshot};
use etalon_units::{Bytes, Nanos, Percent};

use machine::Machine;

const NVME: &str = include_str!("machines/lvm-md-nvme.machine");
const LAPTOP: &str = include_str!("machines/laptop-lvm.machine");
const PATHS: &str = include_str!("machines/multipath.machine");
const MIRROR: &str = include_str!("machines/lvm-mirror-two-disks.machine");
const VAULT: &str = include_str!("machines/crypt-lvm-nvme.machine");
const DEGRADED: &str = include_str!("machines/lvm-raid1-degraded.machine");
const SCSI: &str = include_str!("machines/scsi-log-pages.machine");
const USB: &str = include_str!("machines/usb-misaligned.machine");
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

/// What a device of USB 3 declares on a link of USB 2 is 2.10, which says little; its BOS descriptor tells.
#[test]
fn a_usb_3_disk_on_a_link_of_usb_2() {
    let device = "sys/devices/pci0000:00/0000:00:06.0/usb3/3-1";
    let text = altered(USB, device, "version", " 2.10");
    let of_link = |text: &str| {
        let found = warnings(text).into_iter().map(|(_, warning)| warning);
        found
            .filter(|w| !matches!(w, Warning::MisalignedPartition { .. }))
            .collect::<Vec<_>>()
    };
    let (speed_mbps, version) = (480.0, "2.10".to_owned());
    let able =
        r"\x05\x0f\x16\x00\x02\x07\x10\x02\x02\x00\x00\x00\x0a\x10\x03\x00\x0e\x00\x01\x0a\x0a\x00";
    let slow = Warning::SlowUsb {
        speed_mbps,
        version: version.clone(),
        ability_mbps: Some(5000.0),
    };
    assert_eq!(
        of_link(&altered(&text, device, "bos_descriptors", able)),
        [slow]
    );
    let of_usb_2 = r"\x05\x0f\x0c\x00\x01\x07\x10\x02\x02\x00\x00\x00";
    assert_eq!(
        of_link(&altered(&text, device, "bos_descriptors", of_usb_2)),
        []
    );
    assert_eq!(
        of_link(&text),
        [Warning::MaybeSlowUsb {
            speed_mbps,
            version
        }]
    );
    assert_eq!(of_link(&altered(&text, device, "version", " 2.00")), []);
}

/// The hub's half of USB 2 declares 2.10 as well.
#[test]
fn a_usb_2_disk_on_a_usb_3_hub_is_not_slow() {
    let hub = "sys/devices/pci0000:00/0000:00:06.0/usb3/3-1";
    let text = USB.replace("3-1/3-1:1.0", "3-1/3-1.2/3-1.2:1.0");
    let text = text.replace(
        "../../bus/usb/drivers/usb-storage",
        "../../../bus/usb/drivers/usb-storage",
    );
    let text = altered(&text, hub, "version", " 2.10");
    let disk = format!(
        "[{hub}/3-1.2]\nspeed = 480\nversion =  2.00\nsubsystem -> ../../../../../../bus/usb\n"
    );
    let found = warnings(&format!("{text}\n{disk}"));
    let slow = |(_, w): &(String, Warning)| {
        matches!(w, Warning::SlowUsb { .. } | Warning::MaybeSlowUsb { .. })
    };
    assert!(!found.iter().any(slow), "{found:?}");
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
fn a_write_cache_that_a_usb_bridge_does_not_tell_of_is_not_called_off() {
    let device = "sys/devices/pci0000:00/0000:00:06.0/usb3/3-1/3-1:1.0/host9/target9:0:0/9:0:0:0";
    let queue = format!("{device}/block/sdh/queue");
    let text = altered(USB, &queue, "write_cache", "write through");
    let of_disk = |text: &str| {
        let known = warnings(USB);
        let new = warnings(text).into_iter();
        new.filter(|one| !known.contains(one)).collect::<Vec<_>>()
    };
    let unknown = ("sdh".to_owned(), Warning::WriteCacheUnknown);
    assert_eq!(of_disk(&text), [unknown]);
    // What the bridge tells of is no longer unknown, whatever was written to the queue.
    let mode = format!("{text}\n[{device}/scsi_disk/9:0:0:0]\ncache_type = write back\n");
    assert_eq!(of_disk(&mode), []);
}

#[test]
fn a_disk_whose_io_is_not_counted() {
    let disk = "sys/devices/pci0000:00/0000:00:01.0/virtio0/block/vda/queue";
    let (_, warning) = only(&altered(VIRTUAL, disk, "iostats", "0"));
    assert_eq!(warning, Warning::NoCounters);
}

#[test]
fn counters_that_stand_still_are_not_read() {
    let disk = "sys/devices/pci0000:00/0000:00:01.0/virtio0/block/vda";
    for (iostats, is_counted) in [("1", true), ("0", false)] {
        let text = altered(VIRTUAL, &format!("{disk}/queue"), "iostats", iostats);
        let machine = Machine::unpack(&format!("{text}\n[{disk}]\nstat = 1 0 8 0 1 0 8 0 0 0 0\n"));
        let roots = machine.roots();
        let tree = Stack::of("/mnt/t".as_ref(), &roots).unwrap();
        let counters = &snapshot(&tree, &roots).layers[0].counters;
        assert_eq!(counters.is_some(), is_counted, "{iostats}");
    }
}

#[test]
fn counters_of_a_partition_stand_still_with_those_of_its_disk() {
    let disk = "sys/devices/pci0000:00/0000:00:1f.2/ata3/host4/target4:0:0/4:0:0:0/block/sde";
    for (iostats, is_counted) in [("1", true), ("0", false)] {
        let text = altered(LAPTOP, &format!("{disk}/queue"), "iostats", iostats);
        let stat = "stat = 1 0 8 0 1 0 8 0 0 0 0\n";
        let text = format!("{text}\n[{disk}]\n{stat}[{disk}/sde2]\n{stat}");
        let machine = Machine::unpack(&text);
        let roots = machine.roots();
        let tree = Stack::of("/mnt/t".as_ref(), &roots).unwrap();
        let below = ["sde", "sde2"];
        let read = snapshot(&tree, &roots).layers.into_iter();
        let read = read.filter(|layer| below.contains(&layer.name.as_str()));
        let read: Vec<bool> = read.map(|layer| layer.counters.is_some()).collect();
        assert_eq!(read, [is_counted; 2], "{iostats}");
        let monitor = Monitor::start(&tree, &roots, MonitorOptions::default()).unwrap();
        while monitor
            .latest()
            .is_none_or(|sample| sample.span == Nanos::ZERO)
        {
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
        let seen = monitor.stop().samples.pop().unwrap().disks.into_iter();
        let seen = seen.filter(|disk| below.contains(&disk.name.as_str()));
        let seen: Vec<bool> = seen.map(|disk| disk.delta.is_some()).collect();
        assert_eq!(seen, [is_counted; 2], "{iostats}");
    }
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

/// The array's own file says how far it would go on after a crash, /proc/mdstat how far it is.
#[test]
fn how_far_an_array_is_comes_from_mdstat_where_there_is_one() {
    let md = "sys/devices/virtual/block/md4/md";
    let text = altered(MIRROR, md, "sync_action", "resync");
    let text = altered(&text, md, "sync_completed", "262144 / 4194304");
    assert_eq!(
        progress_of_md4(&text),
        Some(Percent::from_fraction(1.0 / 16.0))
    );
    let mdstat = r"md4 : active raid1 sda1[0]\n      2097152 blocks\n      [==>...]  resync = 12.5% (262144/2097152) finish=1min";
    let told = altered(&text, "proc", "mdstat", mdstat);
    assert_eq!(progress_of_md4(&told), Some(Percent::from_fraction(0.125)));
}

fn progress_of_md4(text: &str) -> Option<Percent> {
    let tree = tree_of(text);
    let layers = tree.layers();
    let array = layers.iter().find(|layer| layer.name == "md4").unwrap();
    let LayerKind::Md(md) = &array.kind else {
        panic!("{array:?}");
    };
    md.sync_progress
}

/// What is not known of a machine, and why.
fn missing(text: &str) -> Vec<(String, String)> {
    let missing = tree_of(text).missing.into_iter();
    missing.map(|m| (m.what, m.why)).collect()
}

#[test]
fn an_nvme_disk_that_says_it_fails_is_named_and_the_sound_one_is_not() {
    let (name, warning) = only(VAULT);
    assert_eq!(name, "nvme1n1");
    assert!(warning.is_failing_disk());
    let words = warning.to_string();
    assert!(words.contains("reliability degraded"), "{words}");
    let sound = altered(VAULT, "answers/nvme1n1", "nvme-log-02", r"\x00C\x01\z509;");
    assert_eq!(warnings(&sound), []);
    // Spare blocks at 4 %, the threshold at 10 %, endurance used to 101 %.
    let page = r"\x01C\x01\x04\x0ae\z506;";
    let worn = warnings(&altered(VAULT, "answers/nvme1n1", "nvme-log-02", page));
    let words: Vec<String> = worn.iter().map(|(_, w)| w.to_string()).collect();
    assert_eq!(words.len(), 2, "{words:?}");
    assert!(
        words[0].starts_with("4.0 % of its spare blocks are left, below its threshold of 10 %")
    );
    assert!(words[1].starts_with("101 % of its rated endurance is used"));
}

#[test]
fn a_log_page_that_is_cut_off_is_not_believed() {
    let cut = altered(VAULT, "answers/nvme1n1", "nvme-log-02", r"\x04C\x01\z29;");
    assert_eq!(warnings(&cut), []);
    let what = "SMART health of nvme1n1".to_owned();
    let why = "its answer is not in the expected form".to_owned();
    assert_eq!(missing(&cut), [(what, why)]);
}

#[test]
fn an_ata_disk_is_judged_by_its_registers_and_its_attributes() {
    let healthy = warnings(DEGRADED);
    let failing = r"r\x01\x00\x1d\x00\x00\x00\x0e\t\x0c\z7;\xf4\x00,\x00P";
    let found = warnings(&altered(
        DEGRADED,
        "answers/sda",
        "ata-smart-status",
        failing,
    ));
    let new: Vec<_> = found.iter().filter(|w| !healthy.contains(w)).collect();
    let alarms = Vec::new();
    assert_eq!(new, [&("sda".to_owned(), Warning::SmartFailing { alarms })]);
    // One attribute, 197, with eight sectors; the last byte makes the sum zero.
    let page = r"\x01\x00\xc5\x12\x00dd\x08\z503;\x58";
    let found = warnings(&altered(DEGRADED, "answers/sda", "ata-smart-data", page));
    let pending = Warning::UnreadableSectors {
        pending: 8,
        uncorrectable: 0,
    };
    assert!(found.contains(&("sda".to_owned(), pending)), "{found:?}");
}

/// 198 of an OCZ Vector are GiB read, and 197 of an MX500 is 0 or 1 by turns.
#[test]
fn what_attributes_of_flash_count_is_not_taken_for_sectors() {
    let page = r"\x01\x00\xc5\x12\x00dd\x01\z6;\xc6\x12\x00dd\x00\x48\z490;\x77";
    let text = altered(DEGRADED, "answers/sda", "ata-smart-data", page);
    assert!(warnings(&text).iter().any(|(_, w)| w.is_failing_disk()));
    let by_queue = text.replace("\nrotational = 1\n", "\nrotational = 0\n");
    let device = "sys/devices/pci0000:00/0000:00:1f.2/ata1/host0/target0:0:0/0:0:0:0";
    let by_its_page = altered(&text, device, "vpd_pgb1", r"\x00\xb1\x00<\x00\x01\z58;");
    for flash in [by_queue, by_its_page] {
        let failing = |(_, warning): &(String, Warning)| warning.is_failing_disk();
        assert!(!warnings(&flash).iter().any(failing));
        let smart = smart_of(&flash, "sda");
        let kept = (smart.attribute_197, smart.attribute_198);
        assert_eq!(kept, (Some(1), Some(18_432)));
        let sectors = (smart.pending_sectors, smart.offline_uncorrectable);
        assert_eq!(sectors, (None, None));
    }
}

fn smart_of(text: &str, name: &str) -> Smart {
    let tree = tree_of(text);
    let layers = tree.layers();
    let disk = layers.iter().find(|layer| layer.name == name).unwrap();
    let LayerKind::Disk(disk) = &disk.kind else {
        panic!("{disk:?}");
    };
    *disk.smart.clone().unwrap()
}

#[test]
fn a_sleeping_disk_is_not_asked() {
    let mode = r"r\x01\x00\x1d\x00\x00\x00\x0e\t\x0c\z12;P";
    let asleep = altered(DEGRADED, "answers/sda", "ata-power-mode", mode);
    // Asked, this one would say that it fails.
    let asleep = altered(
        &asleep,
        "answers/sda",
        "ata-smart-status",
        r"p\z3;P\z5;\xf4,\x00\x1d",
    );
    let note = (
        "SMART health of sda".to_owned(),
        "it is in standby and was not asked".to_owned(),
    );
    assert!(missing(&asleep).contains(&note), "{:?}", missing(&asleep));
    assert!(!warnings(&asleep).iter().any(|(name, _)| name == "sda"));

    let device = "sys/devices/pseudo_0/adapter0/host7/target7:0:0/7:0:0:0/power";
    let asleep = format!("{SCSI}[{device}]\nruntime_status = suspended\n");
    assert_eq!(missing(&asleep)[0].1, note.1);
    assert_eq!(missing(SCSI), []);
}

#[test]
fn a_scsi_disk_that_predicts_its_failure() {
    let page = r"/\x00\x00\x08\x00\x00\x03\x04\x5d\x10\x26\x00";
    let found = warnings(&altered(SCSI, "answers/sdd", "scsi-log-2f", page));
    let failing: Vec<_> = found.iter().filter(|(_, w)| w.is_failing_disk()).collect();
    assert_eq!(failing.len(), 1, "{found:?}");
    assert!(
        failing[0]
            .1
            .to_string()
            .contains("failure predicted, code 5d/10")
    );
}

#[test]
fn a_mirror_of_lvm_without_one_half_and_one_that_is_copied() {
    let found = warnings(DEGRADED);
    let degraded = Warning::DegradedArray { missing: 1, of: 2 };
    assert_eq!(found, [("dm-6".to_owned(), degraded)]);
    let status = "0 65536 raid raid1 2 Aa 1024/65536 recover 0 0 -";
    let busy = Warning::ArrayBusy {
        action: "recover".to_owned(),
    };
    let copied = altered(DEGRADED, "answers/dm-6", "dm-status", status);
    assert_eq!(warnings(&copied), [("dm-6".to_owned(), busy)]);
}

#[test]
fn a_path_that_the_mapper_has_given_up() {
    let numbers: Vec<String> = tree_of(PATHS)
        .leaves()
        .iter()
        .map(|l| l.devno.to_string())
        .collect();
    let [first, second] = numbers.as_slice() else {
        panic!("{numbers:?}")
    };
    let table = format!(
        "0 8 multipath 1 queue_if_no_path 0 2 1 service-time 0 1 1 {first} 1 service-time 0 1 1 {second} 1"
    );
    let status = format!("0 8 multipath 2 1 0 0 2 1 A 0 1 0 {first} A 0 E 0 1 0 {second} F 3");
    let text = format!("{PATHS}[answers/dm-0]\ndm-table = {table}\ndm-status = {status}\n");
    let down = Warning::PathsDown { down: 1, of: 2 };
    assert_eq!(only(&text), ("dm-0".to_owned(), down));
    let drawn = etalon_report::render_text(&tree_of(&text));
    assert!(
        drawn.contains("selector service-time, requests wait when no path is left"),
        "{drawn}"
    );
    assert!(drawn.contains("group 2 failed"), "{drawn}");
}
