//! How much of a filesystem is free, and how much of that may be taken.

use std::io;
use std::os::fd::AsFd;
use std::path::Path;

use etalon_units::Bytes;
use rustix::fs::{StatVfs, fstatvfs, statvfs};

/// One part of so many stays free for everybody else.
pub(crate) const KEPT_SHARE: u64 = 10;

/// The space of a filesystem at one moment (`statvfs(3)`).
#[derive(Debug, Clone, Copy)]
pub struct FreeSpace {
    /// Bytes in a block.
    block: u64,
    /// Blocks of the whole filesystem.
    blocks: u64,
    /// Free blocks, those reserved for root left out (`f_bavail`).
    available: u64,
    inodes: Option<Inodes>,
}

/// Those of a filesystem that has a number of them.
#[derive(Debug, Clone, Copy)]
struct Inodes {
    all: u64,
    /// Free ones, those reserved for root left out (`f_favail`).
    available: u64,
}

impl FreeSpace {
    /// That of the filesystem of `path`.
    ///
    /// # Errors
    /// The kernel's answer to `statvfs(3)`.
    pub fn of_path(path: &Path) -> io::Result<FreeSpace> {
        Ok(FreeSpace::from(statvfs(path)?))
    }

    /// That of the filesystem of an open file or directory.
    ///
    /// # Errors
    /// The kernel's answer to `fstatvfs(3)`.
    pub fn of_file(file: impl AsFd) -> io::Result<FreeSpace> {
        Ok(FreeSpace::from(fstatvfs(file)?))
    }

    /// Whether the filesystem has a size; ramfs has none.
    pub fn has_size(&self) -> bool {
        self.blocks > 0
    }

    /// What this user could take. Blocks reserved for root are nobody's.
    pub fn available(&self) -> Bytes {
        self.bytes(self.available)
    }

    /// What stays free: a tenth of the filesystem, rounded up to whole blocks.
    pub fn kept(&self) -> Bytes {
        self.bytes(self.blocks.div_ceil(KEPT_SHARE))
    }

    /// What this user may take with [`FreeSpace::kept`] left free.
    pub fn allowance(&self) -> Bytes {
        Bytes(self.available().get().saturating_sub(self.kept().get()))
    }

    /// The size of a block of the filesystem.
    pub fn block(&self) -> Bytes {
        Bytes(self.block)
    }

    /// Inodes that this user may take with a tenth of all left free; none where the filesystem makes them as it goes (btrfs).
    pub fn inode_allowance(&self) -> Option<u64> {
        let kept = |all: u64| all.div_ceil(KEPT_SHARE);
        let inodes = self.inodes?;
        Some(inodes.available.saturating_sub(kept(inodes.all)))
    }

    fn bytes(&self, count: u64) -> Bytes {
        Bytes(count.saturating_mul(self.block))
    }
}

impl From<StatVfs> for FreeSpace {
    fn from(found: StatVfs) -> FreeSpace {
        FreeSpace {
            block: found.f_frsize,
            blocks: found.f_blocks,
            available: found.f_bavail,
            inodes: (found.f_files > 0).then_some(Inodes {
                all: found.f_files,
                available: found.f_favail,
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tenth_stays_free() {
        for (available, allowed) in [(1001, 900), (500, 399), (101, 0), (100, 0), (0, 0)] {
            let space = FreeSpace {
                block: 4096,
                blocks: 1001,
                available,
                inodes: None,
            };
            assert_eq!(space.kept(), Bytes(101 * 4096));
            assert_eq!(space.allowance(), Bytes(allowed * 4096), "{available}");
        }
    }

    #[test]
    fn a_tenth_of_the_inodes_stays_free_where_they_are_counted() {
        let of = |inodes| {
            let space = FreeSpace {
                block: 4096,
                blocks: 1000,
                available: 500,
                inodes,
            };
            space.inode_allowance()
        };
        let counted = |available| {
            of(Some(Inodes {
                all: 16_384,
                available,
            }))
        };
        // ext4 of 64 MiB, as it is made.
        assert_eq!(counted(16_373), Some(14_734));
        assert_eq!(counted(1600), Some(0));
        assert_eq!(of(None), None);
    }

    #[test]
    fn a_path_and_its_file_say_the_same() {
        let root = std::fs::File::open("/").unwrap();
        let (file, path) = (FreeSpace::of_file(root), FreeSpace::of_path("/".as_ref()));
        assert_eq!(file.unwrap().kept(), path.unwrap().kept());
    }
}
