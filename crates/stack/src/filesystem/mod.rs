//! A filesystem and its parameters, from its mount, from `/sys/fs` and from the filesystem itself.

mod btrfs;
mod ext;
mod network;
mod server;
mod warnings;
mod xfs;

use std::path::Path;

use etalon_host::filesystem::is_memory;
use etalon_model::stack::{Filesystem, FsDetail, Layer, Mount};
use etalon_units::Bytes;

use crate::context::Context;
use crate::{facts, sysfs, udev};

pub use server::is_remote_fuse;
pub(crate) use warnings::warnings;

/// Members of one filesystem that are looked up at most; a real one has some dozens.
const MOST_MEMBERS: usize = 1024;

/// What a superblock tells.
#[derive(Debug, Default)]
pub(crate) struct Superblock<P> {
    label: Option<String>,
    uuid: Option<String>,
    parameters: P,
}

/// Everything on the filesystem of `mount`; `file` lies on it and can be asked, where it exists.
pub(crate) fn read(
    context: &Context<'_>,
    mount: &Mount,
    file: Option<&Path>,
    devices: &[Layer],
) -> Filesystem {
    let (detail, label, uuid) = detail(context, mount, devices);
    let udev = devices
        .first()
        .map(|device| udev::entry(context, device.devno));
    let known = |key: &str| udev.as_ref().and_then(|entry| entry.encoded(key));
    Filesystem {
        fs_type: mount.fs_type.clone(),
        label: label.or_else(|| known("ID_FS_LABEL_ENC")),
        uuid: uuid.or_else(|| known("ID_FS_UUID_ENC")),
        space: file.and_then(|file| facts::space(file).ok()),
        direct_io: file.map(facts::direct_io),
        detail,
        beneath: None,
    }
}

/// The names of the devices of a filesystem that has a number of its own and may have several;
/// none for all others.
pub(crate) fn members(context: &Context<'_>, mount: &Mount) -> Option<Vec<String>> {
    match mount.fs_type.as_str() {
        "btrfs" => Some(btrfs::members(context, mount)),
        "bcachefs" => {
            let nodes = mount.source.split(':').take(MOST_MEMBERS);
            let names = nodes.filter_map(|node| sysfs::name_of_node(context, node));
            Some(names.collect())
        }
        _ => None,
    }
}

/// What is particular to the type, with label and UUID where they stand beside it.
fn detail(
    context: &Context<'_>,
    mount: &Mount,
    devices: &[Layer],
) -> (FsDetail, Option<String>, Option<String>) {
    match (mount.fs_type.as_str(), devices.first()) {
        ("ext2" | "ext3" | "ext4", Some(device)) => {
            let found = ext::read(context, mount, device);
            (FsDetail::Ext(found.parameters), found.label, found.uuid)
        }
        ("xfs", Some(device)) => {
            let found = xfs::read(context, device);
            (FsDetail::Xfs(found.parameters), found.label, found.uuid)
        }
        ("btrfs", _) => btrfs::read(context, mount, devices),
        ("f2fs", Some(device)) => (f2fs(context, device), None, None),
        _ if server::place(mount).is_some() => (network::read(context, mount), None, None),
        _ => (by_mount(mount), None, None),
    }
}

/// F2FS, from `/sys/fs/f2fs/DEVICE` (the kernel's ABI/testing/sysfs-fs-f2fs).
fn f2fs(context: &Context<'_>, device: &Layer) -> FsDetail {
    let directory = context
        .roots
        .sysfs
        .join("fs/f2fs")
        .join(device.name.replace('/', "!"));
    let features = context.attr(directory.join("features")).unwrap_or_default();
    let words = features.split([',', ' ']).filter(|word| !word.is_empty());
    FsDetail::F2fs {
        features: words.map(str::to_owned).collect(),
        dirty_segments: context.value(directory.join("dirty_segments")),
        free_segments: context.value(directory.join("free_segments")),
        lifetime_write: context.kib(directory.join("lifetime_write_kbytes")),
    }
}

/// Types whose mount line tells all there is.
fn by_mount(mount: &Mount) -> FsDetail {
    let size = |key: &str| mount.super_option(key).and_then(option_size);
    let text = |key: &str| mount.super_option(key).map(str::to_owned);
    match mount.fs_type.as_str() {
        kind if is_memory(kind) => FsDetail::Memory {
            limit: size("size"),
            huge: text("huge"),
        },
        "overlay" => FsDetail::Overlay {
            lower: lower_directories(mount),
            upper: text("upperdir"),
            work: text("workdir"),
        },
        "zfs" => FsDetail::Zfs {
            dataset: mount.source.clone(),
        },
        kind if kind == "fuse" || kind == "fuseblk" || kind.starts_with("fuse.") => {
            FsDetail::Fuse {
                subtype: kind.strip_prefix("fuse.").map(str::to_owned),
                max_read: size("max_read"),
            }
        }
        _ => FsDetail::Other,
    }
}

/// `lowerdir=a:b`, or one `lowerdir+=a` each since Linux 6.8.
fn lower_directories(mount: &Mount) -> Vec<String> {
    let pairs = mount.super_options.iter().filter_map(|o| o.split_once('='));
    let lower = pairs.filter(|(key, _)| matches!(*key, "lowerdir" | "lowerdir+"));
    lower
        .flat_map(|(_, dirs)| dirs.split(':').map(str::to_owned))
        .collect()
}

/// Sizes in options carry k, m or g in either case, or nothing.
fn option_size(text: &str) -> Option<Bytes> {
    text.to_ascii_uppercase().parse().ok()
}

/// Why a mount without block devices has none, in words.
pub(crate) fn why_no_block(context: &Context<'_>, mount: &Mount, detail: &FsDetail) -> String {
    match mount.fs_type.as_str() {
        kind if is_memory(kind) || kind == "hugetlbfs" => {
            "its files lie in memory, no block device beneath".to_owned()
        }
        "overlay" => {
            "its files lie in other directories (upper and lower), no block device of its own"
                .to_owned()
        }
        "zfs" => format!(
            "the disks of pool {} are managed by ZFS and not shown under /sys; see zpool status",
            mount.source.split('/').next().unwrap_or_default()
        ),
        "ubifs" | "jffs2" => "it lies on raw flash (MTD), no block device beneath".to_owned(),
        _ if server::place(mount).is_some() => network::why_no_block(context, mount, detail),
        kind if is_remote_fuse(kind) => format!(
            "served by a process ({kind}) from {} over the network, no block device on this machine",
            mount.source
        ),
        kind if kind.starts_with("fuse") => {
            format!("served by a process ({kind}), no block device known")
        }
        kind => format!("a filesystem without a block device ({kind})"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn servers_are_told_from_exports() {
        let is = |source: &str, server: &str, export: &str| {
            assert_eq!(
                server::of_source(source),
                (server.to_owned(), export.to_owned())
            );
        };
        is("nas:/vol/data", "nas", "/vol/data");
        is("[fe80::1]:/x", "fe80::1", "/x");
        is("//nas/share/deep", "nas", "share/deep");
        is("share", "", "share");
    }

    #[test]
    fn sizes_of_options_may_be_in_lower_case() {
        assert_eq!(option_size("24684084k"), Some(Bytes::kib(24_684_084)));
        assert_eq!(option_size("1048576"), Some(Bytes::mib(1)));
        assert_eq!(option_size("50%"), None);
    }
}
