//! Files that are too long, too many, never answer or lead back to themselves: every reading ends,
//! and what it gives stays small enough to keep with each run.

use std::path::Path;

use etalon_model::stack::{Layer, Missing, StackTree};
use etalon_report::render_text;
use etalon_stack::{Stack, manifest};

use crate::harm::{Harm, TARGETS, read_all};
use crate::machine::{Entry, Machine, entries};

const MACHINES: &[&str] = &[
    include_str!("../machines/lvm-md-nvme.machine"),
    include_str!("../machines/loop-in-loop.machine"),
    include_str!("../machines/usb-box-raid5.machine"),
    include_str!("../machines/meters.machine"),
];

/// Every file of a machine but the list of mounts, without which nothing is read, in the same way.
fn all_harmed(text: &str, harm: &Harm) -> Machine {
    let harmed = entries(text).into_iter().filter_map(|entry| match &entry {
        Entry::File(path, _) if !path.ends_with("self/mountinfo") => harm.clone().done_to(&entry),
        _ => Some(entry),
    });
    Machine::of(&harmed.collect::<Vec<_>>())
}

fn target_of(text: &str) -> &Path {
    Path::new(text.lines().next().unwrap().trim_start_matches("# "))
}

fn tree(machine: &Machine) -> StackTree {
    Stack::of(Path::new("/x"), &machine.roots()).unwrap()
}

/// A disk with an ext4 on it, more of which follows.
fn disk(more: &str) -> String {
    format!(
        "[proc/self]\nmountinfo = 1 1 8:0 / / rw - ext4 /dev/sda rw\n\
         [sys/dev/block]\n8:0 -> ../../block/sda\n[sys/block/sda]\ndev = 8:0\n{more}"
    )
}

#[test]
fn no_pipe_is_waited_for() {
    for text in MACHINES {
        let machine = all_harmed(text, &Harm::Pipe);
        read_all(&machine.roots(), target_of(text));
    }
}

#[test]
fn files_that_cannot_be_read_or_have_no_end_are_done_without() {
    for target in TARGETS {
        for text in MACHINES {
            let machine = all_harmed(text, &Harm::LinkTo((*target).to_owned()));
            read_all(&machine.roots(), target_of(text));
        }
    }
}

#[test]
fn what_may_not_be_read_is_noted() {
    let machine = Machine::unpack(&disk(
        "size -> /proc/self/mem\nro -> /proc/sys/vm/compact_memory\n",
    ));
    let missing = tree(&machine).missing;
    let why = |end: &str| {
        let entry = missing.iter().find(|m| m.what.ends_with(end));
        entry.map(|m| m.why.clone()).unwrap_or_default()
    };
    assert!(why("sda/size").contains("os error 5"), "{missing:?}");
    if Path::new("/proc/sys/vm/compact_memory").exists() {
        assert!(why("sda/ro").contains("permission denied"), "{missing:?}");
    }
}

#[test]
fn a_list_of_swap_areas_longer_than_the_kernel_keeps_is_cut_off() {
    let bad: String = (0..200_000).map(|n| format!("{n}\\n")).collect();
    let good = "/dev/sda partition 8 0 -2\\n".repeat(10_000);
    for lines in [bad, good] {
        let text = disk(&format!("[proc]\nswaps = Filename\\n{lines}\n"));
        let tree = tree(&Machine::unpack(&text));
        assert!(tree.swaps.len() <= 32, "{}", tree.swaps.len());
        assert!(tree.missing.len() < 64, "{}", tree.missing.len());
        assert!(tree.missing.iter().any(|m| m.what.contains("/proc/swaps")));
    }
}

#[test]
fn devices_that_are_not_there_count_against_the_width_of_a_tree() {
    let gone: String = (0..3000).map(|n| format!("gone{n} -> nowhere\n")).collect();
    let machine = Machine::unpack(&disk(&format!(
        "[sys/block/sda/slaves]\nsda -> ../../sda\n{gone}"
    )));
    fn count(layer: &Layer) -> usize {
        1 + layer.below.iter().map(count).sum::<usize>()
    }
    let tree = tree(&machine);
    let layers: usize = tree.devices.iter().map(count).sum();
    assert!(layers <= 2100, "{layers}");
    assert!(render_text(&tree).contains("too deep or too wide"));
}

