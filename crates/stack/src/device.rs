//! From a device's number or name to its layer and all beneath it.

use std::path::Path;

use etalon_model::stack::{DevNo, Layer, LayerKind, Mount};
use etalon_units::Bytes;

use crate::context::{Context, DEEPEST};
use crate::sysfs::{btrfs_directory, class_directory, devno_of, name_of_node, sectors};
use crate::tree::unknown_layer;
use crate::{layers, queue, sysfs};

/// Members of one filesystem that are looked up at most; a real one has some dozens.
const MOST_MEMBERS: usize = 1024;

/// Why a tree ends where more would follow.
const TOO_MUCH: &str = "the stack is too deep or too wide to follow";

/// The devices directly beneath a mount; empty when it has none.
pub(crate) fn of_mount(context: &Context<'_>, mount: &Mount, depth: usize) -> Vec<Layer> {
    match mount.fs_type.as_str() {
        "btrfs" => return of_btrfs(context, mount, depth),
        "bcachefs" => {
            let nodes = mount.source.split(':').take(MOST_MEMBERS);
            let names = nodes.filter_map(|node| name_of_node(context, node));
            return by_names(context, names, depth);
        }
        _ => {}
    }
    // Major 0 is the kernel's mark of a filesystem without a device (fs/super.c, get_anon_bdev).
    if mount.devno.major != 0 {
        return vec![by_devno(context, mount.devno, depth)];
    }
    Vec::new()
}

/// A btrfs has a number of its own; its devices are those of the filesystem under
/// `/sys/fs/btrfs` that counts the mounted source among them.
fn of_btrfs(context: &Context<'_>, mount: &Mount, depth: usize) -> Vec<Layer> {
    if let Some(directory) = btrfs_directory(context, mount) {
        let names = context.names(directory.join("devices"));
        return by_names(context, names, depth);
    }
    context.note(
        format!("all devices of the btrfs at {}", mount.point),
        "no filesystem under /sys/fs/btrfs names its source; only the source is shown",
    );
    by_node(context, &mount.source, depth).into_iter().collect()
}

/// The layer of device number `devno`.
pub(crate) fn by_devno(context: &Context<'_>, devno: DevNo, depth: usize) -> Layer {
    let path = context
        .roots
        .sysfs
        .join("dev/block")
        .join(devno.to_string());
    match context.follow(path) {
        Some(directory) => build(context, &directory, depth),
        None => {
            let _ = context.take_layer();
            let why = format!("no device {devno} under {}", context.roots.sysfs.display());
            unknown_layer(&devno.to_string(), Some(devno), &why)
        }
    }
}

/// The layer of the device with the kernel's name `name`.
pub(crate) fn by_name(context: &Context<'_>, name: &str, depth: usize) -> Layer {
    match class_directory(context, name) {
        Some(directory) => build(context, &directory, depth),
        None => {
            let _ = context.take_layer();
            unknown_layer(name, None, "the kernel shows no device of this name")
        }
    }
}

/// The layers of several devices, as many as one tree may still have.
pub(crate) fn by_names(
    context: &Context<'_>,
    names: impl IntoIterator<Item = String>,
    depth: usize,
) -> Vec<Layer> {
    let mut layers = Vec::new();
    for name in names {
        if context.is_used_up() {
            let devno = devno_of(context, &name);
            layers.push(unknown_layer(&name, devno, TOO_MUCH));
            break;
        }
        layers.push(by_name(context, &name, depth));
    }
    layers
}

fn by_node(context: &Context<'_>, node: &str, depth: usize) -> Option<Layer> {
    let name = name_of_node(context, node)?;
    Some(by_name(context, &name, depth))
}

/// The layer whose directory under `/sys/devices` is `directory`.
fn build(context: &Context<'_>, directory: &Path, depth: usize) -> Layer {
    let raw = directory.file_name().unwrap_or_default().to_string_lossy();
    let name = crate::text::clean(&raw).replace('!', "/");
    let devno = context.value(directory.join("dev"));
    if depth >= DEEPEST || !context.take_layer() {
        return unknown_layer(&name, devno, TOO_MUCH);
    }
    let mut layer = unknown_layer(&name, devno, "");
    layer.size = sectors(context, &directory.join("size")).unwrap_or(Bytes::ZERO);
    layer.read_only = context.flag(directory.join("ro")).unwrap_or(false);
    let is_partition = directory.join("partition").exists();
    layer.queue = (!is_partition).then(|| queue::read(context, directory));
    layers::read(context, directory, &mut layer, depth);
    if let LayerKind::Unknown { why } = &layer.kind {
        context.note(format!("what {name} is"), why.clone());
    }
    layer
}

/// The layers named in `directory/slaves`.
pub(crate) fn slaves(context: &Context<'_>, directory: &Path, depth: usize) -> Vec<Layer> {
    by_names(context, sysfs::slaves(context, directory), depth + 1)
}
