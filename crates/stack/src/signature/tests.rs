use super::tables::{GPT, OTHERS};
use super::zfs::{ZFS, ZFS_LABEL};
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
fn every_copy_in_the_table_is_found_where_it_stands() {
    const SIZE: u64 = (2 << 40) + 512;
    for mark in COPIES {
        let offset = match mark.place {
            CountedFrom::Start(offset) => offset,
            CountedFrom::End(back, unit) => SIZE - SIZE % unit - back,
        };
        assert_eq!(
            kinds(SIZE, &[(offset, mark.magic)]),
            [mark.kind],
            "{offset}"
        );
    }
}

/// `s_log_block_size`, the magic number and `s_block_group_nr` of a superblock of ext.
fn ext(log: u8, group: u8) -> [u8; 0x5c] {
    let mut superblock = [0; 0x5c];
    superblock[0x18] = log;
    superblock[0x38..0x3a].copy_from_slice(&[0x53, 0xef]);
    superblock[0x5a] = group;
    superblock
}

#[test]
fn a_superblock_of_ext_in_group_1_is_known_by_its_place() {
    const KIND: &str = "ext2/3/4 (backup superblock)";
    let first = |block: u64, group: u64| block * group;
    for (log, offset) in [
        (0, first(1024, 8193)),
        (1, first(2048, 16_384)),
        (2, first(4096, 32_768)),
        (3, first(8192, 65_528)),
        (6, first(65_536, 65_528)),
    ] {
        assert_eq!(kinds(8 << 30, &[(offset, &ext(log, 1))]), [KIND], "{log}");
        // Two bytes may be there by chance, and a file may be the image of another size of blocks.
        for other in [ext(log + 1, 1), ext(log, 0)] {
            assert_eq!(kinds(8 << 30, &[(offset, &other)]), [""; 0], "{log}");
        }
    }
}

#[test]
fn a_superblock_of_xfs_is_known_by_the_groups_that_it_tells_of() {
    let superblock = |group: u32| {
        let mut bytes = [0; 88];
        bytes[..4].copy_from_slice(b"XFSB");
        bytes[4..8].copy_from_slice(&4096_u32.to_be_bytes());
        bytes[84..].copy_from_slice(&group.to_be_bytes());
        bytes
    };
    // One block more than four groups hold, and the largest group.
    for (size, group) in [((16 << 30) + 4096, (1 << 20) + 1), (10 << 40, 268_435_455)] {
        let offset = u64::from(group) * 4096;
        let found = kinds(size, &[(offset, &superblock(group))]);
        assert_eq!(found, ["XFS (backup superblock)"], "{size}");
        assert_eq!(kinds(size, &[(offset, &superblock(group - 3))]), [""; 0]);
        assert_eq!(kinds(size, &[(offset, &superblock(0))]), [""; 0]);
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

#[test]
fn tables_of_other_systems_are_found_where_they_stand() {
    for (kind, offset, magic) in OTHERS {
        assert_eq!(kinds(1 << 20, &[(*offset, magic)]), [*kind]);
    }
    // Nothing but the magic number and its sum.
    assert_eq!(kinds(1 << 20, &[(508, &[0xda, 0xbe, 0xda, 0xbe])]), ["Sun"]);
    assert_eq!(kinds(1 << 20, &[(508, &[0xda, 0xbe])]), [""; 0]);
}

/// Where formats that others read have their marks, by their own descriptions.
#[test]
fn formats_of_other_systems_are_found_where_they_stand() {
    const SIZE: u64 = 4 << 20;
    let uuid: &[u8] = b"\xc6\x85\x73\xf6\x66\xce\x90\xa9\xd9\x6a\x60\xcf\x80\x3d\xf7\xef";
    let cases: &[(&str, u64, &[u8])] = &[
        ("VMFS volume member", 1 << 20, &[0x0d, 0xd0, 0x01, 0xc0]),
        ("VMFS", 2 << 20, &[0x5e, 0xf1, 0xab, 0x2f]),
        ("btrfs", 0x40, b"_BHRfS_M"),
        ("bcachefs", 3584, uuid),
        ("bcachefs", SIZE - (1 << 20) + 24, uuid),
        (
            "Stratis pool member",
            512 + 4,
            b"!Stra0tis\x86\xff\x02^\x41rh",
        ),
        ("dm-integrity", 0, b"integrt\0"),
        ("suspend image", 4096 - 10, b"ULSUSPEND"),
        ("UFS", 65_536 + 1372, &[0x19, 0x01, 0x54, 0x19]),
        ("HFS+", 1024, b"HX\0\x05"),
        ("ReFS", 3, b"ReFS\0"),
        ("FreeBSD GEOM member", SIZE - 512, b"GEOM::ELI"),
        (
            "Promise firmware RAID member",
            SIZE - 63 * 512,
            b"Promise Technology, Inc.",
        ),
        ("DRBD metadata", SIZE - 4096 + 60, &[0x83, 0x74, 0x02, 0x6b]),
        ("tar archive", 257, b"ustar  \0"),
    ];
    for (kind, offset, magic) in cases {
        assert_eq!(kinds(SIZE, &[(*offset, magic)]), [*kind], "{offset}");
    }
}

proptest! {
    #[test]
    fn any_device_is_read_without_a_panic(size in 0_u64..200_000, head in prop::collection::vec(any::<u8>(), 0..2000)) {
        let _ = kinds(size, &[(0, &head)]);
    }
}
