//! What a metadata run gives.

use std::path::PathBuf;

use etalon_model::LatencyHistogram;
use etalon_units::{Bytes, Nanos, per_second};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::operation::MetadataOperation;
use super::settings::MetadataWorkload;

/// The figures of one run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MetadataRecord {
    /// What was asked for.
    pub workload: MetadataWorkload,
    /// The phases that were asked for, in their order; fewer when the run ended early.
    pub phases: Vec<PhaseRecord>,
    /// How the run ended.
    pub ended: MetadataEnd,
}

impl MetadataRecord {
    /// The figures of one operation, if it was part of the run.
    pub fn phase(&self, operation: MetadataOperation) -> Option<&PhaseRecord> {
        self.phases
            .iter()
            .find(|phase| phase.operation == operation)
    }
}

/// The figures of one operation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PhaseRecord {
    /// Which.
    pub operation: MetadataOperation,
    /// Whether the phase came to its end.
    pub outcome: PhaseOutcome,
    /// Operations that succeeded, over all jobs.
    pub count: u64,
    /// Directory entries that `readdir` listed, `.` and `..` left out; zero elsewhere.
    pub entries: u64,
    /// Bytes that `write` wrote; zero elsewhere.
    pub bytes: Bytes,
    /// From the common start to the end of the slowest job, a closing `syncfs(2)` included.
    #[serde(rename = "duration_ns", alias = "duration")]
    pub duration: Nanos,
    /// The part of `duration` that the closing `syncfs(2)` took.
    #[serde(rename = "sync_ns", alias = "sync")]
    pub sync: Nanos,
    /// Time of each operation. The clock is read once per operation, so the making of the next name
    /// (tens of nanoseconds) is included.
    pub latency: LatencyHistogram,
    /// Processor time of the jobs in user mode.
    #[serde(rename = "cpu_user_ns", alias = "cpu_user")]
    pub cpu_user: Nanos,
    /// Processor time of the jobs in the kernel.
    #[serde(rename = "cpu_system_ns", alias = "cpu_system")]
    pub cpu_system: Nanos,
    /// Each job's share.
    pub jobs: Vec<JobShare>,
}

impl PhaseRecord {
    /// Operations per second over the whole phase.
    pub fn per_second(&self) -> f64 {
        per_second(self.count, self.duration)
    }
}

/// One job's share of a phase.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct JobShare {
    /// Operations that succeeded.
    pub count: u64,
    /// From the common start to the job's first operation.
    #[serde(rename = "begin_ns", alias = "begin")]
    pub begin: Nanos,
    /// From the common start to the end of the job's last operation.
    #[serde(rename = "end_ns", alias = "end")]
    pub end: Nanos,
}

/// Whether a phase came to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum PhaseOutcome {
    /// All of it was done.
    Complete,
    /// The filesystem does not have the operation.
    Unsupported {
        /// The kernel's error number.
        errno: i32,
    },
    /// The run ended within it; the figures cover the part until then.
    Partial,
}

/// How a run ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum MetadataEnd {
    /// With its last phase.
    Complete,
    /// Because it was asked to stop.
    Interrupted,
    /// Because space, inodes or a quota ran out.
    DiskFull {
        /// In which phase.
        operation: MetadataOperation,
        /// The name that could not be made, relative to the run's directory.
        path: PathBuf,
        /// The kernel's error number.
        errno: i32,
    },
    /// Because an operation failed.
    Failed {
        /// In which phase.
        operation: MetadataOperation,
        /// The name it was about, relative to the run's directory.
        path: PathBuf,
        /// The kernel's error number.
        errno: i32,
    },
}
