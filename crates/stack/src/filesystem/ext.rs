//! The superblock of ext2, ext3 and ext4 (the kernel's fs/ext4/ext4.h, struct ext4_super_block).

use etalon_model::stack::{ExtParameters, Layer, Mount};
use etalon_units::Bytes;

use super::Superblock;
use crate::bits::{Block, names, product};
use crate::context::Context;

const SUPERBLOCK_AT: u64 = 1024;
const SUPERBLOCK_LENGTH: usize = 1024;
const MAGIC: u64 = 0xef53;

const COMPATIBLE: &[(u32, &str)] = &[
    (0x4, "has_journal"),
    (0x8, "ext_attr"),
    (0x10, "resize_inode"),
    (0x20, "dir_index"),
    (0x200, "sparse_super2"),
    (0x400, "fast_commit"),
    (0x800, "stable_inodes"),
    (0x1000, "orphan_file"),
];
const INCOMPATIBLE: &[(u32, &str)] = &[
    (0x2, "filetype"),
    (0x4, "needs_recovery"),
    (0x8, "journal_dev"),
    (0x10, "meta_bg"),
    (0x40, "extent"),
    (0x80, "64bit"),
    (0x100, "mmp"),
    (0x200, "flex_bg"),
    (0x400, "ea_inode"),
    (0x2000, "metadata_csum_seed"),
    (0x4000, "large_dir"),
    (0x8000, "inline_data"),
    (0x1_0000, "encrypt"),
    (0x2_0000, "casefold"),
];
const READ_ONLY_COMPATIBLE: &[(u32, &str)] = &[
    (0x1, "sparse_super"),
    (0x2, "large_file"),
    (0x8, "huge_file"),
    (0x10, "uninit_bg"),
    (0x20, "dir_nlink"),
    (0x40, "extra_isize"),
    (0x100, "quota"),
    (0x200, "bigalloc"),
    (0x400, "metadata_csum"),
    (0x1000, "read-only"),
    (0x2000, "project"),
    (0x8000, "verity"),
    (0x1_0000, "orphan_present"),
];

/// What the superblock and `/sys/fs/ext4` tell.
pub(super) fn read(
    context: &Context<'_>,
    mount: &Mount,
    device: &Layer,
) -> Superblock<ExtParameters> {
    let bytes = context.device_bytes(device, SUPERBLOCK_AT, SUPERBLOCK_LENGTH, "ext superblock");
    let mut found = bytes.and_then(|bytes| parse(&bytes)).unwrap_or_default();
    let live = context
        .roots
        .sysfs
        .join("fs/ext4")
        .join(device.name.replace('/', "!"));
    // The superblock is brought up to date at unmount only; this one counts along.
    if let Some(written) = context.kib(live.join("lifetime_write_kbytes")) {
        found.parameters.lifetime_write = Some(written);
    }
    found.parameters.journal = journal(context, device, &found.parameters);
    found.parameters.lazy_init = lazy_init(context, mount, device, &found.parameters);
    found
}

/// By its features, or for those who may not read the device by its options in force, which name a data mode
/// with a journal only (the kernel's Documentation/filesystems/ext4).
fn journal(context: &Context<'_>, device: &Layer, known: &ExtParameters) -> Option<bool> {
    if !known.features.is_empty() {
        return Some(known.features.iter().any(|name| name == "has_journal"));
    }
    let name = device.name.replace('/', "!");
    let options = context.roots.procfs.join("fs/ext4").join(name);
    let options = context.attr_lines(options.join("options"));
    (!options.is_empty()).then(|| options.iter().any(|line| line.starts_with("data=")))
}

