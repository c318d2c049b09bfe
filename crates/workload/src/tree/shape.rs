//! The shape of a tree: its four parameters and the totals that follow from them.

use etalon_units::Bytes;
use serde::{Deserialize, Serialize};

/// Bytes of one block of a file; fdtree's script writes by `dd bs=4096`.
pub const BLOCK: u64 = 4096;

/// Most directories and files together that a tree may have. More than any filesystem in use keeps
/// inodes for: ext4 counts them in 32 bits (kernel `fs/ext4/ext4.h`, `s_inodes_count`).
const MOST_ENTRIES: u64 = 1 << 32;

/// Four numbers that describe a whole tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct TreeShape {
    /// Levels of directories below the root.
    pub levels: u32,
    /// Directories in each directory that is not of the last level.
    pub directories: u32,
    /// Files in each directory.
    pub files: u32,
    /// Size of each file in blocks of 4 KiB.
    pub blocks: u64,
}

/// Why a shape cannot be made anywhere.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ShapeError {
    /// More directories and files than any filesystem holds.
    #[error(
        "{levels} levels of {directories} directories and {files} files each make {entries} directories and files, and {MOST_ENTRIES} is the most that is accepted"
    )]
    TooMany {
        /// The levels asked for.
        levels: u32,
        /// The directories per directory asked for.
        directories: u32,
        /// The files per directory asked for.
        files: u32,
        /// The total, or `more than 2^128`.
        entries: String,
    },
    /// A file, or all files together, longer than an offset can tell.
    #[error(
        "{files} files of {blocks} blocks of 4 KiB are more bytes than a file offset can count (2^63)"
    )]
    TooLarge {
        /// Number of files in the tree.
        files: u64,
        /// Blocks per file asked for.
        blocks: u64,
    },
    /// Paths of the last level are longer than the kernel takes.
    #[error(
        "{levels} levels make paths of up to {bytes} bytes below the starting directory, and the kernel takes 4095 (PATH_MAX)"
    )]
    TooDeep {
        /// The levels asked for.
        levels: u32,
        /// Length of the longest path.
        bytes: u64,
    },
}

impl Default for TreeShape {
    /// fdtree's: 4 levels, 10 directories, 10 files of 10 blocks.
    fn default() -> Self {
        TreeShape {
            levels: 4,
            directories: 10,
            files: 10,
            blocks: 10,
        }
    }
}

impl TreeShape {
    /// Checks that a tree of this shape can exist.
    ///
    /// # Errors
    /// [`ShapeError`] with the figures that are too large.
    pub fn check(&self) -> Result<(), ShapeError> {
        let entries = self.directories_exact().and_then(|dirs| {
            dirs.checked_mul(u128::from(self.files))
                .and_then(|files| files.checked_add(dirs))
        });
        if entries.is_none_or(|n| n > u128::from(MOST_ENTRIES)) {
            return Err(ShapeError::TooMany {
                levels: self.levels,
                directories: self.directories,
                files: self.files,
                entries: entries.map_or_else(|| "more than 2^128".to_owned(), |n| n.to_string()),
            });
        }
        let files = self.total_files();
        let bytes = u128::from(files) * u128::from(self.blocks) * u128::from(BLOCK);
        if bytes >= 1 << 63 || u128::from(self.blocks) * u128::from(BLOCK) >= 1 << 63 {
            return Err(ShapeError::TooLarge {
                files,
                blocks: self.blocks,
            });
        }
        let longest = self.longest_path();
        if longest > 4000 {
            return Err(ShapeError::TooDeep {
                levels: self.levels,
                bytes: longest,
            });
        }
        Ok(())
    }

    /// Directories in the tree, its root among them: 1 + d + d² + … + d^l.
    /// Exact for every shape that passes [`TreeShape::check`], and `u64::MAX` beyond.
    pub fn total_directories(&self) -> u64 {
        self.directories_exact()
            .and_then(|n| u64::try_from(n).ok())
            .unwrap_or(u64::MAX)
    }

