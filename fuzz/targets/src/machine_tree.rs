//! A copied machine whose files are removed, cut off, overwritten, made directories, links and
//! pipes: everything that is read of it must end, without a panic, and survive being stored.
//!
//! The first byte chooses the machine; then follow harms, each a place, a kind and what it takes.
//! Machines stay unpacked from one input to the next, and only what was harmed is put back.

use std::fs;
use std::path::{Path, PathBuf};

use arbitrary::{Result, Unstructured};

use crate::harm::{Harm, TARGETS, WORDS, read_all};
use crate::machine::{Entry, Machine, entries};

pub(crate) const MACHINES: &[&str] = &[
    include_str!("../../../crates/stack/tests/machines/lvm-md-nvme.machine"),
    include_str!("../../../crates/stack/tests/machines/lvm-raid1.machine"),
    include_str!("../../../crates/stack/tests/machines/luks.machine"),
    include_str!("../../../crates/stack/tests/machines/btrfs-raid1.machine"),
    include_str!("../../../crates/stack/tests/machines/multipath.machine"),
    include_str!("../../../crates/stack/tests/machines/loop-in-loop.machine"),
    include_str!("../../../crates/stack/tests/machines/usb-box-raid5.machine"),
    include_str!("../../../crates/stack/tests/machines/zram.machine"),
    include_str!("../../../crates/stack/tests/machines/overlay.machine"),
    include_str!("../../../crates/stack/tests/machines/bcache.machine"),
    include_str!("../../../crates/stack/tests/machines/iscsi.machine"),
    include_str!("../../../crates/stack/tests/machines/meters.machine"),
    include_str!("../../../crates/stack/tests/machines/crypt-lvm-nvme.machine"),
    include_str!("../../../crates/stack/tests/machines/lvm-raid1-degraded.machine"),
    include_str!("../../../crates/stack/tests/machines/scsi-log-pages.machine"),
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

/// A golden machine, unpacked.
struct Golden {
    target: PathBuf,
    entries: Vec<Entry>,
    machine: Machine,
}

impl Golden {
    fn new(text: &str) -> Golden {
        let entries = entries(text);
        let target = text.lines().next().unwrap_or_default();
        Golden {
            target: target.trim_start_matches("# ").into(),
            machine: Machine::of(&entries),
            entries,
        }
    }

    /// Takes away what stands at `path`.
    fn clear(&self, path: &Path) {
        let roots = self.machine.roots();
        let place = roots.sysfs.with_file_name("").join(path);
        let is_directory = fs::symlink_metadata(&place).is_ok_and(|found| found.is_dir());
        let _ = match is_directory {
            true => fs::remove_dir_all(&place),
            false => fs::remove_file(&place),
        };
    }

    /// Does what `bytes` say, and tells where.
    fn harm(&self, bytes: &mut Unstructured<'_>) -> Vec<&Entry> {
        let mut harmed = Vec::new();
        while harmed.len() < MOST_HARMS && !bytes.is_empty() {
            let Ok(entry) = bytes.choose(&self.entries) else {
                break;
            };
            let Ok(harm) = harm(bytes) else { break };
            self.clear(entry.path());
            if let Some(entry) = harm.done_to(entry) {
                self.machine.make(&entry);
            }
            harmed.push(entry);
        }
        harmed
    }

    fn put_back(&self, harmed: &[&Entry]) {
        for entry in harmed {
            self.clear(entry.path());
        }
        for entry in harmed {
            self.machine.make(entry);
        }
    }
}

thread_local! {
    static GOLDEN: Vec<Golden> = MACHINES.iter().map(|text| Golden::new(text)).collect();
}

/// What must hold of any input.
pub fn check(bytes: &[u8]) {
    let mut bytes = Unstructured::new(bytes);
    GOLDEN.with(|golden| {
        let Ok(golden) = bytes.choose(golden) else {
            return;
        };
        let harmed = golden.harm(&mut bytes);
        read_all(&golden.machine.roots(), &golden.target);
        golden.put_back(&harmed);
    });
}
