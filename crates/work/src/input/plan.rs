//! The list of files of a collection.

use rand::{RngExt as _, SeedableRng as _};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::collections::BTreeSet;

use etalon_units::Bytes;

use super::distribution::Distribution;
use super::fill::FileContent;

/// Most files of one plan; the list is kept in memory.
const MOST_FILES: u64 = 20_000_000;

/// What stands in a collection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum InputEntry {
    /// A file.
    File {
        /// Relative to the root.
        path: String,
        /// Its length in bytes.
        size: u64,
        /// Permissions.
        mode: u32,
        /// When it was last changed, in seconds since 1970.
        modified: i64,
        /// Whether the line with the needle is planted at its end.
        needle: bool,
    },
    /// A symbolic link.
    Link {
        /// Relative to the root.
        path: String,
        /// Where it points, relative to its directory.
        to: String,
    },
}

/// A collection of files, decided by its distribution, its size and its seed.
#[derive(Debug, Clone)]
pub struct InputPlan {
    pub(super) distribution: Distribution,
    pub(super) seed: u64,
    entries: Vec<(InputEntry, FileContent)>,
}

/// Each n-th text file of a source tree and of mail has the needle.
const NEEDLES: u64 = 50;

impl InputPlan {
    /// A collection of at least one file whose sizes add up to `size` exactly, but for a last file
    /// that would be shorter than 64 bytes; never more than 20 million files.
    pub fn new(distribution: Distribution, size: Bytes, seed: u64) -> InputPlan {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed ^ 0x706c_616e);
        let mut entries = Vec::new();
        let (mut left, mut number) = (size.get().max(64), 0);
        while left >= 64 && number < MOST_FILES {
            let draw = distribution.draw(&mut random);
            let size = draw.size.min(left);
            left -= size;
            let directory = distribution.directory(number);
            let name = distribution.name(number);
            let text = draw.content == FileContent::Text;
            let file = InputEntry::File {
                path: format!("{directory}{name}"),
                size,
                mode: [0o644, 0o640, 0o755, 0o600][random.random_range(0..4usize)],
                // Within ten years from 2015 on.
                modified: 1_420_070_400 + random.random_range(0..315_360_000i64),
                needle: text && number % NEEDLES == 7 && size >= 128,
            };
            entries.push((file, draw.content));
            if distribution == Distribution::SourceTree && number % 100 == 99 {
                let link = InputEntry::Link {
                    path: format!("{directory}link{number:06}"),
                    to: name,
                };
                entries.push((link, draw.content));
            }
            number += 1;
        }
        InputPlan {
            distribution,
            seed,
            entries,
        }
    }

    /// Files and links in their order.
    pub fn entries(&self) -> impl Iterator<Item = &InputEntry> {
        self.entries.iter().map(|(entry, _)| entry)
    }

    pub(super) fn with_contents(&self) -> impl Iterator<Item = &(InputEntry, FileContent)> {
        self.entries.iter()
    }

    /// Number of files and links.
    pub fn files(&self) -> u64 {
        self.entries.len() as u64
    }

    /// Number of directories, the root not among them.
    pub fn directories(&self) -> u64 {
        let mut all = BTreeSet::new();
        for entry in self.entries() {
            let (InputEntry::File { path, .. } | InputEntry::Link { path, .. }) = entry;
            let mut end = path.len();
            while let Some(slash) = path[..end].rfind('/') {
                if !all.insert(&path[..slash]) {
                    break;
                }
                end = slash;
            }
        }
        all.len() as u64
    }

    /// Bytes in all files.
    pub fn bytes(&self) -> Bytes {
        let size = |entry: &InputEntry| match entry {
            InputEntry::File { size, .. } => *size,
            InputEntry::Link { .. } => 0,
        };
        Bytes(self.entries().map(size).sum())
    }

    /// Files that have the needle in one line.
    pub fn needles(&self) -> u64 {
        self.entries()
            .filter(|entry| matches!(entry, InputEntry::File { needle: true, .. }))
            .count() as u64
    }

    /// The seed of one file's content.
    pub(super) fn file_seed(&self, index: usize) -> u64 {
        // Any odd constant spreads the indices; this one is 2^64 / golden ratio (Knuth, TAOCP 6.4).
        self.seed
            .wrapping_add((index as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }
}
