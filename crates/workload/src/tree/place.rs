//! Where a tree stands: choosing its root, and looking at the room there is.

use std::fs;
use std::path::{Path, PathBuf};

use super::error::TreeError;

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
