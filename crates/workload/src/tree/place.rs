//! Where a tree stands: choosing its root, and looking at the room there is.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use etalon_units::Bytes;
use rustix::fs::statvfs;

use super::error::TreeError;
use super::shape::TreeShape;

/// What a root's name begins with; the host's name and the process number follow.
pub const DEFAULT_NAME: &str = "LEVEL0";

/// The root that this process creates below `start`: `LEVEL0.HOST.PID`, and for further trees of
/// the same process `LEVEL0.HOST.PID.2` and so on.
pub(super) fn fresh_root(start: &Path, which: u32) -> PathBuf {
    let uname = rustix::system::uname();
    let node = uname.nodename().to_string_lossy();
    let host = node.split('.').next().unwrap_or_default();
    let name = format!("{DEFAULT_NAME}.{host}.{}", std::process::id());
    start.join(if which <= 1 {
        name
    } else {
        format!("{name}.{which}")
    })
}

/// The tree that `-R` alone removes: `start` itself when it bears a root's name, else the only
/// such directory within it.
pub(super) fn standing_root(start: &Path) -> Result<PathBuf, TreeError> {
    let unusable = |source| TreeError::Start {
        path: start.to_owned(),
        source,
    };
    let is_root = |name: &std::ffi::OsStr| name.to_string_lossy().starts_with("LEVEL0.");
    if start.file_name().is_some_and(is_root) {
        fs::metadata(start).map_err(unusable)?;
        return Ok(start.to_owned());
    }
    let mut found = Vec::new();
    for entry in fs::read_dir(start).map_err(unusable)? {
        let entry = entry.map_err(unusable)?;
        if is_root(&entry.file_name()) && entry.file_type().map_err(unusable)?.is_dir() {
            found.push(entry.path());
        }
    }
    match found.len() {
        1 => Ok(found.remove(0)),
        0 => Err(TreeError::NoTree(start.to_owned())),
        count => Err(TreeError::SeveralTrees {
            path: start.to_owned(),
            count,
        }),
    }
}

/// Refuses a tree that does not fit, with a tenth of the filesystem kept free.
pub(super) fn check_room(start: &Path, shape: &TreeShape) -> Result<(), TreeError> {
    let vfs = statvfs(start).map_err(|errno| TreeError::Start {
        path: start.to_owned(),
        source: io::Error::from(errno),
    })?;
    let kept = vfs.f_blocks / 10;
    let free = Bytes(
        vfs.f_bavail
            .saturating_sub(kept)
            .saturating_mul(vfs.f_frsize),
    );
    // A directory takes at least one block on most filesystems.
    let directories = shape.total_directories().saturating_mul(vfs.f_frsize);
    let needed = Bytes(shape.total_bytes().get().saturating_add(directories));
    if needed > free {
        return Err(TreeError::Space {
            path: start.to_owned(),
            needed,
            free,
        });
    }
    let entries = shape
        .total_directories()
        .saturating_add(shape.total_files());
    // Filesystems that make inodes as they go report none (btrfs) or a guess.
    if vfs.f_files > 0 && entries > vfs.f_favail {
        return Err(TreeError::Inodes {
            path: start.to_owned(),
            needed: entries,
            free: vfs.f_favail,
        });
    }
    Ok(())
}