fn parse(bytes: &[u8]) -> Option<Superblock<ExtParameters>> {
    let block = Block {
        bytes,
        big_endian: false,
    };
    if block.u16(0x38) != Some(MAGIC) {
        return None;
    }
    let block_size = block.u32(0x18).and_then(|log| 1024_u64.checked_shl(log));
    let block_size = block_size.filter(|size| *size <= 1 << 16).map(Bytes);
    let flags = |offset| block.u32(offset).unwrap_or(0);
    let mut features = names(flags(0x5c), COMPATIBLE, "compat");
    features.extend(names(flags(0x60), INCOMPATIBLE, "incompat"));
    features.extend(names(flags(0x64), READ_ONLY_COMPATIBLE, "ro_compat"));
    let nonzero = |offset| block.u32(offset).filter(|n| *n > 0);
    let created = nonzero(0x108).map(u64::from);
    let reserved = u64::from(flags(0x8)) | (u64::from(flags(0x154)) << 32);
    Some(Superblock {
        label: block.text(0x78, 16),
        uuid: block.uuid(0x68),
        parameters: ExtParameters {
            block_size,
            inode_size: block.u16(0x58).map(Bytes),
            journal: None,
            journal_size: journal_size(&block, &features),
            features,
            raid_stride_blocks: block
                .u16(0x164)
                .and_then(|n| u32::try_from(n).ok())
                .filter(|n| *n > 0),
            raid_stripe_blocks: nonzero(0x170),
            created_unix_seconds: created
                .map(|low| low | (block.number(0x276, 1).unwrap_or(0) << 32)),
            mount_count: block.u16(0x34).and_then(|n| u32::try_from(n).ok()),
            lifetime_write: block
                .u64(0x178)
                .and_then(|kib| product(kib, Some(Bytes::kib(1)))),
            lazy_init: None,
            blocks_per_group: nonzero(0x20),
            reserved_blocks: Some(reserved),
            ..more(&block)
        },
    })
}

/// `s_default_mount_opts`, by the names of tune2fs(8).
const MOUNT_OPTIONS: &[(u32, &str)] = &[
    (0x1, "debug"),
    (0x2, "bsdgroups"),
    (0x4, "user_xattr"),
    (0x8, "acl"),
    (0x10, "uid16"),
    (0x100, "nobarrier"),
    (0x200, "block_validity"),
    (0x400, "discard"),
    (0x800, "nodelalloc"),
];

/// What else `tune2fs -l` tells.
fn more(block: &Block<'_>) -> ExtParameters {
    let large = block.u32(0x60).unwrap_or(0) & 0x80 != 0;
    let count = |low: usize, high: usize| {
        let high = block.u32(high).filter(|_| large).unwrap_or(0);
        Some(u64::from(block.u32(low)?) | (u64::from(high) << 32))
    };
    let nonzero = |offset| block.u32(offset).filter(|n| *n > 0);
    let time = |low: usize, high: usize| {
        let high = block.number(high, 1).unwrap_or(0);
        Some(u64::from(nonzero(low)?) | (high << 32))
    };
    let flex = block.number(0x174, 1).filter(|log| (1..32).contains(log));
    let cluster = block.u32(0x1c).and_then(|log| 1024_u64.checked_shl(log));
    let after_mounts = block.u16(0x36).filter(|n| (1..=0x7fff).contains(n));
    ExtParameters {
        blocks: count(0x4, 0x150),
        free_blocks: count(0xc, 0x158),
        inodes: block.u32(0x0),
        free_inodes: block.u32(0x10),
        inodes_per_group: nonzero(0x28),
        groups_per_flex_group: flex.map(|log| 1 << log),
        cluster_size: cluster.filter(|size| *size <= 1 << 30).map(Bytes),
        default_mount_options: mount_options(block.u32(0x100).unwrap_or(0)),
        on_error: block.u16(0x3c).and_then(on_error),
        state: block.u16(0x3a).map(state),
        check_after_mounts: after_mounts.map(|n| n as u32),
        check_after_seconds: nonzero(0x44),
        mounted_unix_seconds: time(0x2c, 0x275),
        written_unix_seconds: time(0x30, 0x274),
        checked_unix_seconds: time(0x40, 0x277),
        journal_uuid: block
            .uuid(0xd0)
            .filter(|uuid| uuid.bytes().any(|b| b.is_ascii_hexdigit() && b != b'0')),
        directory_hash: block.number(0xfc, 1).and_then(directory_hash),
        ..ExtParameters::default()
    }
}

