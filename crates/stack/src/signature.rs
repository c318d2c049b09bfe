//! Marks that filesystems, arrays, volumes and partition tables leave on a device.

use std::fs::File;
use std::io::{self, Seek, SeekFrom};
use std::os::unix::fs::FileExt;

/// A mark found on a device.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Signature {
    /// What it marks, such as `ext2/3/4` or `LVM2 physical volume`.
    pub kind: &'static str,
    /// Whether it is a partition table.
    pub is_table: bool,
    /// Where, in bytes from the beginning of the device.
    pub offset: u64,
}

/// From which end of the device a place is counted.
#[derive(Clone, Copy)]
enum CountedFrom {
    /// Bytes from the beginning.
    Start(u64),
    /// Bytes back from the end, after the size is rounded down to a multiple of the second.
    End(u64, u64),
}

struct SignatureMark {
    kind: &'static str,
    place: CountedFrom,
    magic: &'static [u8],
}

const fn at(kind: &'static str, offset: u64, magic: &'static [u8]) -> SignatureMark {
    SignatureMark {
        kind,
        place: CountedFrom::Start(offset),
        magic,
    }
}

const fn from_end(kind: &'static str, back: u64, unit: u64, magic: &'static [u8]) -> SignatureMark {
    SignatureMark {
        kind,
        place: CountedFrom::End(back, unit),
        magic,
    }
}

const MD: &[u8] = &0xa92b_4efc_u32.to_le_bytes();
const MD_BIG: &[u8] = &0xa92b_4efc_u32.to_be_bytes();
/// Magic numbers by include/uapi/linux/magic.h and each format's own header file: fs/ext4/ext4.h,
/// fs/xfs/libxfs/xfs_format.h, fs/btrfs/fs.h, include/linux/f2fs_fs.h, include/linux/swap.h,
/// drivers/md/md.h (`MD_SB_MAGIC`), drivers/md/bcache, LUKS and LVM2 on-disk format descriptions.
const MARKS: &[SignatureMark] = &[
    at("ext2/3/4", 0x438, &[0x53, 0xef]),
    at("XFS", 0, b"XFSB"),
    at("btrfs", 0x1_0040, b"_BHRfS_M"),
    at("F2FS", 0x400, &0xf2f5_2010_u32.to_le_bytes()),
    at("swap", 4086, b"SWAPSPACE2"),
    at("swap", 4086, b"SWAP-SPACE"),
    at("swap", 8182, b"SWAPSPACE2"),
    at("swap", 16_374, b"SWAPSPACE2"),
    at("swap", 32_758, b"SWAPSPACE2"),
    at("swap", 65_526, b"SWAPSPACE2"),
    at("suspend image", 4086, b"S1SUSPEND"),
    at("LUKS", 0, b"LUKS\xba\xbe"),
    at("LUKS (second header)", 0x4000, b"SKUL\xba\xbe"),
    at("BitLocker", 3, b"-FVE-FS-"),
    at("LVM2 physical volume", 0, b"LABELONE"),
    at("LVM2 physical volume", 512, b"LABELONE"),
    at("LVM2 physical volume", 1024, b"LABELONE"),
    at("LVM2 physical volume", 1536, b"LABELONE"),
    at("LVM1 physical volume", 0, b"HM\x01\x00"),
    at("md array member (1.1)", 0, MD),
    at("md array member (1.2)", 4096, MD),
    from_end("md array member (1.0)", 8192, 4096, MD),
    from_end("md array member (0.90)", 65_536, 65_536, MD),
    from_end("md array member (0.90)", 65_536, 65_536, MD_BIG),
    from_end(
        "Intel firmware RAID member",
        1024,
        512,
        b"Intel Raid ISM Cfg Sig. ",
    ),
    from_end(
        "DDF firmware RAID member",
        512,
        512,
        &[0xde, 0x11, 0xde, 0x11],
    ),
    at(
        "bcache",
        4120,
        b"\xc6\x85\x73\xf6\x4e\x1a\x45\xca\x82\x65\xf5\x7f\x48\xba\x6d\x81",
    ),
    at(
        "bcachefs",
        4120,
        b"\xc6\x85\x73\xf6\x66\xce\x90\xa9\xd9\x6a\x60\xcf\x80\x3d\xf7\xef",
    ),
    at("NTFS", 3, b"NTFS    "),
    at("exFAT", 3, b"EXFAT   "),
    at("FAT", 82, b"FAT32   "),
    at("FAT", 54, b"FAT16   "),
    at("FAT", 54, b"FAT12   "),
    at("ISO 9660", 0x8001, b"CD001"),
    at("UDF", 0x8001, b"BEA01"),
    at("UDF", 0x8801, b"NSR0"),
    at("HFS+", 1024, b"H+\x00\x04"),
    at("APFS", 32, b"NXSB"),
    at("SquashFS", 0, b"hsqs"),
    at("EROFS", 1024, &0xe0f5_e1e2_u32.to_le_bytes()),
    at("NILFS2", 1030, &[0x34, 0x34]),
    at("ReiserFS", 65_588, b"ReIsEr"),
    at("JFS", 32_768, b"JFS1"),
    at("GFS2", 65_536, &0x0116_1970_u32.to_be_bytes()),
    at("OCFS2", 4096, b"OCFSV2"),
    at("VMFS", 0x20_0000, &0xc001_d00d_u32.to_le_bytes()),
    at("VDO", 0, b"dmvdo001"),
    at("Ceph BlueStore", 0, b"bluestore block device"),
    at("Oracle ASM", 32, b"ORCLDISK"),
    at("QEMU image", 0, b"QFI\xfb"),
    from_end("DRBD metadata", 4036, 4096, &0x8374_026d_u32.to_be_bytes()),
];

