//! The metadata text that LVM keeps on a physical volume, behind a sound label and header.

use std::path::{Path, PathBuf};

use etalon_report::render_text;
use etalon_stack::Stack;

use crate::machine::{Entry, Machine};

const MACHINE: &str = "[sys/dev/block]\n8:0 -> ../../block/sda\n253:0 -> ../../block/dm-0\n\
     [sys/block/sda]\ndev = 8:0\nsize = 2048\n[sys/block/dm-0]\ndev = 253:0\n\
     [sys/block/dm-0/dm]\nname = vg0-data\nuuid = LVM-a\n[sys/block/dm-0/slaves]\n\
     sda -> ../../sda\n[proc/self]\nmountinfo = 1 1 253:0 / / rw - ext4 /dev/dm-0 rw\n";

/// Where the metadata area begins, how long it is, and where in it the text begins.
const AREA: usize = 4096;
const LENGTH: u64 = 1 << 20;
const TEXT: usize = 512;

/// A label in the second sector, a header of one data area and one metadata area, and the text
/// (lvm2, lib/format_text/layout.h).
fn volume(text: &[u8]) -> Vec<u8> {
    let mut bytes = vec![0; AREA + TEXT];
    let mut put = |at: usize, value: &[u8]| bytes[at..at + value.len()].copy_from_slice(value);
    put(512, b"LABELONE");
    put(532, &32_u32.to_le_bytes());
    put(536, b"LVM2 001");
    put(584, &(1_u64 << 20).to_le_bytes());
    put(616, &(AREA as u64).to_le_bytes());
    put(624, &LENGTH.to_le_bytes());
    put(AREA + 4, b"\x20LVM2\x20x[5A%r0N*>");
    put(AREA + 40, &(TEXT as u64).to_le_bytes());
    put(AREA + 48, &(text.len() as u64).to_le_bytes());
    bytes.extend(text);
    bytes
}

thread_local! {
    static PLACE: Machine = Machine::unpack(MACHINE);
}

/// What must hold of any input.
pub fn check(text: &[u8]) {
    PLACE.with(|machine| {
        machine.make(&Entry::File(PathBuf::from("dev/sda"), volume(text)));
        let tree = Stack::of(Path::new("/x"), &machine.roots()).expect("the machine is sound");
        let drawn = render_text(&tree);
        assert!(!drawn.contains(|c: char| c.is_control() && c != '\n'));
    });
}
