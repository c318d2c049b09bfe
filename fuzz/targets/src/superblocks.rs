//! The first MiB of a device: superblocks, LUKS headers, LVM labels and every other mark.
//!
//! The first byte chooses the filesystem that is mounted from the device, or the mapping that
//! stands on it; the others are the device's content.

use std::cell::RefCell;
use std::path::{Path, PathBuf};

use etalon_report::render_text;
use etalon_stack::{Stack, device_use};

use crate::machine::{Entry, Machine};

const FILESYSTEMS: &[&str] = &["ext4", "ext2", "xfs", "btrfs", "f2fs"];
const MAPPINGS: &[&str] = &["LVM-a", "CRYPT-LUKS2-a", "CRYPT-LUKS1-a"];

/// A disk mounted as `kind`, or with a mapping of that UUID on it.
fn machine(index: usize) -> Machine {
    let disk = "[sys/dev/block]\n8:0 -> ../../block/sda\n253:0 -> ../../block/dm-0\n\
                [sys/block/sda]\ndev = 8:0\nsize = 2048\n[sys/block/dm-0]\ndev = 253:0\n\
                [proc]\nswaps = Filename\n";
    let line = match FILESYSTEMS.get(index) {
        Some(kind) => format!("[proc/self]\nmountinfo = 1 1 8:0 / / rw - {kind} /dev/sda rw\n"),
        None => format!(
            "[sys/block/dm-0/dm]\nname = vg0-data\nuuid = {}\n[sys/block/dm-0/slaves]\n\
             sda -> ../../sda\n[proc/self]\nmountinfo = 1 1 253:0 / / rw - ext4 /dev/dm-0 rw\n",
            MAPPINGS[index - FILESYSTEMS.len()]
        ),
    };
    Machine::unpack(&format!("{disk}{line}"))
}

thread_local! {
    static MACHINES: RefCell<Vec<Machine>> = RefCell::new(
        (0..FILESYSTEMS.len() + MAPPINGS.len()).map(machine).collect(),
    );
}

/// What must hold of any input.
pub fn check(bytes: &[u8]) {
    let Some((choice, content)) = bytes.split_first() else {
        return;
    };
    let content = content[..content.len().min(1 << 20)].to_vec();
    MACHINES.with_borrow(|machines| {
        let machine = &machines[usize::from(*choice) % machines.len()];
        machine.make(&Entry::File(PathBuf::from("dev/sda"), content));
        let tree = Stack::of(Path::new("/x"), &machine.roots()).expect("the machine is sound");
        let drawn = render_text(&tree);
        assert!(!drawn.contains(|c: char| c.is_control() && c != '\n'));
        let _ = device_use(Path::new("/dev/sda"), &machine.roots());
    });
}
