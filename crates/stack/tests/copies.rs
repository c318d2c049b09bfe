//! What a filesystem still shows of itself once the beginning of its device is gone: needs the programs that make it.

#![expect(
    clippy::unwrap_used,
    reason = "a test that cannot go on should say where"
)]

use std::fs::OpenOptions;
use std::os::unix::fs::FileExt as _;

use etalon_stack::signatures;
use etalon_testbed::mkfs;

const MIB: u64 = 1 << 20;

/// The marks on a sparse image of `size` on which `mkfs` made a filesystem, all of them and without the first MiB.
fn marks(size: u64, kind: &str, options: &[&str]) -> [Vec<&'static str>; 2] {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("image");
    let opened = OpenOptions::new()
        .read(true)
        .write(true)
        .create_new(true)
        .open(&path);
    let mut image = opened.unwrap();
    image.set_len(size).unwrap();
    let name = path.to_string_lossy().into_owned();
    mkfs(kind, &[options, &[name.as_str()]].concat());
    let kinds = |image: &mut std::fs::File| {
        let found = signatures(image).unwrap();
        found.into_iter().map(|mark| mark.kind).collect()
    };
    let whole = kinds(&mut image);
    image.write_all_at(&vec![0; MIB as usize], 0).unwrap();
    [whole, kinds(&mut image)]
}

#[test]
fn btrfs_is_known_by_the_mirror_of_its_superblock() {
    const MIRROR: &str = "btrfs (mirror of its superblock)";
    let [whole, rest] = marks(256 * MIB, "btrfs", &[]);
    assert_eq!(whole, ["btrfs", MIRROR]);
    assert_eq!(rest, [MIRROR]);
}

#[test]
fn ext_is_known_by_the_superblock_of_group_1() {
    const BACKUP: &str = "ext2/3/4 (backup superblock)";
    for (kind, block) in [("ext2", "1024"), ("ext3", "2048"), ("ext4", "4096")] {
        let [whole, rest] = marks(512 * MIB, kind, &["-b", block]);
        assert_eq!(whole, ["ext2/3/4", BACKUP], "{kind}");
        assert_eq!(rest, [BACKUP], "{kind}");
    }
}

#[test]
fn xfs_is_known_by_the_superblock_of_a_later_group() {
    const BACKUP: &str = "XFS (backup superblock)";
    // Groups of equal size, and the last one smaller.
    for size in [512 * MIB, 700 * MIB + 4096] {
        let [whole, rest] = marks(size, "xfs", &[]);
        assert!(whole[..2] == ["XFS", BACKUP], "{size}: {whole:?}");
        assert_eq!(rest, whole[1..], "{size}");
    }
}
