//! Partitions that have bytes of one another.

#![expect(
    clippy::unwrap_used,
    reason = "a test that cannot go on should say where"
)]

mod machine;

use std::path::Path;

use etalon_model::stack::User;
use etalon_stack::device_use;

use machine::Machine;

/// A partition in which a system of BSD has two slices, and one behind it.
const SLICES: &[(&str, u64, u64)] = &[
    ("sda1", 2048, 8192),
    ("sda2", 10_240, 4096),
    ("sda5", 2048, 4096),
    ("sda6", 6144, 4096),
];

fn machine(parts: &[(&str, u64, u64)], mounts: &str) -> Machine {
    let mut text = format!(
        "[proc]\nswaps = Filename\\tType\\tSize\\tUsed\\tPriority\\n\n\
         [proc/self]\nmountinfo = 1 1 0:2 / / rw - rootfs rootfs rw\\n{mounts}\n\
         [sys/dev/block]\n8:0 -> ../../devices/block/sda\n\
         [sys/class/block]\nsda -> ../../devices/block/sda\n\
         [dev]\nsda =\n[sys/devices/block/sda]\ndev = 8:0\n"
    );
    for (name, start, size) in parts {
        let number = &name[3..];
        text += &format!(
            "[dev]\n{name} =\n[sys/dev/block]\n8:{number} -> ../../devices/block/sda/{name}\n\
             [sys/class/block]\n{name} -> ../../devices/block/sda/{name}\n\
             [sys/devices/block/sda/{name}]\ndev = 8:{number}\npartition = {number}\n\
             start = {start}\nsize = {size}\n"
        );
    }
    Machine::unpack(&text)
}

/// Who uses the node, in words.
fn users(machine: &Machine, node: &str) -> Vec<String> {
    let found = device_use(Path::new(node), &machine.roots()).unwrap();
    found.users.iter().map(User::to_string).collect()
}

#[test]
fn a_partition_with_slices_in_it_is_not_free() {
    let machine = machine(SLICES, "");
    assert_eq!(
        users(&machine, "/dev/sda1"),
        ["it has partitions: sda5, sda6"]
    );
    for free in ["/dev/sda2", "/dev/sda5", "/dev/sda6"] {
        assert_eq!(users(&machine, free), [""; 0], "{free}");
    }
}

#[test]
fn who_uses_a_slice_uses_what_it_is_part_of() {
    let machine = machine(SLICES, "40 1 8:5 / /data rw - ufs /dev/sda5 rw\\n");
    let mounted = "/dev/sda5 is mounted at /data";
    assert_eq!(
        users(&machine, "/dev/sda1"),
        [mounted, "it has partitions: sda5, sda6"]
    );
    for free in ["/dev/sda2", "/dev/sda6"] {
        assert_eq!(users(&machine, free), [""; 0], "{free}");
    }
}

#[test]
fn who_uses_what_is_around_a_slice_uses_it() {
    let machine = machine(SLICES, "40 1 8:1 / /data rw - ufs /dev/sda1 rw\\n");
    for slice in ["/dev/sda5", "/dev/sda6"] {
        assert_eq!(users(&machine, slice), ["/dev/sda1 is mounted at /data"]);
    }
    assert_eq!(users(&machine, "/dev/sda2"), [""; 0]);
}

#[test]
fn partitions_that_overlap_or_are_the_same_are_not_free() {
    let overlapping = machine(&[("sda1", 2048, 4096), ("sda2", 4096, 4096)], "");
    assert_eq!(
        users(&overlapping, "/dev/sda1"),
        ["it has partitions: sda2"]
    );
    assert_eq!(
        users(&overlapping, "/dev/sda2"),
        ["it has partitions: sda1"]
    );
    let same = machine(&[("sda1", 2048, 4096), ("sda3", 2048, 4096)], "");
    assert_eq!(users(&same, "/dev/sda3"), ["it has partitions: sda1"]);
}
