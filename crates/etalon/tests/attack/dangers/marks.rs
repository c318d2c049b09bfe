//! Marks that stand on a device which nothing uses: whoever put them there wants it back.

/// From which end a place is counted.
#[derive(Clone, Copy)]
pub(crate) enum At {
    Start(u64),
    /// Back from the end, once the size is rounded down to a multiple of the second.
    End(u64, u64),
}
use At::{End, Start};

impl At {
    pub(crate) fn of(self, size: u64) -> u64 {
        match self {
            Start(offset) => offset,
            End(back, unit) => size - size % unit - back,
        }
    }
}

const MD: &[u8] = &0xa92b_4efc_u32.to_le_bytes();

/// Written here as libblkid and the formats' own descriptions have them, not taken from etalon.
#[rustfmt::skip]
pub(crate) const MARKS: &[(&str, At, &[u8])] = &[
    ("ext4", Start(0x438), &[0x53, 0xef]),
    ("XFS", Start(0), b"XFSB"),
    ("btrfs member", Start(0x1_0040), b"_BHRfS_M"),
    ("F2FS", Start(0x400), &0xf2f5_2010_u32.to_le_bytes()),
    ("swap", Start(4086), b"SWAPSPACE2"),
    ("swap of 64 KiB pages", Start(65_526), b"SWAPSPACE2"),
    ("suspend image", Start(4086), b"S1SUSPEND"),
    ("LUKS", Start(0), b"LUKS\xba\xbe"),
    ("LUKS second header", Start(0x4000), b"SKUL\xba\xbe"),
    ("BitLocker", Start(3), b"-FVE-FS-"),
    ("LVM sector 0", Start(0), b"LABELONE"),
    ("LVM sector 1", Start(512), b"LABELONE"),
    ("md 1.1", Start(0), MD),
    ("md 1.2", Start(4096), MD),
    ("md 1.0", End(8192, 4096), MD),
    ("md 0.90", End(65_536, 65_536), MD),
    ("Intel RAID", End(1024, 512), b"Intel Raid ISM Cfg Sig. "),
    ("DDF RAID", End(512, 512), &[0xde, 0x11, 0xde, 0x11]),
    ("bcache", Start(4120), b"\xc6\x85\x73\xf6\x4e\x1a\x45\xca\x82\x65\xf5\x7f\x48\xba\x6d\x81"),
    ("bcachefs", Start(4120), b"\xc6\x85\x73\xf6\x66\xce\x90\xa9\xd9\x6a\x60\xcf\x80\x3d\xf7\xef"),
    ("NTFS", Start(3), b"NTFS    "),
    ("exFAT", Start(3), b"EXFAT   "),
    ("FAT", Start(82), b"FAT32   "),
    ("ISO 9660", Start(0x8001), b"CD001"),
    ("UDF", Start(0x8001), b"BEA01"),
    ("APFS", Start(32), b"NXSB"),
    ("SquashFS", Start(0), b"hsqs"),
    ("EROFS", Start(1024), &0xe0f5_e1e2_u32.to_le_bytes()),
    ("ReiserFS", Start(65_588), b"ReIsEr2Fs"),
    ("JFS", Start(32_768), b"JFS1"),
    ("GFS2", Start(65_536), &0x0116_1970_u32.to_be_bytes()),
    ("VDO", Start(0), b"dmvdo001"),
    ("Ceph BlueStore", Start(0), b"bluestore block device"),
    ("Oracle ASM", Start(32), b"ORCLDISK"),
    ("ZFS", Start(128 << 10), &0x00ba_b10c_u64.to_le_bytes()),
    ("ZFS last label", End(128 << 10, 256 << 10), &0x00ba_b10c_u64.to_le_bytes()),
    ("DRBD", End(4036, 4096), &0x8374_026d_u32.to_be_bytes()),
    ("partition table (MBR)", Start(510), &[0x55, 0xaa]),
    ("partition table (GPT)", Start(512), b"EFI PART"),
    ("partition table (backup GPT)", End(512, 512), b"EFI PART"),
];
