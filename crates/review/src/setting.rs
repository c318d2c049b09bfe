//! What a page tells of the machine that was measured.

use etalon_language::say;

use schemars::JsonSchema;
use serde::Serialize;

use crate::quantity::size;
use crate::{Line, Page};

/// What a page tells of the machine that was measured.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Setting {
    /// The smallest memory of a machine that is told, in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory_bytes: Option<f64>,
    /// Whether the disk is described: a model, a size or a kind.
    pub disk: bool,
    /// Whether the kernel or the system's version is told.
    pub kernel: bool,
    /// Whether a filesystem is named, or none was there.
    pub filesystem: bool,
    /// Whether LVM is at work: a volume of it is mounted, read or written.
    pub lvm: bool,
    /// Whether LVM is told where the system is described.
    pub lvm_told: bool,
}

/// Names of what stores.
const DISKS: [&str; 22] = [
    "ssd",
    "hdd",
    "nvme",
    "disque",
    "disk",
    "sata",
    "rpm",
    "seagate",
    "western digital",
    "samsung",
    "hitachi",
    "toshiba",
    "crucial",
    "intel ",
    "usb",
    "raid",
    "nas",
    "sd card",
    "emmc",
    "optane",
    "virtio",
    "loop",
];
/// Names of systems and kernels.
const KERNELS: [&str; 12] = [
    "kernel", "noyau", "linux", "debian", "ubuntu", "fedora", "centos", "freebsd", "red hat",
    "suse", "windows", "alpine",
];
/// Names of filesystems, and of what has none.
const FILESYSTEMS: [&str; 16] = [
    "ext2",
    "ext3",
    "ext4",
    "xfs",
    "btrfs",
    "zfs",
    "f2fs",
    "jfs",
    "reiserfs",
    "ntfs",
    "nfs",
    "tmpfs",
    "bcachefs",
    "raw device",
    "/dev/",
    "fuse",
];

impl Setting {
    /// What a page tells.
    pub(crate) fn of(page: &Page) -> Setting {
        let memories = page.lines.iter().filter_map(|line| memory(page, line));
        Setting {
            memory_bytes: memories.reduce(f64::min),
            disk: page.says(&DISKS),
            kernel: page.says(&KERNELS),
            filesystem: page.says(&FILESYSTEMS),
            lvm: page.says(&[
                "/dev/mapper/",
                "lvcreate",
                "pvdisplay",
                "vgdisplay",
                "volume group",
                "lvm",
            ]),
            lvm_told: page.lines.iter().any(describes_lvm),
        }
    }

    /// What a reader would need and does not find.
    pub(crate) fn missing(&self) -> Vec<String> {
        let told: [(bool, fn() -> String); 4] = [
            (self.disk, || say!("fault-missing-disk")),
            (self.memory_bytes.is_some(), || say!("fault-missing-memory")),
            (self.kernel, || say!("fault-missing-kernel")),
            (self.filesystem, || say!("fault-missing-filesystem")),
        ];
        told.into_iter()
            .filter(|(told, _)| !told)
            .map(|(_, name)| name())
            .collect()
    }
}

/// The memory of the machine that a line is about: the last that was told before it, else the next one.
pub(crate) fn memory_at(page: &Page, line: usize) -> Option<f64> {
    let told: Vec<(usize, f64)> = page
        .lines
        .iter()
        .filter_map(|l| Some((l.number, memory(page, l)?)))
        .collect();
    let before = told.iter().rev().find(|(at, _)| *at <= line);
    before.or(told.first()).map(|(_, bytes)| *bytes)
}

/// The memory that a line tells of: `RAM 8GO`, `System Memory: 3964MB`, `16Go de mémoire`.
fn memory(page: &Page, line: &Line) -> Option<f64> {
    let start = ["ram", "memory", "memoire"]
        .iter()
        .find_map(|word| word_at(line, word))?;
    let numbers = page.numbers(line);
    let near = |at: usize| at.abs_diff(start) <= 24;
    let sized = numbers.iter().filter(|n| near(n.start) || near(n.end));
    let bytes = sized
        .filter_map(size)
        .find(|bytes| (1e8..1e14).contains(bytes))?;
    let other = line.says(&["cache", "tmpfs", "ramdisk", "buffer"]);
    (!other).then_some(bytes)
}

/// Where a word of its own stands.
fn word_at(line: &Line, word: &str) -> Option<usize> {
    let alone = line
        .plain
        .match_indices(word)
        .map(|(at, _)| at)
        .find(|at| {
            let before = line.plain[..*at].chars().next_back();
            let after = line.plain[at + word.len()..].chars().next();
            !before.is_some_and(char::is_alphanumeric) && !after.is_some_and(char::is_alphabetic)
        })?;
    let letters = line.plain[..alone].chars().count();
    line.text.char_indices().nth(letters).map(|(at, _)| at)
}

/// Whether LVM is told of as a part of the system, and not only seen in the output of a command.
fn describes_lvm(line: &Line) -> bool {
    let command =
        line.text.trim_start().starts_with(['#', '$']) || line.plain.contains("/dev/mapper/");
    !command
        && line.says(&[
            "lvm",
            "logical volume",
            "volume group",
            "volumes logiques",
            "volume logique",
        ])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_found_in_the_words_of_both_languages() {
        let of = |text: &str| Setting::of(&Page::read(text)).memory_bytes;
        assert_eq!(of("RAM 8GO | Dualcore kernel 2.6.31"), Some(8e9));
        assert_eq!(of("• System Memory: 3964MB,"), Some(3964e6));
        assert_eq!(of("8Go Ram, contrôleur"), Some(8e9));
        assert_eq!(of("program of 4 MB"), None);
        assert_eq!(of("mémoire cache de 64 Mo"), None);
    }
}