/// Two bits give the journal mode, the others a name each.
fn mount_options(flags: u32) -> Vec<String> {
    let journal = match flags & 0x60 {
        0x20 => Some("journal_data"),
        0x40 => Some("journal_data_ordered"),
        0x60 => Some("journal_data_writeback"),
        _ => None,
    };
    let mut options = names(flags & !0x60, MOUNT_OPTIONS, "option");
    options.extend(journal.map(str::to_owned));
    options
}

fn on_error(number: u64) -> Option<String> {
    let words = [(1, "continue"), (2, "remount-ro"), (3, "panic")];
    let known = words.into_iter().find(|(known, _)| *known == number);
    known.map(|(_, word)| word.to_owned())
}

fn state(flags: u64) -> String {
    let clean = if flags & 1 != 0 { "clean" } else { "not clean" };
    let errors = if flags & 2 != 0 { " with errors" } else { "" };
    format!("{clean}{errors}")
}

fn directory_hash(number: u64) -> Option<String> {
    const NAMES: [&str; 7] = [
        "legacy",
        "half_md4",
        "tea",
        "legacy_unsigned",
        "half_md4_unsigned",
        "tea_unsigned",
        "siphash",
    ];
    let name = NAMES.get(usize::try_from(number).ok()?)?;
    Some((*name).to_owned())
}

/// The superblock keeps a copy of the journal inode: fifteen block numbers, then the size's upper
/// and lower halves (`s_jnl_blocks`, used when `s_jnl_backup_type` is 1).
fn journal_size(block: &Block<'_>, features: &[String]) -> Option<Bytes> {
    let has_journal = features.iter().any(|f| f == "has_journal");
    let is_backup = block.number(0xfd, 1) == Some(1);
    let high = block.u32(0x10c + 15 * 4)?;
    let low = block.u32(0x10c + 16 * 4)?;
    let size = (u64::from(high) << 32) | u64::from(low);
    (has_journal && is_backup && size > 0).then_some(Bytes(size))
}

/// Group descriptors read at most: enough for 64 TiB in groups of 128 MiB.
const DESCRIPTORS_LIMIT: u64 = 32 << 20;
/// `EXT4_BG_INODE_ZEROED`: the group's inode table has been written with zeros.
const INODE_ZEROED: u64 = 0x4;