#[test]
fn a_control_group_with_a_path_longer_than_any_is_passed_over() {
    let machine = Machine::unpack(&format!(
        "[proc/self]\nmountinfo = 1 1 0:2 / / rw - tmpfs none rw\\n\
         2 1 0:3 / /sys/fs/cgroup rw - cgroup2 none rw\n\
         cgroup = 0::{}\\n0::/b\\n\n[sys/fs/cgroup/b]\nio.weight = default 50\n",
        "/a".repeat(200_000),
    ));
    let facts = manifest(&tree(&machine), &machine.roots(), &[]).facts;
    assert_eq!(
        facts.get("cgroup.io.weight").map(String::as_str),
        Some("default 50")
    );
}

#[test]
fn an_attribute_longer_than_a_page_is_cut_off() {
    let machine = Machine::unpack(&disk(&format!(
        "[sys/block/sda/device]\nmodel = {}\n",
        "m".repeat(1 << 20)
    )));
    let stored = serde_json::to_string(&tree(&machine)).unwrap();
    assert!(stored.len() < 200_000, "{}", stored.len());
}

#[test]
fn a_device_mapper_table_longer_than_any_is_cut_off_at_a_line() {
    let lines: String = (0..50_000)
        .map(|n| format!("{n} 1 linear 8:0 {n}\\n"))
        .collect();
    let machine = Machine::unpack(&format!(
        "[proc/self]\nmountinfo = 1 1 253:0 / / rw - ext4 /dev/dm-0 rw\n\
         [sys/dev/block]\n253:0 -> ../../block/dm-0\n[sys/block/dm-0]\ndev = 253:0\n\
         [sys/block/dm-0/dm]\nname = a\n[answers/dm-0]\ndm-table = {lines}\n"
    ));
    let tree = tree(&machine);
    let stored = serde_json::to_string(&tree).unwrap();
    assert!(stored.len() < 1 << 20, "{}", stored.len());
    let noted = |m: &Missing| m.what.contains("rest of the device-mapper table");
    assert!(tree.missing.iter().any(noted), "{:?}", tree.missing);
}

#[test]
fn speeds_that_are_no_numbers_are_not_kept() {
    for speed in ["inf", "-inf", "nan", "1e999", "1e308"] {
        let machine = Machine::unpack(&format!(
            "[proc/self]\nmountinfo = 1 1 8:0 / / rw - ext4 /dev/sda rw\n\
             [sys/dev/block]\n8:0 -> ../../devices/usb2/2-1/block/sda\n\
             [sys/devices/usb2/2-1]\nsubsystem -> ../../../bus/usb\nspeed = {speed}\nversion = 3.1\n\
             [sys/devices/usb2/2-1/block/sda]\ndev = 8:0\n\
             [sys/devices/system/cpu/cpu0/cpufreq]\nscaling_cur_freq = {speed}\n\
             [sys/devices/system/cpu/cpu1/cpufreq]\nscaling_cur_freq = {speed}\n"
        ));
        read_all(&machine.roots(), Path::new("/x"));
    }
}

#[test]
fn a_loop_device_or_an_overlay_on_itself_can_be_stored_and_read_back() {
    let on_itself = [
        "mountinfo = 1 1 7:0 / / rw - ext4 /dev/loop0 rw",
        "mountinfo = 1 1 7:0 / / rw - overlay o rw,upperdir=/u,lowerdir=/l",
        "mountinfo = 1 1 7:0 / / rw - btrfs /dev/loop0 rw",
    ];
    for mounts in on_itself {
        let machine = Machine::unpack(&format!(
            "[proc/self]\n{mounts}\n[sys/dev/block]\n7:0 -> ../../block/loop0\n\
             [sys/block/loop0]\ndev = 7:0\n[sys/block/loop0/loop]\nbacking_file = /x/file\n"
        ));
        read_all(&machine.roots(), Path::new("/x"));
    }
}

#[test]
fn a_device_s_name_does_not_lead_out_of_its_directory() {
    let mut superblock = vec!["\\z1080;S\\xef".to_owned()];
    superblock.push("\\z62;outside\\z1000;".to_owned());
    let machine = Machine::unpack(&format!(
        "[proc/self]\nmountinfo = 1 1 8:0 / / rw - ext4 /dev/sda rw\n[dev]\nnull =\n[]\nout = {}\n\
         [sys/dev/block]\n8:0 -> ../../block/..!out\n[sys/block/..!out]\ndev = 8:0\n",
        superblock.concat()
    ));
    let fs = tree(&machine).filesystem.unwrap();
    assert_eq!(fs.label, None);
}
