//! What real work gives.

use std::collections::BTreeMap;

use etalon_model::{CacheHeld, CacheMode, LatencyHistogram, ServiceFacts};
use etalon_units::{Bytes, Nanos, per_second};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The figures of one real work.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct WorkRecord {
    /// Which work.
    pub work: String,
    /// Every parameter with its value, defaults too.
    pub parameters: BTreeMap<String, Vec<String>>,
    /// What decided every random choice.
    pub seed: u64,
    /// What was worked on; `None` where there is no input.
    pub input: Option<InputRecord>,
    /// How long the setup took; not part of any figure.
    #[serde(rename = "setup_ns", alias = "setup")]
    pub setup: Nanos,
    /// The timed steps in their order; fewer when the work ended early.
    pub steps: Vec<StepRecord>,
    /// How long the removal of everything took.
    #[serde(rename = "cleanup_ns", alias = "cleanup")]
    pub cleanup: Nanos,
    /// How the work ended.
    pub ended: WorkEnd,
}

impl WorkRecord {
    /// The figures of one step, if it was done.
    pub fn step(&self, name: &str) -> Option<&StepRecord> {
        self.steps.iter().find(|step| step.name == name)
    }
}

/// What was worked on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct InputRecord {
    /// In words: `generated: source-tree`, or the user's path.
    pub source: String,
    /// Number of files.
    pub files: u64,
    /// Bytes in them.
    pub bytes: Bytes,
    /// Size of the first 8 MiB divided by their size after zstd level 3; 1 means incompressible,
    /// `None` that nothing was sampled.
    pub compressibility: Option<f64>,
}

/// The figures of one step.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct StepRecord {
    /// Its name, for example `unpack`.
    pub name: String,
    /// From its start until it returned.
    #[serde(rename = "elapsed_ns", alias = "elapsed")]
    pub elapsed: Nanos,
    /// The `syncfs(2)` after it: `elapsed + sync` is when all was durable.
    #[serde(rename = "sync_ns", alias = "sync")]
    pub sync: Nanos,
    /// Processor time in user mode, of the step's thread and its child processes.
    #[serde(rename = "user_ns", alias = "user")]
    pub user: Nanos,
    /// Processor time in the kernel, of the same.
    #[serde(rename = "system_ns", alias = "system")]
    pub system: Nanos,
    /// `elapsed - user - system`: the time in which no processor worked for the step. Zero where
    /// several processors did.
    #[serde(rename = "wait_ns", alias = "wait")]
    pub wait: Nanos,
    /// Time during `elapsed` in which some task of the machine waited for I/O (`some` of
    /// `/proc/pressure/io`, kernel `Documentation/accounting/psi.rst`); `None` without PSI.
    #[serde(rename = "io_pressure_ns", alias = "io_pressure")]
    pub io_pressure: Option<Nanos>,
    /// Bytes that this process and its ended children fetched from storage during `elapsed`
    /// (`read_bytes` of `/proc/self/io`, proc(5)); other threads of the process count in.
    #[serde(rename = "storage_read_bytes", alias = "storage_read")]
    pub storage_read: Option<Bytes>,
    /// Bytes that the same sent towards storage (`write_bytes`).
    #[serde(rename = "storage_written_bytes", alias = "storage_written")]
    pub storage_written: Option<Bytes>,
    /// Files that the step handled; zero where it does not know.
    pub files: u64,
    /// Bytes that the step handled; zero where it does not know.
    pub bytes: Bytes,
    /// The state of the page cache in which the step was to find its input; absent where none was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cache: Option<CacheMode>,
    /// What the page cache held of that input just before; absent, too, where that cannot be told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cache_before: Option<CacheHeld>,
    /// What a database or a server told of the step.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub service: Option<ServiceFacts>,
    /// How long each transaction or page took, where it consists of many.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub latency: Option<LatencyHistogram>,
    /// How late each of them began, where they were to arrive at a rate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lag: Option<LatencyHistogram>,
    /// The step's figure, where that is a rate and not a time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rate: Option<RateRecord>,
}

/// So many operations in so much time: the figure of a step that is told as a rate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RateRecord {
    /// Operations that ended.
    pub operations: u64,
    /// How long that took.
    #[serde(rename = "duration_ns")]
    pub duration: Nanos,
}

/// What is known of a step besides its time and counters.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct StepDetails {
    /// What a database or a server told.
    pub service: Option<ServiceFacts>,
    /// How long each transaction or page took.
    pub latency: Option<LatencyHistogram>,
    /// How late each of them began.
    pub lag: Option<LatencyHistogram>,
    /// The figure, where it is a rate.
    pub rate: Option<RateRecord>,
}

impl StepRecord {
    /// Until everything was durable.
    pub fn durable(&self) -> Nanos {
        Nanos(self.elapsed.get().saturating_add(self.sync.get()))
    }

    /// Bytes handled per second, until everything was durable.
    pub fn durable_bytes_per_second(&self) -> f64 {
        per_second(self.bytes.get(), self.durable())
    }
}

/// How a work ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum WorkEnd {
    /// With its last step.
    Complete,
    /// Because it was asked to stop.
    Interrupted,
    /// Because space, inodes or a quota ran out.
    DiskFull {
        /// What could not be done.
        message: String,
    },
    /// Because a step failed.
    Failed {
        /// What failed.
        message: String,
    },
    /// As complete or interrupted, but cleaning up failed; the steps that were timed are whole.
    LeftOver {
        /// What is left, or could not be done about it.
        message: String,
    },
}