/// Partition tables: GPT stands in the second logical block and again in the last; MBR is told
/// from the boot sector of FAT and NTFS, which end alike, by what stands in its four entries.
const GPT: &[u8] = b"EFI PART";

/// Every mark on `device`, sorted by offset.
///
/// # Errors
/// When the device, or one of the places where a mark may stand, cannot be read.
pub fn signatures(device: &mut File) -> io::Result<Vec<Signature>> {
    let size = device.seek(SeekFrom::End(0))?;
    let mut found = Vec::new();
    for mark in MARKS {
        let offset = match mark.place {
            CountedFrom::Start(offset) => Some(offset),
            CountedFrom::End(back, unit) => (size - size % unit).checked_sub(back),
        };
        let Some(offset) = offset else { continue };
        if is_at(device, offset, mark.magic)? {
            found.push(Signature {
                kind: mark.kind,
                is_table: false,
                offset,
            });
        }
    }
    found.extend(zfs(device, size)?);
    found.extend(tables(device, size, &found)?);
    found.sort_by_key(|signature| signature.offset);
    found.dedup();
    Ok(found)
}

/// `UBERBLOCK_MAGIC` of ZFS, in the byte order of the machine that wrote it.
const ZFS: u64 = 0x00ba_b10c;
/// Two labels of this size stand at either end; the second half of each is a ring of uberblocks, at
/// least 1 KiB apart, of which a young pool has written but a few (vdev_impl.h, `vdev_label_t`).
const ZFS_LABEL: u64 = 256 << 10;
const ZFS_STEP: usize = 1024;

fn zfs(device: &File, size: u64) -> io::Result<Option<Signature>> {
    let end = size - size % ZFS_LABEL;
    let behind = [2, 1]
        .into_iter()
        .filter_map(|labels| end.checked_sub(labels * ZFS_LABEL));
    for label in [0, ZFS_LABEL].into_iter().chain(behind) {
        let ring = label + ZFS_LABEL / 2;
        let bytes = read_at_most(device, ring, (ZFS_LABEL / 2) as usize)?;
        let magics = [ZFS.to_le_bytes(), ZFS.to_be_bytes()];
        let mut blocks = bytes.chunks(ZFS_STEP);
        let found = blocks.position(|block| magics.iter().any(|magic| block.starts_with(magic)));
        if let Some(index) = found {
            return Ok(Some(Signature {
                kind: "ZFS pool member",
                is_table: false,
                offset: ring + (index * ZFS_STEP) as u64,
            }));
        }
    }
    Ok(None)
}

