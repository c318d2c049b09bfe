//! From a target's path to the tree beneath it.

use std::fs;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::{Path, PathBuf};

use etalon_model::stack::{
    DevNo, FsDetail, Layer, NEARLY_FULL_PERCENT, StackTree, TargetKind, Warning,
};
use rustix::fs::{AtFlags, StatxFlags, statx};

use crate::context::{Context, DEEPEST};
use crate::error::StackError;
use crate::mountinfo::{Identity, covering};
use crate::roots::Roots;
use crate::sysfs::{self, devno};
use crate::{device, filesystem, overlay, swaps, text};

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
        tree.swaps = swaps::read(&context, &tree);
        tree.missing = context.take_missing();
        Ok(tree)
    }
}

/// A target, looked at.
struct Target {
    resolved: PathBuf,
    kind: TargetKind,
    identity: Identity,
    device: Option<DevNo>,
}

/// The tree beneath `target`, itself `depth` layers below the first.
pub(crate) fn tree_of(
    context: &Context<'_>,
    target: &Path,
    depth: usize,
) -> Result<StackTree, StackError> {
    let found = if context.roots.is_host() {
        examine(target)?
    } else {
        by_name(context, target)
    };
    let mut tree = StackTree {
        target: text::clean(&target.to_string_lossy()),
        resolved: text::clean(&found.resolved.to_string_lossy()),
        kind: found.kind,
        mount: None,
        filesystem: None,
        devices: Vec::new(),
        no_block: None,
        swaps: Vec::new(),
        missing: Vec::new(),
        warnings: Vec::new(),
    };
    match found.device {
        Some(devno) => tree.devices.push(device::by_devno(context, devno, depth)),
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
    let devices = device::of_mount(context, mount, depth);
    tree.no_block = devices.is_empty().then(|| filesystem::why_no_block(mount));
    tree.filesystem = Some(filesystem::read(
        context,
        mount,
        found_file(found),
        &devices,
    ));
    tree.devices = devices;
    if let (Some(fs), true) = (tree.filesystem.as_mut(), depth < DEEPEST) {
        let target = (found.resolved.as_path(), found.kind);
        let place = overlay::place_beneath(mount, &fs.detail, target);
        fs.beneath = place.and_then(|place| stack_at(context, &place, depth).map(Box::new));
    }
    tree.warnings = warnings(tree);
    tree.mount = Some(mount.clone());
    Ok(())
}

/// The nearest existing path of the target, which can be asked for its filesystem's facts.
fn found_file(found: &Target) -> Option<&Path> {
    (found.kind != TargetKind::NotExamined).then(|| {
        let mut path = found.resolved.as_path();
        while let (false, Some(parent)) = (path.exists(), path.parent()) {
            path = parent;
        }
        path
    })
}

/// The stack of a place beneath an overlay, which may lie outside this mount namespace.
fn stack_at(context: &Context<'_>, place: &Path, depth: usize) -> Option<StackTree> {
    if !context.take_layer() {
        return None;
    }
    let what = || format!("stack of the overlay's directory {}", place.display());
    match tree_of(context, place, depth + 1) {
        Ok(tree) if tree.kind == TargetKind::Absent => {
            context.note(what(), "it is not visible in this mount namespace");
            None
        }
        Ok(tree) => Some(tree),
        Err(error) => {
            context.note(what(), error.to_string());
            None
        }
    }
}

fn warnings(tree: &StackTree) -> Vec<Warning> {
    let mut warnings = Vec::new();
    if let Some(fs) = &tree.filesystem {
        if matches!(fs.detail, FsDetail::Memory { .. }) {
            warnings.push(Warning::InMemory);
        }
        warnings.extend(btrfs_warnings(&fs.detail));
        let used = fs.space.and_then(|space| space.used());
        if let Some(used) = used.filter(|u| u.fraction() * 100.0 > NEARLY_FULL_PERCENT) {
            warnings.push(Warning::NearlyFull { used });
        }
    }
    warnings
}

/// What is wrong with a btrfs as an array of its own.
fn btrfs_warnings(detail: &FsDetail) -> Vec<Warning> {
    let FsDetail::Btrfs {
        devices,
        missing_devices,
        operation,
        ..
    } = detail
    else {
        return Vec::new();
    };
    let missing = *missing_devices;
    let degraded = (missing > 0).then_some(Warning::DegradedArray {
        missing,
        of: devices.saturating_add(missing),
    });
    let busy = operation.clone().filter(|operation| operation != "none");
    let busy = busy.map(|action| Warning::ArrayBusy { action });
    degraded.into_iter().chain(busy).collect()
}

/// Looks at a path of the running machine, or at the nearest directory above one not made yet.
fn examine(target: &Path) -> Result<Target, StackError> {
    let fail = |source| StackError::Target {
        path: target.to_owned(),
        source,
    };
    let (resolved, exists) = resolve(target).map_err(fail)?;
    let metadata = fs::metadata(&resolved).map_err(fail)?;
    let kind = match metadata.file_type() {
        _ if !exists => TargetKind::Absent,
        kind if kind.is_dir() => TargetKind::Directory,
        kind if kind.is_block_device() => TargetKind::BlockDevice,
        _ => TargetKind::File,
    };
    Ok(Target {
        identity: Identity {
            mount_id: mount_id(&resolved),
            devno: Some(devno(metadata.dev())),
        },
        device: (kind == TargetKind::BlockDevice).then(|| devno(metadata.rdev())),
        resolved,
        kind,
    })
}

/// `target` without symbolic links; if it does not exist, the nearest directory above it that does.
fn resolve(target: &Path) -> std::io::Result<(PathBuf, bool)> {
    let absolute = std::path::absolute(target)?;
    let mut path = absolute.as_path();
    loop {
        match (fs::canonicalize(path), path.parent()) {
            (Ok(found), _) => return Ok((found, path == absolute)),
            (Err(error), Some(parent)) if error.kind() == std::io::ErrorKind::NotFound => {
                path = parent;
            }
            (Err(error), _) => return Err(error),
        }
    }
}

/// The number of a mount, by statx(2) with `STATX_MNT_ID` (Linux 5.8).
fn mount_id(path: &Path) -> Option<u64> {
    let found = statx(rustix::fs::CWD, path, AtFlags::empty(), StatxFlags::MNT_ID).ok()?;
    let answered = StatxFlags::from_bits_retain(found.stx_mask).contains(StatxFlags::MNT_ID);
    answered.then_some(found.stx_mnt_id)
}

/// A target of a copied machine: a device when its name is one, else a path.
fn by_name(context: &Context<'_>, target: &Path) -> Target {
    let node = target.to_string_lossy();
    let name = sysfs::name_of_node(context, &node);
    let device = name.and_then(|name| sysfs::devno_of(context, &name));
    Target {
        resolved: target.to_owned(),
        kind: match device {
            Some(_) => TargetKind::BlockDevice,
            None => TargetKind::NotExamined,
        },
        identity: Identity::default(),
        device,
    }
}

/// A layer that could not be followed.
pub(crate) fn unknown_layer(name: &str, devno: Option<DevNo>, why: &str) -> Layer {
    Layer {
        name: name.to_owned(),
        devno: devno.unwrap_or(DevNo { major: 0, minor: 0 }),
        node: format!("/dev/{name}"),
        size: etalon_units::Bytes::ZERO,
        read_only: false,
        queue: None,
        kind: etalon_model::stack::LayerKind::Unknown {
            why: why.to_owned(),
        },
        warnings: Vec::new(),
        below: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use etalon_model::stack::Space;
    use etalon_units::Bytes;

    fn tree_with(used_percent: u64) -> StackTree {
        let mut tree = Stack::of(Path::new("."), &Roots::default()).unwrap();
        tree.filesystem.as_mut().unwrap().space = Some(Space {
            total: Bytes(1000),
            free: Bytes(1000 - used_percent * 10),
            available: Bytes(1000 - used_percent * 10),
            inodes_total: 0,
            inodes_free: 0,
            read_only: false,
        });
        tree
    }

    #[test]
    fn a_filesystem_is_nearly_full_above_ninety_percent() {
        let is_full = |percent| {
            let found = warnings(&tree_with(percent));
            found
                .iter()
                .any(|w| matches!(w, Warning::NearlyFull { .. }))
        };
        assert!(!is_full(90));
        assert!(is_full(91));
    }

    #[test]
    fn a_btrfs_with_a_missing_device_is_degraded_and_a_balance_is_work() {
        let detail = |missing_devices, operation: &str| FsDetail::Btrfs {
            devices: 1,
            missing_devices,
            node_size: None,
            sector_size: None,
            checksum: None,
            features: Vec::new(),
            allocation: Vec::new(),
            operation: Some(operation.to_owned()),
            usage: None,
        };
        assert_eq!(btrfs_warnings(&detail(0, "none")), []);
        let busy = Warning::ArrayBusy {
            action: "balance".to_owned(),
        };
        let degraded = Warning::DegradedArray { missing: 1, of: 2 };
        assert_eq!(btrfs_warnings(&detail(1, "balance")), [degraded, busy]);
    }
}
