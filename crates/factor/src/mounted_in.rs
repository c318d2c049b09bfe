//! What is mounted in a directory.

use std::fs;
use std::path::{Path, PathBuf};

use etalon_stack::parse_mountinfo;

/// Where the kernel lists the mounts of this process.
const MOUNTS: &str = "/proc/self/mountinfo";

/// Where something is mounted on the directory `path` or in it, in the order in which it was mounted; nothing where the
/// kernel does not tell.
pub(crate) fn mounted_in(path: &Path) -> Vec<PathBuf> {
    let text = fs::read_to_string(MOUNTS).unwrap_or_default();
    let mounts = parse_mountinfo(&text, Path::new(MOUNTS)).unwrap_or_default();
    let points = mounts.into_iter().map(|mount| PathBuf::from(mount.point));
    points.filter(|point| point.starts_with(path)).collect()
}
