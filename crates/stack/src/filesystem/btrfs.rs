//! btrfs, from `/sys/fs/btrfs/UUID` (the kernel's fs/btrfs/sysfs.c).

use std::path::Path;

use etalon_model::stack::{BtrfsAllocation, FsDetail, Mount};

use crate::context::Context;
use crate::device;

/// Profiles as the kernel names their directories (`btrfs_raid_array`).
const PROFILES: [&str; 9] = [
    "single", "dup", "raid0", "raid1", "raid1c3", "raid1c4", "raid5", "raid6", "raid10",
];

/// The filesystem's parameters, its label and its UUID.
pub(super) fn read(
    context: &Context<'_>,
    mount: &Mount,
    devices: u64,
) -> (FsDetail, Option<String>, Option<String>) {
    let directory = device::btrfs_directory(context, mount);
    let at = |name: &str| directory.as_ref().map(|d| d.join(name));
    let attr = |name: &str| at(name).and_then(|path| context.attr(path));
    let detail = FsDetail::Btrfs {
        devices,
        missing_devices: at("devinfo").map_or(0, |path| missing_devices(context, &path)),
        node_size: at("nodesize").and_then(|path| context.bytes(path)),
        sector_size: at("sectorsize").and_then(|path| context.bytes(path)),
        checksum: attr("checksum"),
        features: at("features")
            .map(|path| context.names(path))
            .unwrap_or_default(),
        allocation: at("allocation")
            .map(|path| allocation(context, &path))
            .unwrap_or_default(),
        operation: attr("exclusive_operation"),
    };
    let uuid = directory.as_ref().and_then(|d| d.file_name());
    (
        detail,
        attr("label"),
        uuid.map(|u| u.to_string_lossy().into_owned()),
    )
}

/// Each device of the filesystem has a directory with a file `missing`, 1 for one that is not there.
fn missing_devices(context: &Context<'_>, directory: &Path) -> u64 {
    let numbers = context.names(directory).into_iter();
    let missing = numbers.filter(|n| context.flag(directory.join(n).join("missing")) == Some(true));
    missing.count() as u64
}

fn allocation(context: &Context<'_>, directory: &Path) -> Vec<BtrfsAllocation> {
    let classes = ["data", "metadata", "system", "mixed"].into_iter();
    let present = classes.filter(|class| directory.join(class).is_dir());
    let read = |class: &str| {
        let class_directory = directory.join(class);
        let names = context.names(&class_directory).into_iter();
        BtrfsAllocation {
            class: class.to_owned(),
            profiles: names.filter(|n| PROFILES.contains(&n.as_str())).collect(),
            total: context.bytes(class_directory.join("total_bytes")),
            used: context.bytes(class_directory.join("bytes_used")),
        }
    };
    present.map(read).collect()
}
