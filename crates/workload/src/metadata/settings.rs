//! What a metadata run does, and the totals that follow.

use etalon_units::Bytes;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::error::SettingsError;
use super::operation::MetadataOperation;

/// Most directories and files together: items are numbered in 32 bits.
const MOST_ENTRIES: u128 = 1 << 32;

/// A metadata workload, fully described.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct MetadataWorkload {
    /// What is done and reported, in the order of [`MetadataOperation::ALL`]. Directories and files
    /// that other operations need are made without a report where `mkdir` or `create` is left out.
    pub operations: Vec<MetadataOperation>,
    /// Levels of directories below each tree's root; zero puts all files into the root.
    pub depth: u32,
    /// Directories in each directory above the last level.
    pub breadth: u32,
    /// Files in each directory, the root too.
    pub files: u32,
    /// Files in all: directories are filled one after the other until there are so many, of which
    /// each job has its share. `None` fills every directory.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub files_in_all: Option<u64>,
    /// What `write` puts into each file.
    #[serde(rename = "file_size_bytes", alias = "file_size")]
    pub file_size: Bytes,
    /// Most bytes per call of `write(2)`.
    #[serde(rename = "block_size_bytes", alias = "block_size")]
    pub block_size: Bytes,
    /// Number of threads, 1..=1024.
    pub jobs: u32,
    /// Whether each job has a tree of its own.
    pub directories: Directories,
    /// When names and data are made durable.
    pub durability: Durability,
    /// In which order files are visited.
    pub order: FileOrder,
    /// Decides the random order and the data.
    pub seed: u64,
}

/// Whether jobs share a tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Directories {
    /// Each job has a tree of its own, of the full size.
    Own,
    /// All jobs divide one tree among them.
    Shared,
}

/// When names and data are made durable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Durability {
    /// Never by the run: what is counted may still be in memory.
    Never,
    /// Each phase ends with `syncfs(2)` inside its clock.
    Phase,
    /// Each file that is created or written ends with `fsync(2)` inside its latency.
    Each,
}

/// The order in which files are visited by `write`, `stat`, `open` and what follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum FileOrder {
    /// As they were created.
    Created,
    /// In an order drawn from the seed, each file once.
    Random,
}

impl Default for MetadataWorkload {
    /// One job: 8 directories in each of 2 levels, 100 files in each of the 73, all operations.
    fn default() -> Self {
        MetadataWorkload {
            operations: MetadataOperation::ALL.to_vec(),
            depth: 2,
            breadth: 8,
            files: 100,
            files_in_all: None,
            file_size: Bytes::kib(4),
            block_size: Bytes::mib(1),
            jobs: 1,
            directories: Directories::Own,
            durability: Durability::Never,
            order: FileOrder::Created,
            seed: 0,
        }
    }
}

impl MetadataWorkload {
    /// Checks every figure.
    ///
    /// # Errors
    /// [`SettingsError`] with the figure that is out of range.
    pub fn check(&self) -> Result<(), SettingsError> {
        if self.operations.is_empty() {
            return Err(SettingsError::NoOperation);
        }
        if !(1..=1024).contains(&self.jobs) {
            return Err(SettingsError::Jobs(self.jobs));
        }
        if let Some(files) = self.files_in_all.filter(|n| *n < u64::from(self.jobs)) {
            let jobs = self.jobs;
            return Err(SettingsError::TooFewFiles { files, jobs });
        }
        let entries = self.entries();
        if entries.is_none_or(|n| n > MOST_ENTRIES) {
            return Err(SettingsError::TooMany {
                depth: self.depth,
                breadth: self.breadth,
                files: self.files,
                jobs: self.jobs,
                entries: entries.map_or_else(|| "more than 2^128".to_owned(), |n| n.to_string()),
            });
        }
        // The longest name within a tree: `d4294967295/` per level.
        if self.breadth > 0 && self.depth > 300 {
            return Err(SettingsError::TooDeep(self.depth));
        }
        if self.block_size.get() == 0 || self.block_size > Bytes::mib(64) {
            return Err(SettingsError::BlockSize(self.block_size));
        }
        if self
            .total_files()
            .checked_mul(self.file_size.get())
            .is_none_or(|bytes| bytes >= 1 << 63)
        {
            return Err(SettingsError::TooLarge {
                files: self.total_files(),
                file_size: self.file_size,
            });
        }
        Ok(())
    }

