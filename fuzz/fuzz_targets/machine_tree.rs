//! A copied machine whose files are removed, cut off, overwritten, made directories, links and
//! pipes: everything that is read of it must end, without a panic, and survive being stored.
//!
//! The first byte chooses the machine; then follow harms, each a place, a kind and what it takes.

#![no_main]

#[path = "../../crates/stack/tests/harm/mod.rs"]
mod harm;
#[path = "../../crates/stack/tests/machine/mod.rs"]
mod machine;

use std::path::Path;

use arbitrary::{Result, Unstructured};
use libfuzzer_sys::fuzz_target;

use harm::{Harm, TARGETS, WORDS, read_all};
use machine::{Entry, Machine, entries};

const MACHINES: &[&str] = &[
    include_str!("../../crates/stack/tests/machines/lvm-md-nvme.machine"),
    include_str!("../../crates/stack/tests/machines/lvm-raid1.machine"),
    include_str!("../../crates/stack/tests/machines/luks.machine"),
    include_str!("../../crates/stack/tests/machines/btrfs-raid1.machine"),
    include_str!("../../crates/stack/tests/machines/multipath.machine"),
    include_str!("../../crates/stack/tests/machines/loop-in-loop.machine"),
    include_str!("../../crates/stack/tests/machines/usb-box-raid5.machine"),
    include_str!("../../crates/stack/tests/machines/zram.machine"),
    include_str!("../../crates/stack/tests/machines/overlay.machine"),
    include_str!("../../crates/stack/tests/machines/bcache.machine"),
    include_str!("../../crates/stack/tests/machines/iscsi.machine"),
    include_str!("../../crates/stack/tests/machines/meters.machine"),
];

/// More do not make a machine any worse.
const MOST_HARMS: usize = 24;

fn harm(bytes: &mut Unstructured<'_>) -> Result<Harm> {
    Ok(match bytes.int_in_range(0..=9)? {
        0 => Harm::Remove,
        1 => Harm::Cut(bytes.arbitrary::<u16>()?.into()),
        2..=3 => Harm::Overwrite(bytes.choose(WORDS)?.as_bytes().to_vec()),
        4..=5 => Harm::Overwrite(bytes.arbitrary()?),
        6 => Harm::Repeat(bytes.arbitrary()?),
        7 => Harm::Directory,
        8 => match bytes.choose_index(TARGETS.len() + 1)? {
            0 => Harm::LinkToItself,
            index => Harm::LinkTo(TARGETS[index - 1].to_owned()),
        },
        _ => Harm::Pipe,
    })
}

fn harmed(text: &str, bytes: &mut Unstructured<'_>) -> Vec<Entry> {
    let mut machine = entries(text);
    for _ in 0..MOST_HARMS {
        if bytes.is_empty() || machine.is_empty() {
            break;
        }
        let Ok(index) = bytes.choose_index(machine.len()) else {
            break;
        };
        let Ok(harm) = harm(bytes) else { break };
        match harm.done_to(&machine[index]) {
            Some(entry) => machine[index] = entry,
            None => drop(machine.swap_remove(index)),
        }
    }
    machine
}

fuzz_target!(|bytes: &[u8]| {
    let mut bytes = Unstructured::new(bytes);
    let text = bytes.choose(MACHINES).unwrap_or(&MACHINES[0]);
    let target = text.lines().next().unwrap_or_default();
    let machine = Machine::of(&harmed(text, &mut bytes));
    read_all(&machine.roots(), Path::new(target.trim_start_matches("# ")));
});
