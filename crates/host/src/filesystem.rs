//! What kind of filesystem a file is on.

use rustix::fs::StatFs;

/// `f_type` of tmpfs and of ramfs (`statfs(2)`, `linux/magic.h`). tmpfs takes `O_DIRECT` since Linux
/// 6.6 and serves it from memory all the same.
const TMPFS_MAGIC: u32 = 0x0102_1994;
const RAMFS_MAGIC: u32 = 0x8584_58f6;

/// The same of overlayfs.
const OVERLAYFS_MAGIC: u32 = 0x794c_7630;

/// Whether a filesystem of this type, as `/proc/self/mountinfo` calls it, is memory.
pub fn is_memory(fs_type: &str) -> bool {
    matches!(fs_type, "tmpfs" | "ramfs" | "devtmpfs")
}

/// The same by what the kernel tells of a file on it.
pub fn lies_in_memory(found: &StatFs) -> bool {
    matches!(found.f_type as u32, TMPFS_MAGIC | RAMFS_MAGIC)
}

/// Whether it is an overlay, on which cachestat(2) sees nothing: the files beneath hold the data.
pub fn is_overlay(found: &StatFs) -> bool {
    // Some architectures give the number with a sign.
    found.f_type as u32 == OVERLAYFS_MAGIC
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tmpfs_is_memory_and_a_disk_and_proc_are_not() {
        for (fs_type, memory) in [("tmpfs", true), ("ramfs", true), ("devtmpfs", true)]
            .into_iter()
            .chain([("ext4", false), ("proc", false), ("hugetlbfs", false)])
        {
            assert_eq!(is_memory(fs_type), memory, "{fs_type}");
        }
    }

    #[test]
    fn what_is_memory_by_name_is_so_by_its_magic_number() {
        let mounts = std::fs::read_to_string("/proc/self/mounts").unwrap();
        for line in mounts.lines() {
            let mut words = line.split(' ').skip(1);
            let (Some(point), Some(fs_type)) = (words.next(), words.next()) else {
                continue;
            };
            if !is_memory(fs_type) {
                continue;
            }
            // Another mount may lie over it.
            let covered = mounts
                .lines()
                .filter(|l| l.split(' ').nth(1) == Some(point))
                .count()
                > 1;
            if let (Ok(found), false) = (rustix::fs::statfs(point), covered) {
                assert!(lies_in_memory(&found), "{line}");
            }
        }
    }
}
