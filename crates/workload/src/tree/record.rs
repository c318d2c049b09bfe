//! What a run of the tree gives.

use std::path::PathBuf;

use etalon_units::{Bytes, Nanos, per_second};
use serde::{Deserialize, Serialize};

use super::shape::TreeShape;

/// One of the four parts of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Phase {
    /// All directories are created.
    CreateDirectories,
    /// All files are created and written.
    CreateFiles,
    /// All files are removed.
    RemoveFiles,
    /// All directories are removed.
    RemoveDirectories,
}

impl Phase {
    /// All phases in their order.
    pub const ALL: [Phase; 4] = [
        Phase::CreateDirectories,
        Phase::CreateFiles,
        Phase::RemoveFiles,
        Phase::RemoveDirectories,
    ];

    /// What its figure counts.
    pub fn words(self) -> &'static str {
        match self {
            Phase::CreateDirectories => "directories created",
            Phase::CreateFiles => "files created",
            Phase::RemoveFiles => "files removed",
            Phase::RemoveDirectories => "directories removed",
        }
    }
}

/// The figures of one phase.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct PhaseRecord {
    /// Which phase.
    pub phase: Phase,
    /// From the start of the run to the start of the phase.
    #[serde(rename = "begin_ns", alias = "begin")]
    pub begin: Nanos,
    /// From the start of the run to the end of the phase.
    #[serde(rename = "end_ns", alias = "end")]
    pub end: Nanos,
    /// Directories or files created or removed.
    pub count: u64,
    /// Bytes written.
    pub bytes: Bytes,
    /// The part of the phase that a closing `syncfs(2)` took; zero without `--sync`.
    #[serde(rename = "sync_ns", alias = "sync")]
    pub sync: Nanos,
}

impl PhaseRecord {
    /// How long the phase took, its closing sync included.
    pub fn elapsed(&self) -> Nanos {
        self.end.saturating_sub(self.begin)
    }

    /// Directories or files per second.
    pub fn per_second(&self) -> f64 {
        per_second(self.count, self.elapsed())
    }

    /// Bytes written per second.
    pub fn bytes_per_second(&self) -> f64 {
        per_second(self.bytes.get(), self.elapsed())
    }
}

/// The figures of one run over one tree.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TreeRecord {
    /// The tree.
    pub shape: TreeShape,
    /// Where it stood.
    pub root: PathBuf,
    /// The phases in their order; two with `-C` or `-R` alone.
    pub phases: Vec<PhaseRecord>,
}

impl TreeRecord {
    /// The figures of one phase, if it was part of the run.
    pub fn phase(&self, phase: Phase) -> Option<&PhaseRecord> {
        self.phases.iter().find(|record| record.phase == phase)
    }
}
