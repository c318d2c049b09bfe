//! What a target is: looked at on the running machine, found by its name on a copied one.

use std::fs;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::{Path, PathBuf};

use etalon_model::stack::{DevNo, TargetKind};
use rustix::fs::{AtFlags, StatxFlags, statx};

use crate::context::Context;
use crate::error::StackError;
use crate::mountinfo::PathId;
use crate::sysfs::{self, devno};

/// A target, looked at.
pub(crate) struct Target {
    pub(crate) resolved: PathBuf,
    pub(crate) kind: TargetKind,
    pub(crate) identity: PathId,
    pub(crate) device: Option<DevNo>,
}

impl Target {
    /// Looks at `target`.
    pub(crate) fn of(context: &Context<'_>, target: &Path) -> Result<Target, StackError> {
        match context.roots.is_host() {
            true => examine(target),
            false => Ok(by_name(context, target)),
        }
    }

    /// The nearest existing path, which can be asked for its filesystem's facts.
    pub(crate) fn file(&self) -> Option<&Path> {
        (self.kind != TargetKind::NotExamined).then(|| {
            let mut path = self.resolved.as_path();
            while let (false, Some(parent)) = (path.exists(), path.parent()) {
                path = parent;
            }
            path
        })
    }
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
        identity: PathId {
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
        identity: PathId::default(),
        device,
    }
}
