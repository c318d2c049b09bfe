//! Partition tables.

use std::fs::File;
use std::io;

use super::{Signature, is_at, read_at_most};

/// Partition tables: GPT stands in the second logical block and again in the last; MBR is told
/// from the boot sector of FAT and NTFS, which end alike, by what stands in its four entries.
pub(super) const GPT: &[u8] = b"EFI PART";

pub(super) fn tables(device: &File, size: u64, marks: &[Signature]) -> io::Result<Vec<Signature>> {
    let table = |kind, offset| Signature {
        kind,
        is_table: true,
        offset,
    };
    let mut found = Vec::new();
    for block in [512, 4096] {
        let last = (size - size % block).checked_sub(block);
        for offset in [Some(block), last].into_iter().flatten() {
            if is_at(device, offset, GPT)? {
                found.push(table("GPT", offset));
            }
        }
    }
    let sector = read_at_most(device, 0, 512)?;
    let is_boot_sector = marks
        .iter()
        .any(|m| matches!(m.kind, "FAT" | "NTFS" | "exFAT"));
    if !is_boot_sector && is_mbr(&sector) {
        found.push(table("MBR", 510));
    }
    Ok(found)
}

/// `55 aa` at the end, and in each of four entries an active flag of 0 or 80h.
fn is_mbr(sector: &[u8]) -> bool {
    let Some(entries) = sector.get(446..510) else {
        return false;
    };
    let flags = entries.chunks(16).all(|entry| matches!(entry[0], 0 | 0x80));
    flags && sector.get(510..512) == Some(&[0x55, 0xaa])
}