fn tables(device: &File, size: u64, marks: &[Signature]) -> io::Result<Vec<Signature>> {
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

/// A block that cannot be read is an error, not a missing mark.
fn is_at(device: &File, offset: u64, magic: &[u8]) -> io::Result<bool> {
    Ok(read_at_most(device, offset, magic.len())? == magic)
}

/// Up to `length` bytes at `offset`: fewer at the end of the device.
pub(crate) fn read_at_most(device: &File, offset: u64, length: usize) -> io::Result<Vec<u8>> {
    let mut bytes = vec![0; length];
    let mut filled = 0;
    while filled < length {
        match device.read_at(&mut bytes[filled..], offset + filled as u64)? {
            0 => break,
            count => filled += count,
        }
    }
    bytes.truncate(filled);
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn device(size: u64, marks: &[(u64, &[u8])]) -> File {
        let file = tempfile::tempfile().unwrap();
        file.set_len(size).unwrap();
        for (offset, bytes) in marks {
            file.write_all_at(bytes, *offset).unwrap();
        }
        file
    }

    fn kinds(size: u64, marks: &[(u64, &[u8])]) -> Vec<&'static str> {
        let found = signatures(&mut device(size, marks)).unwrap();
        found.into_iter().map(|s| s.kind).collect()
    }

    #[test]
    fn an_empty_device_carries_nothing() {
        assert!(kinds(1 << 20, &[]).is_empty());
        assert!(kinds(0, &[]).is_empty());
        assert!(kinds(100, &[]).is_empty());
    }

    #[test]
    fn every_mark_in_the_table_is_found_where_it_stands() {
        const SIZE: u64 = (4 << 20) + 512;
        for mark in MARKS {
            let offset = match mark.place {
                CountedFrom::Start(offset) => offset,
                CountedFrom::End(back, unit) => SIZE - SIZE % unit - back,
            };
            let found = kinds(SIZE, &[(offset, mark.magic)]);
            assert!(
                found.contains(&mark.kind),
                "{} at {offset}: {found:?}",
                mark.kind
            );
        }
    }

    #[test]
    fn an_uberblock_anywhere_in_the_ring_of_any_label_marks_zfs() {
        const SIZE: u64 = 4 << 20;
        let (little, big) = (ZFS.to_le_bytes(), ZFS.to_be_bytes());
        for label in [0, ZFS_LABEL, SIZE - 2 * ZFS_LABEL, SIZE - ZFS_LABEL] {
            let offset = label + ZFS_LABEL / 2 + 17 * 1024;
            assert_eq!(kinds(SIZE, &[(offset, &little)]), ["ZFS pool member"]);
            assert_eq!(kinds(SIZE, &[(offset, &big)]), ["ZFS pool member"]);
        }
        assert!(kinds(SIZE, &[(64 << 10, &little)]).is_empty());
    }

    #[test]
    fn what_cannot_be_read_is_an_error_and_not_an_empty_device() {
        let directory = tempfile::tempdir().unwrap();
        assert!(signatures(&mut File::open(directory.path()).unwrap()).is_err());
    }

    #[test]
    fn partition_tables_are_told_from_boot_sectors() {
        assert_eq!(kinds(1 << 20, &[(510, &[0x55, 0xaa])]), ["MBR"]);
        let fat = kinds(1 << 20, &[(82, b"FAT32   "), (510, &[0x55, 0xaa])]);
        assert_eq!(fat, ["FAT"]);
        assert_eq!(
            kinds(1 << 20, &[(446, &[7]), (510, &[0x55, 0xaa])]),
            [""; 0]
        );
        assert_eq!(kinds(1 << 20, &[(4096, GPT)]), ["GPT"]);
        assert_eq!(kinds(1 << 20, &[((1 << 20) - 512, GPT)]), ["GPT"]);
    }

    proptest! {
        #[test]
        fn any_device_is_read_without_a_panic(size in 0_u64..200_000, head in prop::collection::vec(any::<u8>(), 0..2000)) {
            let _ = kinds(size, &[(0, &head)]);
        }
    }
}
