//! Copied machines whose files are missing, cut off, replaced or linked to themselves: whatever
//! stands under the roots, nothing panics and every reading ends.

#![expect(
    clippy::unwrap_used,
    reason = "a test that cannot go on should say where"
)]

#[path = "hostile/endless.rs"]
mod endless;
mod harm;
mod machine;

use std::path::Path;

use etalon_report::render_text;
use etalon_stack::Stack;
use proptest::prelude::*;

use harm::{Harm, TARGETS, WORDS, read_all};
use machine::{Entry, Machine, entries};

const MACHINES: &[&str] = &[
    include_str!("machines/lvm-md-nvme.machine"),
    include_str!("machines/lvm-raid1.machine"),
    include_str!("machines/lvm-raid1-degraded.machine"),
    include_str!("machines/crypt-lvm-nvme.machine"),
    include_str!("machines/scsi-log-pages.machine"),
    include_str!("machines/luks.machine"),
    include_str!("machines/btrfs-raid1.machine"),
    include_str!("machines/multipath.machine"),
    include_str!("machines/loop-in-loop.machine"),
    include_str!("machines/usb-box-raid5.machine"),
    include_str!("machines/zram.machine"),
    include_str!("machines/overlay.machine"),
    include_str!("machines/meters.machine"),
];

fn harm() -> impl Strategy<Value = Harm> {
    let word = |word: &str| Harm::Overwrite(word.as_bytes().to_vec());
    prop_oneof![
        Just(Harm::Remove),
        any::<usize>().prop_map(Harm::Cut),
        prop::sample::select(WORDS).prop_map(word),
        prop::collection::vec(any::<u8>(), 0..600).prop_map(Harm::Overwrite),
        any::<u8>().prop_map(Harm::Repeat),
        Just(Harm::Directory),
        prop::sample::select(TARGETS).prop_map(|target| Harm::LinkTo(target.to_owned())),
        Just(Harm::LinkToItself),
        Just(Harm::Pipe),
    ]
}

fn do_harm(entries: &mut Vec<Entry>, place: usize, harm: Harm) {
    if entries.is_empty() {
        return;
    }
    let index = place % entries.len();
    match harm.done_to(&entries[index]) {
        Some(entry) => entries[index] = entry,
        None => drop(entries.remove(index)),
    }
}

proptest! {
    // A quarter of the usual number: each case writes and reads some hundred files.
    #![proptest_config(ProptestConfig { cases: ProptestConfig::default().cases / 4, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn nothing_panics_on_harmed_machines(
        which in 0..MACHINES.len(),
        harms in prop::collection::vec((any::<usize>(), harm()), 1..40),
    ) {
        let text = MACHINES[which];
        let target = text.lines().next().unwrap().trim_start_matches("# ");
        let mut machine = entries(text);
        for (place, harm) in harms {
            do_harm(&mut machine, place, harm);
        }
        read_all(&Machine::of(&machine).roots(), Path::new(target));
    }
}

#[test]
fn devices_that_stand_on_each_other_come_to_an_end() {
    let machine = Machine::unpack(
        "[proc/self]\nmountinfo = 1 1 253:0 / / rw - ext4 /dev/dm-0 rw\n\
         [sys/dev/block]\n253:0 -> ../../block/dm-0\n253:1 -> ../../block/dm-1\n\
         [sys/block/dm-0]\ndev = 253:0\n[sys/block/dm-0/dm]\nname = a\n\
         [sys/block/dm-0/slaves]\ndm-1 -> ../../dm-1\ndm-0 -> ../../dm-0\n\
         [sys/block/dm-1]\ndev = 253:1\n[sys/block/dm-1/dm]\nname = b\n\
         [sys/block/dm-1/slaves]\ndm-0 -> ../../dm-0\ndm-1 -> ../../dm-1\n",
    );
    let tree = Stack::of(Path::new("/x"), &machine.roots()).unwrap();
    assert!(render_text(&tree).contains("too deep or too wide"));
    assert_eq!(tree.layers().len(), 2);
}

#[test]
fn a_machine_without_proc_is_an_error_that_names_the_file() {
    let machine = Machine::unpack("[sys]\nempty/\n");
    let error = Stack::of(Path::new("/x"), &machine.roots()).unwrap_err();
    assert!(error.to_string().contains("proc/self/mountinfo"), "{error}");
}

#[test]
fn a_device_the_kernel_does_not_show_is_drawn_as_unknown() {
    let machine = Machine::unpack("[proc/self]\nmountinfo = 1 1 8:1 / / rw - ext4 /dev/sda1 rw\n");
    let tree = Stack::of(Path::new("/x"), &machine.roots()).unwrap();
    assert!(tree.one_line().contains("8:1"), "{}", tree.one_line());
    assert_eq!(tree.leaves().len(), 1);
}

#[test]
fn control_characters_of_names_never_reach_the_terminal() {
    let machine = Machine::unpack(
        "[proc/self]\nmountinfo = 1 1 8:0 / / rw - ext4 /dev/sda rw\n\
         [sys/dev/block]\n8:0 -> ../../block/sda\n[sys/block/sda]\ndev = 8:0\n\
         [sys/block/sda/device]\nmodel = Evil\\x1b[31mDisk\n",
    );
    let tree = Stack::of(Path::new("/x"), &machine.roots()).unwrap();
    let text = render_text(&tree);
    assert!(text.contains("Evil") && !text.contains('\u{1b}'), "{text}");
}

#[test]
fn a_mount_point_with_an_escape_sequence_is_found_and_printed_harmlessly() {
    let machine = Machine::unpack(
        "[proc/self]\nmountinfo = 1 0 0:2 / / rw - rootfs rootfs rw\\n2 1 0:30 / /a\x1b[31m\\\\011b rw - tmpfs tmpfs rw\n",
    );
    let tree = Stack::of(Path::new("/a\u{1b}[31m\tb/file"), &machine.roots()).unwrap();
    assert_eq!(tree.filesystem.as_ref().unwrap().fs_type, "tmpfs");
    for text in [render_text(&tree), tree.one_line()] {
        assert!(!text.contains(['\u{1b}', '\t']), "{text}");
    }
}
