//! Where each format has its magic number.

/// From which end of the device a place is counted.
#[derive(Clone, Copy)]
pub(super) enum CountedFrom {
    /// Bytes from the beginning.
    Start(u64),
    /// Bytes back from the end, after the size is rounded down to a multiple of the second.
    End(u64, u64),
}

pub(super) struct SignatureMark {
    pub(super) kind: &'static str,
    pub(super) place: CountedFrom,
    pub(super) magic: &'static [u8],
}

pub(super) const fn at(kind: &'static str, offset: u64, magic: &'static [u8]) -> SignatureMark {
    SignatureMark {
        kind,
        place: CountedFrom::Start(offset),
        magic,
    }
}

pub(super) const fn from_end(
    kind: &'static str,
    back: u64,
    unit: u64,
    magic: &'static [u8],
) -> SignatureMark {
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
pub(super) const MARKS: &[SignatureMark] = &[
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
