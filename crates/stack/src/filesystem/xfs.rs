//! The superblock of XFS (the kernel's fs/xfs/libxfs/xfs_format.h, struct xfs_dsb; big-endian).

use etalon_model::stack::{Layer, XfsParameters};
use etalon_units::Bytes;

use super::Superblock;
use crate::bits::{Block, names, product};
use crate::context::Context;

const SUPERBLOCK_LENGTH: usize = 512;

const READ_ONLY_COMPATIBLE: &[(u32, &str)] = &[
    (0x1, "finobt"),
    (0x2, "rmapbt"),
    (0x4, "reflink"),
    (0x8, "inobtcount"),
];
const INCOMPATIBLE: &[(u32, &str)] = &[
    (0x1, "ftype"),
    (0x2, "sparse"),
    (0x4, "metauuid"),
    (0x8, "bigtime"),
    (0x10, "needsrepair"),
    (0x20, "nrext64"),
    (0x40, "exchange"),
    (0x80, "parent"),
    (0x100, "metadir"),
];

/// What the superblock tells.
pub(super) fn read(context: &Context<'_>, device: &Layer) -> Superblock<XfsParameters> {
    let bytes = context.device_bytes(device, 0, SUPERBLOCK_LENGTH, "XFS superblock");
    bytes.and_then(|bytes| parse(&bytes)).unwrap_or_default()
}

fn parse(bytes: &[u8]) -> Option<Superblock<XfsParameters>> {
    let block = Block {
        bytes,
        big_endian: true,
    };
    if !bytes.starts_with(b"XFSB") {
        return None;
    }
    let block_size = block.u32(4).map(|n| Bytes(n.into()));
    let blocks = |offset| {
        block
            .u32(offset)
            .filter(|n| *n > 0)
            .and_then(|n| product(n.into(), block_size))
    };
    let version = block.u16(100)? & 0xf;
    let mut features = Vec::new();
    if block.u16(100)? & 0x8000 != 0 && version == 4 {
        features.extend(names(block.u32(200)?, MORE_FEATURES, "features2"));
    }
    if version == 5 {
        features.push("crc".to_owned());
        features.extend(names(block.u32(212)?, READ_ONLY_COMPATIBLE, "ro_compat"));
        features.extend(names(block.u32(216)?, INCOMPATIBLE, "incompat"));
    }
    Some(Superblock {
        label: block.text(108, 12),
        uuid: block.uuid(32),
        parameters: XfsParameters {
            block_size,
            sector_size: block.u16(102).map(Bytes),
            inode_size: block.u16(104).map(Bytes),
            allocation_groups: block.u32(88),
            log_size: blocks(96),
            external_log: block.u64(48).map(|start| start == 0),
            stripe_unit: blocks(184),
            stripe_width: blocks(188),
            features,
            ..more(&block, block_size)
        },
    })
}

/// What else `xfs_info` tells.
fn more(block: &Block<'_>, block_size: Option<Bytes>) -> XfsParameters {
    let byte = |offset| block.number(offset, 1);
    let version = block.u16(100).unwrap_or(0);
    let directory = byte(192).and_then(|log| 1_u64.checked_shl(u32::try_from(log).ok()?));
    let log_sector = block.u16(194).filter(|size| *size > 0).map(Bytes);
    XfsParameters {
        blocks: block.u64(8),
        allocation_group_blocks: block.u32(84),
        most_inodes_percent: byte(127).map(|percent| percent as u32),
        directory_block_size: directory.and_then(|count| product(count, block_size)),
        log_version: Some(if version & LOG_VERSION_2 != 0 { 2 } else { 1 }),
        // 0 stands for the sector size of the data.
        log_sector_size: log_sector.or_else(|| block.u16(102).map(Bytes)),
        log_stripe_unit: block.u32(196).filter(|n| *n > 1).map(|n| Bytes(n.into())),
        realtime_extent_size: block
            .u32(80)
            .and_then(|count| product(count.into(), block_size)),
        realtime_blocks: block.u64(16),
        ..XfsParameters::default()
    }
}

/// `XFS_SB_VERSION_LOGV2BIT`.
const LOG_VERSION_2: u64 = 0x400;

/// `sb_features2`, where bit 15 of the version says that it counts.
const MORE_FEATURES: &[(u32, &str)] = &[
    (0x2, "lazy-count"),
    (0x8, "attr2"),
    (0x10, "parent-old"),
    (0x80, "projid32bit"),
    (0x100, "crc-bit"),
    (0x200, "ftype-v4"),
];

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn fields_stand_where_the_kernel_puts_them() {
        let mut bytes = vec![0; SUPERBLOCK_LENGTH];
        let mut put = |offset: usize, value: &[u8]| {
            bytes[offset..offset + value.len()].copy_from_slice(value)
        };
        put(0, b"XFSB");
        put(4, &4096_u32.to_be_bytes());
        put(48, &1_u64.to_be_bytes());
        put(88, &4_u32.to_be_bytes());
        put(96, &2560_u32.to_be_bytes());
        put(100, &0xb4a5_u16.to_be_bytes());
        put(102, &512_u16.to_be_bytes());
        put(104, &512_u16.to_be_bytes());
        put(108, b"scratch\0");
        put(184, &128_u32.to_be_bytes());
        put(212, &5_u32.to_be_bytes());
        put(216, &0x0b_u32.to_be_bytes());
        put(8, &10_240_u64.to_be_bytes());
        put(80, &1_u32.to_be_bytes());
        put(84, &2560_u32.to_be_bytes());
        put(127, &[25]);
        let found = parse(&bytes).unwrap();
        assert_eq!(found.label.as_deref(), Some("scratch"));
        assert_eq!(found.parameters.log_size, Some(Bytes::mib(10)));
        assert_eq!(found.parameters.external_log, Some(false));
        assert_eq!(found.parameters.stripe_unit, Some(Bytes::kib(512)));
        assert_eq!(found.parameters.stripe_width, None);
        assert_eq!(found.parameters.blocks, Some(10_240));
        assert_eq!(found.parameters.allocation_group_blocks, Some(2560));
        assert_eq!(found.parameters.most_inodes_percent, Some(25));
        assert_eq!(found.parameters.directory_block_size, Some(Bytes(4096)));
        assert_eq!(found.parameters.log_version, Some(2));
        assert_eq!(found.parameters.log_sector_size, Some(Bytes(512)));
        assert_eq!(found.parameters.realtime_extent_size, Some(Bytes(4096)));
        assert_eq!(
            found.parameters.features,
            ["crc", "finobt", "reflink", "ftype", "sparse", "bigtime"]
        );
    }

    proptest! {
        #[test]
        fn no_superblock_panics(bytes in prop::collection::vec(any::<u8>(), 0..600)) {
            let _ = parse(&[b"XFSB".as_slice(), &bytes].concat());
        }
    }
}