    /// Files in the tree: every directory has as many.
    pub fn total_files(&self) -> u64 {
        self.total_directories()
            .saturating_mul(u64::from(self.files))
    }

    /// Size of one file.
    pub fn file_size(&self) -> Bytes {
        Bytes(self.blocks.saturating_mul(BLOCK))
    }

    /// Bytes in all files together.
    pub fn total_bytes(&self) -> Bytes {
        Bytes(self.total_files().saturating_mul(self.file_size().get()))
    }

    fn directories_exact(&self) -> Option<u128> {
        let fan = u128::from(self.directories);
        match fan {
            0 => Some(1),
            1 => Some(u128::from(self.levels) + 1),
            _ => (0..self.levels).try_fold(1u128, |sum, _| sum.checked_mul(fan)?.checked_add(1)),
        }
    }

    /// Length of the longest path relative to the root, by the names that are given.
    fn longest_path(&self) -> u64 {
        let digits = |n: u32| u64::from(n.checked_ilog10().unwrap_or(0)) + 1;
        let per_level = 3 + digits(self.levels) + digits(self.directories);
        let dirs = if self.directories == 0 {
            0
        } else {
            u64::from(self.levels) * per_level
        };
        dirs + 3 + digits(self.levels) + digits(self.files)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn counted_one_by_one(level: u32, fan: u32) -> u64 {
        if level == 0 {
            1
        } else {
            1 + (0..fan)
                .map(|_| counted_one_by_one(level - 1, fan))
                .sum::<u64>()
        }
    }

    proptest! {
        #[test]
        fn totals_agree_with_counting(levels in 0u32..5, directories in 0u32..5, files in 0u32..5, blocks in 0u64..5) {
            let shape = TreeShape { levels, directories, files, blocks };
            prop_assert_eq!(shape.check(), Ok(()));
            let dirs = counted_one_by_one(levels, directories);
            prop_assert_eq!(shape.total_directories(), dirs);
            prop_assert_eq!(shape.total_bytes().get(), dirs * u64::from(files) * blocks * 4096);
        }

        #[test]
        fn no_shape_panics(levels: u32, directories: u32, files: u32, blocks: u64) {
            let shape = TreeShape { levels, directories, files, blocks };
            let _ = (shape.check(), shape.total_bytes(), shape.total_files());
        }
    }

    #[test]
    fn the_shapes_of_the_manual_have_its_totals() {
        let sample = TreeShape {
            levels: 4,
            directories: 5,
            files: 3,
            blocks: 10,
        };
        assert_eq!(
            (sample.total_directories(), sample.total_files()),
            (781, 2343)
        );
        let deep = TreeShape {
            levels: 4,
            directories: 8,
            files: 16,
            blocks: 1,
        };
        assert_eq!(
            (deep.total_directories(), deep.total_files()),
            (4681, 74_896)
        );
    }

    #[test]
    fn too_much_is_refused_with_figures() {
        let shape = |levels, directories, files, blocks| {
            TreeShape {
                levels,
                directories,
                files,
                blocks,
            }
            .check()
        };
        let text = shape(100, 10_000, 10, 10).unwrap_err().to_string();
        assert!(
            text.contains("more than 2^128") && text.contains("10000 directories"),
            "{text}"
        );
        let text = shape(8, 100, 10, 1).unwrap_err().to_string();
        assert!(text.contains("111111111111111111"), "{text}");
        assert!(matches!(
            shape(0, 0, 2, 1 << 51),
            Err(ShapeError::TooLarge { files: 2, .. })
        ));
        assert!(matches!(
            shape(2000, 1, 0, 0),
            Err(ShapeError::TooDeep { levels: 2000, .. })
        ));
        assert!(matches!(
            shape(u32::MAX, u32::MAX, u32::MAX, u64::MAX),
            Err(ShapeError::TooMany { .. })
        ));
    }
}
