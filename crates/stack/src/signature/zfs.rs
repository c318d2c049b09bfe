//! Members of a pool of ZFS.

use std::fs::File;
use std::io;

use super::{Signature, read_at_most};

/// `UBERBLOCK_MAGIC` of ZFS, in the byte order of the machine that wrote it.
pub(super) const ZFS: u64 = 0x00ba_b10c;
/// Two labels of this size stand at either end; the second half of each is a ring of uberblocks, at
/// least 1 KiB apart, of which a young pool has written but a few (vdev_impl.h, `vdev_label_t`).
pub(super) const ZFS_LABEL: u64 = 256 << 10;
const ZFS_STEP: usize = 1024;

/// The first uberblock that is found in any of the labels.
pub(super) fn member(device: &File, size: u64) -> io::Result<Option<Signature>> {
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