/// Whether inode tables remain to be zeroed, which the kernel does in the background while the
/// filesystem is mounted for writing without `noinit_itable`.
fn lazy_init(
    context: &Context<'_>,
    mount: &Mount,
    device: &Layer,
    parameters: &ExtParameters,
) -> Option<bool> {
    let has = |name: &str| parameters.features.iter().any(|f| f == name);
    if parameters.features.is_empty() || has("meta_bg") {
        return None;
    }
    let tracked = has("uninit_bg") || has("metadata_csum");
    if !tracked || mount.has_option("ro") || mount.has_option("noinit_itable") {
        return Some(false);
    }
    let bytes = context.device_bytes(device, SUPERBLOCK_AT, SUPERBLOCK_LENGTH, "ext superblock")?;
    let block = Block {
        bytes: &bytes,
        big_endian: false,
    };
    let block_size = parameters.block_size?.get();
    let blocks = u64::from(block.u32(0x4)?) | (u64::from(block.u32(0x150)?) << 32);
    let blocks = if has("64bit") {
        blocks
    } else {
        blocks & u64::from(u32::MAX)
    };
    let first = u64::from(block.u32(0x14)?);
    let groups = blocks
        .saturating_sub(first)
        .div_ceil(u64::from(parameters.blocks_per_group?));
    let width = if has("64bit") {
        block.u16(0xfe)?.clamp(32, 1024)
    } else {
        32
    };
    let length = groups.checked_mul(width)?.min(DESCRIPTORS_LIMIT);
    let at = first.checked_add(1)?.checked_mul(block_size)?;
    let table = context.device_bytes(
        device,
        at,
        usize::try_from(length).ok()?,
        "ext group descriptors",
    )?;
    let mut descriptors = table.chunks_exact(usize::try_from(width).ok()?);
    Some(descriptors.any(|bytes| {
        let descriptor = Block {
            bytes,
            big_endian: false,
        };
        descriptor
            .u16(0x12)
            .is_some_and(|flags| flags & INODE_ZEROED == 0)
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn superblock() -> Vec<u8> {
        let mut bytes = vec![0; SUPERBLOCK_LENGTH];
        let mut put = |offset: usize, value: &[u8]| {
            bytes[offset..offset + value.len()].copy_from_slice(value)
        };
        put(0x18, &2_u32.to_le_bytes());
        put(0x20, &32_768_u32.to_le_bytes());
        put(0x34, &7_u16.to_le_bytes());
        put(0x38, &0xef53_u16.to_le_bytes());
        put(0x58, &256_u16.to_le_bytes());
        put(0x5c, &0x3c_u32.to_le_bytes());
        put(0x60, &0x8000_02c2_u32.to_le_bytes());
        put(0x64, &0x46b_u32.to_le_bytes());
        put(0x78, b"data\0");
        put(0xfd, &[1]);
        put(0x10c + 16 * 4, &(128_u32 << 20).to_le_bytes());
        put(0x108, &1_600_000_000_u32.to_le_bytes());
        put(0x164, &128_u16.to_le_bytes());
        put(0x0, &65_536_u32.to_le_bytes());
        put(0x4, &262_144_u32.to_le_bytes());
        put(0x28, &8192_u32.to_le_bytes());
        put(0x2c, &1_700_000_000_u32.to_le_bytes());
        put(0x36, &0xffff_u16.to_le_bytes());
        put(0x3a, &1_u16.to_le_bytes());
        put(0x3c, &2_u16.to_le_bytes());
        put(0xfc, &[1]);
        put(0x100, &0x44c_u32.to_le_bytes());
        put(0x174, &[4]);
        bytes
    }

    #[test]
    fn fields_stand_where_the_kernel_puts_them() {
        let found = parse(&superblock()).unwrap();
        let parameters = found.parameters;
        assert_eq!(found.label.as_deref(), Some("data"));
        assert_eq!(parameters.block_size, Some(Bytes(4096)));
        assert_eq!(parameters.inode_size, Some(Bytes(256)));
        assert_eq!(parameters.journal_size, Some(Bytes::mib(128)));
        assert_eq!(parameters.created_unix_seconds, Some(1_600_000_000));
        assert_eq!(parameters.raid_stride_blocks, Some(128));
        assert_eq!(parameters.blocks, Some(262_144));
        assert_eq!(parameters.inodes, Some(65_536));
        assert_eq!(parameters.inodes_per_group, Some(8192));
        assert_eq!(parameters.groups_per_flex_group, Some(16));
        assert_eq!(parameters.on_error.as_deref(), Some("remount-ro"));
        assert_eq!(parameters.state.as_deref(), Some("clean"));
        assert_eq!(parameters.check_after_mounts, None);
        assert_eq!(parameters.mounted_unix_seconds, Some(1_700_000_000));
        assert_eq!(parameters.directory_hash.as_deref(), Some("half_md4"));
        assert_eq!(parameters.journal_uuid, None);
        assert_eq!(
            parameters.default_mount_options,
            ["user_xattr", "acl", "discard", "journal_data_ordered"]
        );
        let features = parameters.features.join(" ");
        assert!(features.contains("has_journal") && features.contains("extent 64bit flex_bg"));
        assert!(features.contains("incompat:0x80000000"), "{features}");
    }

    #[test]
    fn another_filesystem_is_not_taken_for_one() {
        assert!(parse(&[0; 1024]).is_none());
        assert!(parse(&superblock()[..0x39]).is_none());
    }

    proptest! {
        #[test]
        fn no_superblock_panics(bytes in prop::collection::vec(any::<u8>(), 0..1100)) {
            let mut bytes = bytes;
            if bytes.len() > 0x3a {
                bytes[0x38..0x3a].copy_from_slice(&0xef53_u16.to_le_bytes());
            }
            let _ = parse(&bytes);
        }
    }
}
