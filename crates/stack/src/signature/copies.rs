//! Second copies of what marks a format. Whoever wipes the beginning of a device leaves them, and `fsck` and its
//! like bring everything back from them.

use std::fs::File;
use std::io;

use super::marks::{SignatureMark, at, from_end};
use super::{Signature, read_at_most};

const BTRFS: &[u8] = b"_BHRfS_M";
const LUKS2: &[u8] = b"SKUL\xba\xbe";
const LVM_AREA: &[u8] = b" LVM2 x[5A%r0N*>";
const OCFS2: &[u8] = b"OCFSV2";

/// Copies in places that are the same on every device, or on every one of its size: fs/btrfs/fs.h
/// (`btrfs_sb_offset`), include/linux/f2fs_fs.h, fs/jfs/jfs_filsys.h (`SUPER2_OFF`), fs/ocfs2/ocfs2_fs.h
/// (`OCFS2_BACKUP_SB_START`), fs/nilfs2/nilfs.h (`NILFS_SB2_OFFSET_BYTES`), fs/hfsplus/wrapper.c; the boot sectors
/// that NTFS, exFAT and FAT keep twice; the sizes that LUKS2 allows a header; the metadata areas of LVM2, of which
/// pvcreate(8) makes the second where it is asked to; super-intel.c of mdadm for sectors of 4 KiB, and the second
/// place of DDF that libblkid knows (ddf_raid.c).
pub(super) const COPIES: &[SignatureMark] = &[
    at("btrfs (mirror of its superblock)", (64 << 20) + 0x40, BTRFS),
    at(
        "btrfs (mirror of its superblock)",
        (256 << 30) + 0x40,
        BTRFS,
    ),
    at(
        "F2FS (second superblock)",
        0x1400,
        &0xf2f5_2010_u32.to_le_bytes(),
    ),
    at("JFS (second superblock)", 0xf000, b"JFS1"),
    at("OCFS2 (backup superblock)", 1 << 30, OCFS2),
    at("OCFS2 (backup superblock)", 4 << 30, OCFS2),
    at("OCFS2 (backup superblock)", 16 << 30, OCFS2),
    at("OCFS2 (backup superblock)", 64 << 30, OCFS2),
    at("OCFS2 (backup superblock)", 256 << 30, OCFS2),
    at("OCFS2 (backup superblock)", 1 << 40, OCFS2),
    from_end(
        "NILFS2 (second superblock)",
        4096,
        4096,
        &[2, 0, 0, 0, 0, 0, 0x34, 0x34],
    ),
    from_end("HFS+ (second volume header)", 1024, 512, b"H+\x00\x04"),
    from_end("HFS+ (second volume header)", 1024, 512, b"HX\x00\x05"),
    from_end("NTFS (second boot sector)", 512 - 3, 512, b"NTFS    "),
    from_end("NTFS (second boot sector)", 4096 - 3, 4096, b"NTFS    "),
    at("exFAT (second boot sector)", (12 << 9) + 3, b"EXFAT   "),
    at("exFAT (second boot sector)", (12 << 12) + 3, b"EXFAT   "),
    at("FAT (second boot sector)", (6 << 9) + 82, b"FAT32   "),
    at("FAT (second boot sector)", (6 << 12) + 82, b"FAT32   "),
    at("LUKS (second header)", 0x8000, LUKS2),
    at("LUKS (second header)", 0x1_0000, LUKS2),
    at("LUKS (second header)", 0x2_0000, LUKS2),
    at("LUKS (second header)", 0x4_0000, LUKS2),
    at("LUKS (second header)", 0x8_0000, LUKS2),
    at("LUKS (second header)", 0x10_0000, LUKS2),
    at("LUKS (second header)", 0x20_0000, LUKS2),
    at("LUKS (second header)", 0x40_0000, LUKS2),
    at("LVM2 metadata area", 4096 + 4, LVM_AREA),
    from_end("LVM2 metadata area", (1 << 20) - 4, 1 << 20, LVM_AREA),
    from_end(
        "Intel firmware RAID member",
        8192,
        4096,
        b"Intel Raid ISM Cfg Sig. ",
    ),
    from_end(
        "DDF firmware RAID member",
        257 << 9,
        512,
        &[0xde, 0x11, 0xde, 0x11],
    ),
];

/// Group 1 of ext2 to ext4 begins with a superblock, with sparse_super too. A group has as many blocks as a block
/// of its bitmap has bits, and fewer than 64 Ki (lib/ext2fs/ext2_fs.h of e2fsprogs, `EXT2_MAX_BLOCKS_PER_GROUP`).
pub(super) fn of_ext(device: &File) -> io::Result<Option<Signature>> {
    for log in 0..=6 {
        let block = 1024_u64 << log;
        // The first block of all is left to boot loaders where the superblock does not fit behind them.
        let before = u64::from(log == 0);
        let group = (8 * block).min((64 << 10) - 8) + before;
        let offset = group * block;
        if is_ext(&read_at_most(device, offset, 0x5c)?, log) {
            return Ok(Some(backup("ext2/3/4 (backup superblock)", offset + 0x38)));
        }
    }
    Ok(None)
}

/// A magic number of two bytes is too little far from the beginning: `s_log_block_size` and `s_block_group_nr` tell
/// the place.
fn is_ext(superblock: &[u8], log: u32) -> bool {
    superblock.get(0x38..0x3a) == Some(&[0x53, 0xef])
        && superblock.get(0x18..0x1c) == Some(&log.to_le_bytes())
        && superblock.get(0x5a..0x5c) == Some(&1_u16.to_le_bytes())
}

const XFS_BLOCK: u64 = 4096;
/// As many blocks as fit into less than 1 TiB (xfs_mount.h of xfsprogs, `XFS_AG_MAX_BLOCKS`).
const XFS_LARGEST_GROUP: u64 = (1 << 40) / XFS_BLOCK - 1;
/// Into so many groups mkfs.xfs(8) divides a device: 4 on one disk, 8, 16 or 32 on arrays, and on disks that do not
/// rotate as many as there are processors.
const XFS_GROUPS: &[u64] = &[2, 4, 6, 8, 10, 12, 14, 16, 20, 24, 28, 32, 48, 64];

/// Every group of XFS begins with a superblock: those that are at one of these places.
pub(super) fn of_xfs(device: &File, size: u64) -> io::Result<Vec<Signature>> {
    let mut found = Vec::new();
    for count in XFS_GROUPS {
        let group = (size / XFS_BLOCK).div_ceil(*count).min(XFS_LARGEST_GROUP);
        let offset = group * XFS_BLOCK;
        if is_xfs(&read_at_most(device, offset, 88)?, offset) {
            found.push(backup("XFS (backup superblock)", offset));
        }
    }
    Ok(found)
}

/// `sb_blocksize` and `sb_agblocks` say where groups begin: here, where it is no file of an image.
fn is_xfs(superblock: &[u8], offset: u64) -> bool {
    let number = |at: usize| {
        let bytes = superblock.get(at..at + 4)?.try_into().ok()?;
        Some(u64::from(u32::from_be_bytes(bytes)))
    };
    let group = number(4)
        .zip(number(84))
        .map_or(0, |(block, blocks)| block * blocks);
    superblock.starts_with(b"XFSB") && offset > 0 && group > 0 && offset.is_multiple_of(group)
}

fn backup(kind: &'static str, offset: u64) -> Signature {
    Signature {
        kind,
        is_table: false,
        offset,
    }
}
