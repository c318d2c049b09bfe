//! From a target's path to the tree beneath it.

use std::fs::Metadata;
use std::path::Path;

use etalon_model::stack::{DevNo, Disk, Layer, LayerKind, Mount, StackTree, SwapArea, TargetKind};
use etalon_units::Bytes;

use crate::context::{Context, DEEPEST, reason};
use crate::error::StackError;
use crate::loops::{self, NOT_VISIBLE};
use crate::mountinfo::covering;
use crate::roots::Roots;
use crate::target::Target;
use crate::{filesystem, layers, overlay, queue, served, swaps, sysfs, text};

/// Why a tree ends where more would follow.
const TOO_MUCH: &str = "the stack is too deep or too wide to follow";

/// The reading of stacks.
pub struct Stack;

impl Stack {
    /// Everything beneath `target`: a directory, a file, a path not made yet, or a block device.
    ///
    /// Below roots other than the machine's own, `target` is not looked at: it is found by its
    /// name alone among that machine's mounts and devices.
    ///
    /// # Errors
    /// When the target or the list of mounts cannot be read, or no mount covers it. Whatever else
    /// cannot be read stands in [`StackTree::missing`].
    pub fn of(target: &Path, roots: &Roots) -> Result<StackTree, StackError> {
        let context = Context::new(roots);
        let mut tree = tree_of(&context, target, 0)?;
        tree.swaps = swaps::read(&context);
        let leaves = names_of(&tree.leaves());
        for area in &mut tree.swaps {
            let beneath = leaves_of(&context, area);
            let shared = leaves.iter().filter(|leaf| beneath.contains(leaf));
            area.shares = shared.cloned().collect();
        }
        tree.missing = context.take_missing();
        Ok(tree)
    }
}

/// The tree beneath `target`, itself `depth` layers below the first.
fn tree_of(context: &Context<'_>, target: &Path, depth: usize) -> Result<StackTree, StackError> {
    let found = Target::of(context, target)?;
    let resolved = text::clean(&found.resolved.to_string_lossy());
    let mut tree = StackTree {
        resolved,
        ..StackTree::of_nothing(&text::clean(&target.to_string_lossy()), found.kind)
    };
    match found.device {
        Some(devno) => tree.devices.push(by_devno(context, devno, depth)),
        None => beneath_mount(context, &found, &mut tree, depth)?,
    }
    Ok(tree)
}

fn beneath_mount(
    context: &Context<'_>,
    found: &Target,
    tree: &mut StackTree,
    depth: usize,
) -> Result<(), StackError> {
    let mount = covering(context.mounts()?, &found.resolved, found.identity);
    let mount = mount.ok_or_else(|| StackError::NoMount {
        path: found.resolved.clone(),
        mountinfo: context.roots.procfs.join("self/mountinfo"),
    })?;
    let devices = of_mount(context, mount, depth);
    let mut fs = filesystem::read(context, mount, found.file(), &devices);
    tree.devices = devices;
    if depth < DEEPEST {
        let target = (found.resolved.as_path(), found.kind);
        let place = overlay::place_beneath(mount, &fs.detail, target)
            .or_else(|| served::place_beneath(mount, &fs.detail, target.0));
        fs.beneath = place.and_then(|place| stack_at(context, &place, depth).map(Box::new));
    }
    let has_none = tree.devices.is_empty() && !served::is_followed(&fs);
    tree.no_block = has_none.then(|| filesystem::why_no_block(context, mount, &fs.detail));
    tree.warnings = filesystem::warnings(&fs);
    tree.filesystem = Some(fs);
    tree.mount = Some(mount.clone());
    Ok(())
}

/// The stack of a place beneath an overlay or an export of this machine, which may lie outside this mount namespace.
fn stack_at(context: &Context<'_>, place: &Path, depth: usize) -> Option<StackTree> {
    if !context.take_layer() {
        return None;
    }
    let what = format!("stack of the directory {} beneath", place.display());
    known(context, what, visible(context, place, depth + 1))
}

