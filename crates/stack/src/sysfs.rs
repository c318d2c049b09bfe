//! What `/sys` knows of a device's name, number and node.

use std::path::{Component, Path, PathBuf};

use etalon_model::stack::{DevNo, Mount, SECTOR_BYTES};
use etalon_units::Bytes;

use crate::context::Context;

/// The directory of a device under `/sys/devices`, by name.
pub(crate) fn class_directory(context: &Context<'_>, name: &str) -> Option<PathBuf> {
    if !is_plain_name(name) {
        return None;
    }
    let class = context.roots.sysfs.join("class/block").join(name);
    context
        .follow(class)
        .or_else(|| context.follow(context.roots.sysfs.join("block").join(name)))
}

/// Whether `name` stays in the directory that it is joined to.
fn is_plain_name(name: &str) -> bool {
    let mut parts = Path::new(name).components();
    matches!(
        (parts.next(), parts.next()),
        (Some(Component::Normal(_)), None)
    )
}

/// The number of the device with the kernel's name `name`.
pub(crate) fn devno_of(context: &Context<'_>, name: &str) -> Option<DevNo> {
    context.value(class_directory(context, name)?.join("dev"))
}

/// The kernel's name of a node such as `/dev/mapper/vg-lv`; none when there is no such device.
pub(crate) fn name_of_node(context: &Context<'_>, node: &str) -> Option<String> {
    let path = context.roots.device_node(node)?;
    let real = context.follow(&path).unwrap_or(path);
    let root = context.follow(&context.roots.dev);
    let inside = real
        .strip_prefix(root.as_deref().unwrap_or(&context.roots.dev))
        .ok()?;
    // The kernel writes the slash of a name such as cciss/c0d0 as an exclamation mark in sysfs.
    let name = inside.to_string_lossy().replace('/', "!");
    let known = class_directory(context, &name).is_some();
    known.then_some(name).or_else(|| mapped_name(context, node))
}

/// The device-mapper device named by `/dev/mapper/NAME`, for a `/dev` without its links.
fn mapped_name(context: &Context<'_>, node: &str) -> Option<String> {
    let wanted = node.strip_prefix("/dev/mapper/")?;
    let class = context.roots.sysfs.join("class/block");
    let names = context
        .names(&class)
        .into_iter()
        .filter(|n| n.starts_with("dm-"));
    let mut names = names.filter(|n| {
        let mapped = context.attr(class.join(n).join("dm/name"));
        mapped.as_deref() == Some(wanted)
    });
    names.next()
}

/// The directory of a mounted btrfs under `/sys/fs/btrfs`.
pub(crate) fn btrfs_directory(context: &Context<'_>, mount: &Mount) -> Option<PathBuf> {
    let name = name_of_node(context, &mount.source)?;
    let all = context.roots.sysfs.join("fs/btrfs");
    let mut directories = context.names(&all).into_iter().map(|uuid| all.join(uuid));
    directories.find(|d| context.names(d.join("devices")).contains(&name))
}

/// An attribute that counts sectors of 512 bytes.
pub(crate) fn sectors(context: &Context<'_>, path: &Path) -> Option<Bytes> {
    let sectors: u64 = context.value(path)?;
    sectors.checked_mul(SECTOR_BYTES).map(Bytes)
}

/// The names in `directory/slaves`.
pub(crate) fn slaves(context: &Context<'_>, directory: &Path) -> Vec<String> {
    context.names(directory.join("slaves"))
}

/// A number as stat(2) gives it.
pub(crate) fn devno(raw: u64) -> DevNo {
    DevNo {
        major: rustix::fs::major(raw),
        minor: rustix::fs::minor(raw),
    }
}