    /// Number of trees: one, or one per job.
    pub fn trees(&self) -> u32 {
        match self.directories {
            Directories::Own => self.jobs,
            Directories::Shared => 1,
        }
    }

    /// Directories that `mkdir` makes in each tree; its root is made before the run.
    pub fn directories_per_tree(&self) -> u64 {
        self.below_root()
            .and_then(|n| u64::try_from(n).ok())
            .unwrap_or(u64::MAX)
    }

    /// Directories that `mkdir` makes in all.
    pub fn total_directories(&self) -> u64 {
        self.directories_per_tree()
            .saturating_mul(u64::from(self.trees()))
    }

    /// Files in all trees together.
    pub fn total_files(&self) -> u64 {
        let per_tree = self
            .directories_per_tree()
            .saturating_add(1)
            .saturating_mul(u64::from(self.files));
        let room = per_tree.saturating_mul(u64::from(self.trees()));
        self.files_in_all.map_or(room, |all| all.min(room))
    }

    /// The share of [`files_in_all`](Self::files_in_all) of job number `job` in a tree of its own.
    pub(super) fn files_of_job(&self, job: u64) -> Option<u64> {
        let jobs = u64::from(self.jobs);
        let all = self.files_in_all?;
        Some(all / jobs + u64::from(job < all % jobs))
    }

    fn below_root(&self) -> Option<u128> {
        let breadth = u128::from(self.breadth);
        match breadth {
            0 => Some(0),
            1 => Some(u128::from(self.depth)),
            _ => (0..self.depth).try_fold(0u128, |sum, _| sum.checked_add(1)?.checked_mul(breadth)),
        }
    }

    fn entries(&self) -> Option<u128> {
        let directories = self.below_root()?.checked_add(1)?;
        let files = directories.checked_mul(u128::from(self.files))?;
        directories
            .checked_add(files)?
            .checked_mul(u128::from(self.trees()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_default_has_its_stated_totals() {
        let default = MetadataWorkload::default();
        assert_eq!(default.check(), Ok(()));
        assert_eq!(
            (default.total_directories(), default.total_files()),
            (72, 7300)
        );
        let jobs = MetadataWorkload {
            jobs: 3,
            ..default.clone()
        };
        assert_eq!(
            (jobs.total_directories(), jobs.total_files()),
            (216, 21_900)
        );
        let shared = MetadataWorkload {
            directories: Directories::Shared,
            ..jobs
        };
        assert_eq!(shared.total_files(), 7300);
    }

    #[test]
    fn hostile_figures_are_refused_with_the_figures() {
        let with = |change: fn(&mut MetadataWorkload)| {
            let mut workload = MetadataWorkload::default();
            change(&mut workload);
            workload.check().unwrap_err().to_string()
        };
        assert!(with(|w| w.jobs = 0).contains('0'));
        assert!(with(|w| w.jobs = 5000).contains("5000"));
        assert!(with(|w| w.operations.clear()).contains("mkdir"));
        assert!(with(|w| (w.depth, w.breadth) = (200, 1000)).contains("more than 2^128"));
        assert!(with(|w| w.files = u32::MAX).contains("4294967295"));
        assert!(with(|w| (w.depth, w.breadth, w.files) = (1000, 1, 0)).contains("1000"));
        assert!(with(|w| w.block_size = Bytes(0)).contains('0'));
        assert!(with(|w| w.file_size = Bytes(1 << 60)).contains("7300"));
    }

    proptest! {
        #[test]
        fn no_figures_panic(depth: u32, breadth: u32, files: u32, jobs: u32, size: u64) {
            let workload = MetadataWorkload { depth, breadth, files, jobs, file_size: Bytes(size), ..Default::default() };
            let _ = (workload.check(), workload.total_files());
        }
    }
}
