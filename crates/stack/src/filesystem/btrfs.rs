//! btrfs, from `/sys/fs/btrfs/UUID` (the kernel's fs/btrfs/sysfs.c).

use std::path::Path;

use etalon_model::stack::{BtrfsAllocation, BtrfsUsage, FsDetail, Layer, Mount};
use etalon_units::Bytes;

use crate::context::Context;
use crate::sysfs;

/// Profiles as the kernel names their directories (`btrfs_raid_array`).
const PROFILES: [&str; 9] = [
    "single", "dup", "raid0", "raid1", "raid1c3", "raid1c4", "raid5", "raid6", "raid10",
];

/// The filesystem's parameters, its label and its UUID.
pub(super) fn read(
    context: &Context<'_>,
    mount: &Mount,
    devices: &[Layer],
) -> (FsDetail, Option<String>, Option<String>) {
    let directory = sysfs::btrfs_directory(context, mount);
    let at = |name: &str| directory.as_ref().map(|d| d.join(name));
    let attr = |name: &str| at(name).and_then(|path| context.attr(path));
    let allocation = at("allocation").map_or_else(Vec::new, |path| allocation(context, &path));
    let usage = directory
        .as_ref()
        .map(|directory| usage(context, directory, devices, &allocation));
    let detail = FsDetail::Btrfs {
        devices: devices.len() as u64,
        missing_devices: at("devinfo").map_or(0, |path| missing_devices(context, &path)),
        node_size: at("nodesize").and_then(|path| context.bytes(path)),
        sector_size: at("sectorsize").and_then(|path| context.bytes(path)),
        checksum: attr("checksum"),
        features: at("features")
            .map(|path| context.names(path))
            .unwrap_or_default(),
        usage,
        allocation,
        operation: attr("exclusive_operation"),
    };
    let uuid = directory.as_ref().and_then(|d| d.file_name());
    (
        detail,
        attr("label"),
        uuid.map(|u| u.to_string_lossy().into_owned()),
    )
}

/// Its devices are those of the filesystem under `/sys/fs/btrfs` that counts the mounted source
/// among them.
pub(super) fn members(context: &Context<'_>, mount: &Mount) -> Vec<String> {
    if let Some(directory) = sysfs::btrfs_directory(context, mount) {
        return context.names(directory.join("devices"));
    }
    context.note(
        format!("all devices of the btrfs at {}", mount.point),
        "no filesystem under /sys/fs/btrfs names its source; only the source is shown",
    );
    let source = sysfs::name_of_node(context, &mount.source);
    source.into_iter().collect()
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
            total_on_devices: context.bytes(class_directory.join("disk_total")),
            used_on_devices: context.bytes(class_directory.join("disk_used")),
        }
    };
    present.map(read).collect()
}

/// As `btrfs filesystem usage` reckons: what no chunk has taken of the devices is unallocated.
fn usage(
    context: &Context<'_>,
    directory: &Path,
    devices: &[Layer],
    allocation: &[BtrfsAllocation],
) -> BtrfsUsage {
    let sizes = devices.iter().map(|device| device.size.get());
    let device_size = sizes.fold(0_u64, u64::saturating_add);
    let chunks = allocation.iter().filter_map(|class| class.total_on_devices);
    let allocated = chunks.fold(0_u64, |sum, chunk| sum.saturating_add(chunk.get()));
    BtrfsUsage {
        device_size: Bytes(device_size),
        allocated: Bytes(allocated),
        unallocated: Bytes(device_size.saturating_sub(allocated)),
        global_reserve: context.bytes(directory.join("allocation/global_rsv_size")),
        read_policy: context.attr(directory.join("read_policy")).and_then(chosen),
    }
}

/// `[pid] round-robin` means pid.
fn chosen(policies: String) -> Option<String> {
    let mut words = policies.split_whitespace();
    let chosen = words.find_map(|word| word.strip_prefix('[')?.strip_suffix(']'));
    chosen.map(str::to_owned)
}