/// The tree beneath a place whose name comes from elsewhere; of one that is not there, [`tree_of`] would tell where it
/// could be made.
fn visible(context: &Context<'_>, place: &Path, depth: usize) -> Result<StackTree, String> {
    match tree_of(context, place, depth) {
        Ok(tree) if tree.kind == TargetKind::Absent => Err(NOT_VISIBLE.to_owned()),
        found => found.map_err(|error| error.to_string()),
    }
}

/// What was found; why it was not is noted.
fn known<T>(context: &Context<'_>, what: String, found: Result<T, String>) -> Option<T> {
    found.map_err(|why| context.note(what, why)).ok()
}

/// The devices directly beneath a mount; empty when it has none.
fn of_mount(context: &Context<'_>, mount: &Mount, depth: usize) -> Vec<Layer> {
    match filesystem::members(context, mount) {
        Some(names) => by_names(context, names, depth),
        // Major 0 is the kernel's mark of a filesystem without a device (fs/super.c, get_anon_bdev).
        None if mount.devno.major == 0 => Vec::new(),
        None => vec![by_devno(context, mount.devno, depth)],
    }
}

/// The layer of device number `devno`.
fn by_devno(context: &Context<'_>, devno: DevNo, depth: usize) -> Layer {
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
fn by_name(context: &Context<'_>, name: &str, depth: usize) -> Layer {
    match sysfs::class_directory(context, name) {
        Some(directory) => build(context, &directory, depth),
        None => {
            let _ = context.take_layer();
            unknown_layer(name, None, "the kernel shows no device of this name")
        }
    }
}

/// The layers of several devices, as many as one tree may still have.
fn by_names(
    context: &Context<'_>,
    names: impl IntoIterator<Item = String>,
    depth: usize,
) -> Vec<Layer> {
    let mut layers = Vec::new();
    for name in names {
        if context.is_used_up() {
            let devno = sysfs::devno_of(context, &name);
            layers.push(unknown_layer(&name, devno, TOO_MUCH));
            break;
        }
        layers.push(by_name(context, &name, depth));
    }
    layers
}

/// The layer whose directory under `/sys/devices` is `directory`.
fn build(context: &Context<'_>, directory: &Path, depth: usize) -> Layer {
    let raw = directory.file_name().unwrap_or_default().to_string_lossy();
    let name = text::clean(&raw).replace('!', "/");
    let devno = context.value(directory.join("dev"));
    if depth >= DEEPEST || !context.take_layer() {
        return unknown_layer(&name, devno, TOO_MUCH);
    }
    let mut layer = unknown_layer(&name, devno, "");
    layer.size = sysfs::sectors(context, &directory.join("size")).unwrap_or(Bytes::ZERO);
    layer.read_only = context.flag(directory.join("ro")).unwrap_or(false);
    let is_partition = directory.join("partition").exists();
    layer.queue = (!is_partition).then(|| queue::read(context, directory));
    let below = layers::below(context, directory, &name);
    layer.below = by_names(context, below, depth + 1);
    layers::read(context, directory, &mut layer);
    if let LayerKind::Loop(device) = &mut layer.kind
        && let (Some(file), false) = (&device.file, device.deleted)
    {
        let found = file_stack(context, directory, file, depth + 1);
        let found = known(context, format!("stack of {file}"), found);
        device.beneath = found.map(Box::new);
    }
    if let LayerKind::Disk(disk) = &mut layer.kind {
        beneath_target(context, disk, depth);
    }
    if let LayerKind::Unknown { why } = &layer.kind {
        context.note(format!("what {name} is"), why.clone());
    }
    layer
}

/// The stack of the file behind the loop device at `directory`.
fn file_stack(
    context: &Context<'_>,
    directory: &Path,
    file: &str,
    depth: usize,
) -> Result<StackTree, String> {
    if context.roots.is_host() {
        loops::file_behind(context, directory, file).map_err(|error| reason(&error))?;
    }
    visible(context, Path::new(file), depth)
}

/// Goes on below a network disk that this machine serves to itself.
fn beneath_target(context: &Context<'_>, disk: &mut Disk, depth: usize) {
    let Some(served) = disk.served_here.as_mut() else {
        return;
    };
    let Some(source) = &served.source else { return };
    let found = visible(context, Path::new(source), depth + 1);
    let found = known(context, format!("stack of {source}"), found);
    served.beneath = found.map(Box::new);
}

/// A layer that could not be followed.
fn unknown_layer(name: &str, devno: Option<DevNo>, why: &str) -> Layer {
    Layer {
        name: name.to_owned(),
        devno: devno.unwrap_or(DevNo { major: 0, minor: 0 }),
        node: format!("/dev/{name}"),
        uuid: None,
        size: Bytes::ZERO,
        read_only: false,
        queue: None,
        kind: LayerKind::Unknown {
            why: why.to_owned(),
        },
        warnings: Vec::new(),
        below: Vec::new(),
    }
}

/// The names of the disks that a swap area lies on.
fn leaves_of(context: &Context<'_>, area: &SwapArea) -> Vec<String> {
    if let Some(name) = sysfs::name_of_node(context, &area.node) {
        let layer = by_name(context, &name, 0);
        let mut found = Vec::new();
        leaf_names(&layer, &mut found);
        return found;
    }
    let found = swap_stack(context, area);
    let found = known(
        context,
        format!("disks of the swap area {}", area.node),
        found,
    );
    found.map_or_else(Vec::new, |stack| names_of(&stack.leaves()))
}

/// The stack of a swap area, of which the kernel tells no more than its name and size.
fn swap_stack(context: &Context<'_>, area: &SwapArea) -> Result<StackTree, String> {
    let stack = visible(context, Path::new(&area.node), 0)?;
    let is_it = |found: Metadata| !found.is_file() || found.len() >= area.size.get();
    match !context.roots.is_host() || std::fs::metadata(&area.node).is_ok_and(is_it) {
        true => Ok(stack),
        false => Err(NOT_VISIBLE.to_owned()),
    }
}

fn leaf_names(layer: &Layer, found: &mut Vec<String>) {
    if layer.is_leaf() {
        found.push(layer.name.clone());
    }
    for below in &layer.below {
        leaf_names(below, found);
    }
    if let Some(stack) = layer.file_stack() {
        found.extend(names_of(&stack.leaves()));
    }
}

fn names_of(layers: &[&Layer]) -> Vec<String> {
    layers.iter().map(|layer| layer.name.clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_from_elsewhere_that_is_not_there_has_no_stack() {
        let roots = Roots::default();
        let context = Context::new(&roots);
        let place = Path::new("/not there/image");
        assert_eq!(visible(&context, place, 0), Err(NOT_VISIBLE.to_owned()));
        let found = tree_of(&context, place, 0).unwrap();
        assert_eq!(found.kind, TargetKind::Absent);
    }

    /// As in a container, for which /proc/swaps is that of its host.
    #[test]
    fn a_swap_file_is_known_by_its_name_and_its_size() {
        let roots = Roots::default();
        let context = Context::new(&roots);
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("swap.img");
        std::fs::write(&file, [0; 8192]).unwrap();
        let is_found = |node: &Path, size| {
            let area = SwapArea {
                node: node.to_string_lossy().into_owned(),
                kind: "file".to_owned(),
                size: Bytes(size),
                used: Bytes::ZERO,
                priority: -2,
                shares: Vec::new(),
            };
            swap_stack(&context, &area).is_ok()
        };
        assert!(is_found(&file, 4096));
        assert!(!is_found(&file, 1 << 20), "another file of that name");
        assert!(!is_found(Path::new("/not there/swap.img"), 4096));
    }
}
