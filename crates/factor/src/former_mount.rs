//! A mount as it was, so that it can be had again.

use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::block_node::diskseq;
use crate::condition::put_back_mount;
use crate::error::FactorError;
use crate::made::{mounted_at, run};
use crate::path_text;

/// Words of the kernel's list of mounts that say what is so and are no options of mount(8).
const ONLY_SHOWN: [&str; 1] = ["seclabel"];

/// What mount(8) must be told to have a mount again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FormerMount {
    /// Where it was mounted.
    #[serde(with = "path_text")]
    pub point: PathBuf,
    /// What was mounted: a device, an export of a server, or the file of a loop device that goes with its mount.
    pub source: String,
    /// The type of the filesystem.
    pub kind: String,
    /// Options of the mount and of the filesystem, as the kernel showed them.
    pub before: String,
    /// The disk's own number (`/sys/block/DISK/diskseq`, Linux 5.15), by which another disk under the same name is known.
    pub diskseq: Option<String>,
}

impl FormerMount {
    /// Mounts it as it was; whether that was needed.
    pub(crate) fn put_back(&self) -> Result<bool, FactorError> {
        // Who has mounted something there since has put it in order, or wants it otherwise.
        if mounted_at(&self.point)?.is_some() {
            return Ok(false);
        }
        self.insist_on_place()?;
        self.insist_on_disk()?;
        let options = words(&self.kind, &self.before);
        let point = self.point.to_string_lossy();
        let what = ["-t", &self.kind, "-o", &options, "--", &self.source, &point];
        run("mount", &what)?;
        // What the kernel chose by itself this time is set as it was.
        put_back_mount(&self.point, &self.before)?;
        Ok(true)
    }

    /// A link that somebody has put in its place would lead elsewhere.
    fn insist_on_place(&self) -> Result<(), FactorError> {
        let found = fs::canonicalize(&self.point);
        let found = found.map_err(FactorError::io("find the mount point", &self.point))?;
        match found == self.point {
            true => Ok(()),
            false => Err(FactorError::NotSo {
                path: self.point.clone(),
                wanted: "a directory".to_owned(),
                found: format!("a link to {}", found.display()),
            }),
        }
    }

    fn insist_on_disk(&self) -> Result<(), FactorError> {
        let found = diskseq(Path::new(&self.source));
        match found == self.diskseq {
            true => Ok(()),
            false => Err(FactorError::DoesNotFit(format!(
                "'{}' is not the disk any more that was mounted at '{}'; mount that one there",
                self.source,
                self.point.display()
            ))),
        }
    }
}

/// The options of mount(8) that give what the kernel has shown. What it would choose by itself is denied where it was not
/// shown.
fn words(kind: &str, shown: &str) -> String {
    let options = shown.split(',').filter(|o| !ONLY_SHOWN.contains(o));
    let mut words: Vec<&str> = options.collect();
    let has = |name: &str| shown.split([',', '=']).any(|word| word == name);
    if !has("noatime") && !has("relatime") {
        words.push("strictatime");
    }
    if kind == "btrfs" && !has("discard") {
        words.push("nodiscard");
    }
    words.join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_kernel_shows_is_said_as_mount_takes_it() {
        for (kind, shown, wanted) in [
            (
                "ext4",
                "rw,relatime,data=journal",
                "rw,relatime,data=journal",
            ),
            ("ext4", "rw,nodev,noatime,seclabel", "rw,nodev,noatime"),
            ("xfs", "rw,nodiratime", "rw,nodiratime,strictatime"),
            (
                "btrfs",
                "rw,noatime,discard=async",
                "rw,noatime,discard=async",
            ),
            (
                "btrfs",
                "rw,noatime,subvol=/",
                "rw,noatime,subvol=/,nodiscard",
            ),
        ] {
            assert_eq!(words(kind, shown), wanted);
        }
    }
}
