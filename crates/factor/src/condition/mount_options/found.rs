//! A mount as it is found, and which options are in force on it.

use std::fs;
use std::path::{Path, PathBuf};

use etalon_model::stack::{DevNo, Mount};
use etalon_stack::parse_mountinfo;

use super::words::{default_value, is_default_flag, is_same, key, names, opposite, shown_as};
use crate::block_node::directory;

/// A mount that was found.
#[derive(Debug)]
pub(super) struct Found {
    pub(super) point: PathBuf,
    /// The type of the filesystem.
    pub(super) kind: String,
    /// What the list of mounts shows, by commas.
    pub(super) options: String,
    pub(super) device: DevNo,
}

/// The mount that holds `path`.
pub(super) fn mount_of(path: &Path) -> Option<Found> {
    let table = Path::new("/proc/self/mountinfo");
    let text = fs::read_to_string(table).ok()?;
    let path = fs::canonicalize(path).ok()?;
    let mounts = parse_mountinfo(&text, table).ok()?;
    let holding = mounts
        .into_iter()
        .filter(|mount| path.starts_with(&mount.point));
    // Of several at one place the last is on top.
    let depth = |mount: &Mount| Path::new(&mount.point).components().count();
    let found = holding
        .enumerate()
        .max_by_key(|(n, mount)| (depth(mount), *n));
    found.map(|(_, mount)| Found {
        options: options_of(&mount),
        point: PathBuf::from(mount.point),
        kind: mount.fs_type,
        device: mount.devno,
    })
}

/// The options of the mount and of its filesystem.
pub(crate) fn options_of(mount: &Mount) -> String {
    let mut options = mount.options.clone();
    let of_super = mount.super_options.iter();
    let is_own = |option: &&String| !matches!(option.as_str(), "rw" | "ro" | "");
    options.extend(of_super.filter(is_own).cloned());
    options.join(",")
}

impl Found {
    /// Those of `wanted` that are not in force; `before` is what the list of mounts showed without them.
    pub(super) fn lacks<'a>(&self, wanted: &'a [String], before: &str) -> Vec<&'a str> {
        let of_driver = self.of_driver();
        let shown: Vec<&str> = self.options.split(',').chain(of_driver.lines()).collect();
        let before: Vec<&str> = before.split(',').collect();
        let lacking = wanted
            .iter()
            .filter(|word| !is_in_force(&self.kind, word, &shown, &before));
        lacking.map(String::as_str).collect()
    }

    /// What ext4 tells of every option, a line each. The list of mounts shows only what differs from the superblock.
    fn of_driver(&self) -> String {
        let device = directory(self.device);
        let name = device.file_name().unwrap_or_default();
        let path = Path::new("/proc/fs/ext4").join(name).join("options");
        fs::read_to_string(path).unwrap_or_default()
    }
}

/// Whether `wanted` is shown, as it is or as the kernel writes it, or is a default that is never shown.
fn is_in_force(kind: &str, wanted: &str, shown: &[&str], before: &[&str]) -> bool {
    let also = shown_as(kind, wanted);
    let is_shown = |word: &str| shown.iter().any(|found| is_same(found, word));
    let is_default = || match key(also) {
        Some(name) => is_default_value(kind, also, name, shown),
        None => is_denied_no_more(kind, also, shown, before),
    };
    wanted == "defaults" || is_shown(wanted) || is_shown(also) || is_default()
}

fn is_default_value(kind: &str, wanted: &str, name: &str, shown: &[&str]) -> bool {
    let is_default = default_value(kind, name).is_some_and(|word| is_same(word, wanted));
    is_default && !names(shown, name) && !names(shown, &opposite(name))
}

/// Whether the opposite of a flag is not in force: it went, or would be shown.
fn is_denied_no_more(kind: &str, wanted: &str, shown: &[&str], before: &[&str]) -> bool {
    if wanted == "strictatime" {
        return !names(shown, "noatime") && !names(shown, "relatime");
    }
    let denial = opposite(wanted);
    let has_gone = || names(before, &denial) || is_default_flag(kind, wanted);
    !names(shown, &denial) && has_gone()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lacks(kind: &str, wanted: &str, shown: &str, before: &str) -> bool {
        let [shown, before] = [shown, before].map(|text| text.split(',').collect::<Vec<_>>());
        !is_in_force(kind, wanted, &shown, &before)
    }

    #[test]
    fn what_is_shown_otherwise_or_is_a_default_is_in_force() {
        for (kind, wanted, shown, before) in [
            ("btrfs", "compress=zstd", "rw,compress=zstd:3", "rw"),
            // As Linux before 5.1 has it.
            ("btrfs", "compress=zstd", "rw,compress=zstd", "rw"),
            ("btrfs", "compress", "rw,compress=zlib:3", "rw"),
            ("btrfs", "compress-force=no", "rw", "rw,compress-force=lzo"),
            ("btrfs", "commit=30", "rw,ssd", "rw,ssd"),
            ("btrfs", "nodiscard", "rw,ssd", "rw,discard=async"),
            ("btrfs", "max_inline=2k", "rw", "rw"),
            ("ext4", "barrier=0", "rw,nobarrier", "rw"),
            ("ext3", "commit=5", "rw", "rw"),
            ("xfs", "logbsize=32k", "rw,logbsize=32k", "rw,logbsize=32k"),
            ("xfs", "allocsize=64m", "rw,allocsize=65536k", "rw"),
            ("xfs", "nodiscard", "rw,inode64", "rw,inode64"),
            ("f2fs", "nobarrier", "rw,nobarrier", "rw"),
            ("f2fs", "noextent_cache", "rw", "rw,extent_cache"),
            ("tmpfs", "strictatime", "rw", "rw,relatime"),
            ("ext4", "async", "rw", "rw,sync"),
            ("ext4", "defaults", "rw,relatime", "rw,relatime"),
        ] {
            assert!(!lacks(kind, wanted, shown, before), "{kind} {wanted}");
        }
    }

    #[test]
    fn what_nothing_shows_is_not_in_force() {
        let of_xfs = "rw,relatime,inode64,logbufs=8,logbsize=32k,noquota";
        for wanted in [
            "discard",
            "logbsize=256k",
            "largeio",
            "noalign",
            "inode32",
            "wsync",
        ] {
            assert!(lacks("xfs", wanted, of_xfs, of_xfs), "{wanted}");
        }
        for (kind, wanted, shown) in [
            ("btrfs", "compress=zstd", "rw,compress=zstd:9"),
            ("btrfs", "compress=zstd:9", "rw,compress-force=zstd:9"),
            ("btrfs", "compress=no", "rw,compress-force=lzo"),
            ("btrfs", "nodiscard", "rw,discard=async"),
            ("ext4", "commit=60", "rw"),
            ("ext4", "init_itable", "rw,noinit_itable"),
            ("ext4", "nobarrier", "rw,barrier"),
            ("ext4", "journal_ioprio=5", "rw"),
            ("tmpfs", "nosuid", "rw"),
            ("tmpfs", "relatime", "rw,noatime"),
            ("tmpfs", "strictatime", "rw,noatime"),
            ("tmpfs", "async", "rw,sync"),
            ("f2fs", "nodiscard", "rw"),
        ] {
            assert!(lacks(kind, wanted, shown, shown), "{kind} {wanted}");
        }
    }
}
