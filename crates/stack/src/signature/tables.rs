//! Partition tables.

use std::fs::File;
use std::io;

use super::{Signature, is_at, read_at_most};

/// Partition tables: GPT stands in the second logical block and again in the last; MBR is told
/// from the boot sector of FAT and NTFS, which end alike, by what stands in its four entries.
pub(super) const GPT: &[u8] = b"EFI PART";

/// Tables of other systems, as libblkid has them (libblkid/src/partitions of util-linux).
pub(super) const OTHERS: &[(&str, u64, &[u8])] = &[
    ("SGI", 0, &0x0be5_a941_u32.to_be_bytes()),
    ("AIX", 0, b"\xc9\xc2\xd4\xc1"),
    ("Apple", 512, b"PM\0\0"),
    ("BSD", 64, BSD),
    ("BSD", 128, BSD),
    ("BSD", 512, BSD),
    ("Solaris", 512 + 12, &0x600d_deee_u32.to_le_bytes()),
    ("UnixWare", (29 << 9) + 4, &0xca5e_600d_u32.to_le_bytes()),
];
const BSD: &[u8] = &0x8256_4557_u32.to_le_bytes();

pub(super) fn tables(device: &File, size: u64, marks: &[Signature]) -> io::Result<Vec<Signature>> {
    let table = |kind: &'static str, offset| Signature {
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
    for (kind, offset, magic) in OTHERS {
        if is_at(device, *offset, magic)? {
            found.push(table(kind, *offset));
        }
    }
    let sector = read_at_most(device, 0, 512)?;
    if is_sun(&sector) {
        found.push(table("Sun", 508));
    }
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

/// `da be`, and words of 16 bits that come to nothing.
fn is_sun(sector: &[u8]) -> bool {
    let words = sector.chunks_exact(2).map(|word| [word[0], word[1]]);
    let sum = words.fold([0, 0], |sum, word| [sum[0] ^ word[0], sum[1] ^ word[1]]);
    sector.get(508..510) == Some(&[0xda, 0xbe]) && sum == [0, 0]
}
