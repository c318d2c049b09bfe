//! What the engine saw during one run.

use etalon_units::{Bytes, Nanos};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Backend, LatencyHistogram, ServiceFacts, optional};

/// The engine's record of one run, before anything judges it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(transform = optional::all_but_the_end)]
pub struct Measurement {
    /// The backend that did the work, which a fallback may have changed; `None` of a task, which
    /// the engine has no part in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub backend: Option<Backend>,
    /// Whether `O_DIRECT` was in force; `None` of work that opens its files as it likes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub direct: Option<bool>,
    /// What was asked for and could not be had.
    #[serde(default)]
    pub fallbacks: Vec<Fallback>,
    /// How the run ended.
    pub ended: Ended,
    /// The timed part, warm-up left out and a closing `fsync` included.
    #[serde(default, rename = "duration_ns", alias = "duration")]
    pub duration: Nanos,
    /// The part of `duration` spent in the closing `fsync`, of the slowest job.
    #[serde(default, rename = "final_fsync_ns", alias = "final_fsync")]
    pub final_fsync: Nanos,
    /// Reads within the timed part.
    #[serde(default)]
    pub reads: OpTotals,
    /// Writes within the timed part.
    #[serde(default)]
    pub writes: OpTotals,
    /// Trims within the timed part: their bytes are those that were told to be free, and none of them was moved.
    #[serde(default = "OpTotals::none", skip_serializing_if = "OpTotals::is_none")]
    pub trims: OpTotals,
    /// Metadata operations within the timed part.
    #[serde(default)]
    pub metadata: OpTotals,
    /// Bytes moved in all, warm-up included: what device counters should show. Trims move none.
    #[serde(default)]
    pub bytes_with_warm_up: Bytes,
    /// Calls of `fsync` within the run.
    #[serde(default)]
    pub fsyncs: u64,
    /// How long those took that stand between the writes of the timed part (`fsync` after so many), and that count in no
    /// write's latency; `None` where there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fsync_latency: Option<LatencyHistogram>,
    /// One point each 100 ms of the timed part.
    #[serde(default)]
    pub series: Vec<SeriesPoint>,
    /// Processor time of the tool's jobs in user mode, over the timed part; `None` where it was not
    /// counted.
    #[serde(default, rename = "cpu_user_ns", alias = "cpu_user")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cpu_user: Option<Nanos>,
    /// Processor time of the tool's jobs in the kernel, over the timed part; `None` likewise.
    #[serde(default, rename = "cpu_system_ns", alias = "cpu_system")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cpu_system: Option<Nanos>,
    /// Time that the tool's jobs were ready to run and had no processor, over the timed part, all jobs
    /// together; none where it was not counted.
    #[serde(
        default,
        rename = "cpu_waited_ns",
        skip_serializing_if = "Option::is_none"
    )]
    pub cpu_waited: Option<Nanos>,
    /// How late operations started after their intended moment; only with an arrival rate.
    pub lag: Option<LatencyHistogram>,
    /// Each job's share.
    #[serde(default)]
    pub jobs: Vec<JobTotals>,
    /// What the comparison of data found; only with `verify`.
    pub verify: Option<VerifyReport>,
    /// What the database or the server behind it told; `None` where there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub service: Option<ServiceFacts>,
}

impl Measurement {
    /// One of `duration` that came to its end and in which nothing was done; what was done, by which
    /// backend and around which caches is filled in by whoever knows it.
    pub fn of_nothing(duration: Nanos) -> Measurement {
        Measurement {
            backend: None,
            direct: None,
            fallbacks: Vec::new(),
            ended: Ended::Complete,
            duration,
            final_fsync: Nanos::ZERO,
            reads: OpTotals::none(),
            writes: OpTotals::none(),
            trims: OpTotals::none(),
            metadata: OpTotals::none(),
            bytes_with_warm_up: Bytes::ZERO,
            fsyncs: 0,
            fsync_latency: None,
            series: Vec::new(),
            cpu_user: None,
            cpu_system: None,
            cpu_waited: None,
            lag: None,
            jobs: Vec::new(),
            verify: None,
            service: None,
        }
    }

    /// Whether the page cache is known to have been bypassed.
    pub fn is_direct(&self) -> bool {
        self.direct == Some(true)
    }

    /// Whether no storage had a part in it: the modelled device, or nothing at all.
    pub fn is_without_storage(&self) -> bool {
        matches!(self.backend, Some(Backend::Fake | Backend::Null))
    }

    /// Processor time of the tool's jobs; `None` where it was not counted.
    pub fn cpu(&self) -> Option<Nanos> {
        let (user, system) = (self.cpu_user?, self.cpu_system?);
        Some(Nanos(user.get().saturating_add(system.get())))
    }

    /// Operations of every kind within the timed part.
    pub fn operations(&self) -> u64 {
        let data = self.reads.operations + self.writes.operations + self.trims.operations;
        data + self.metadata.operations
    }

    /// Bytes read, written and trimmed within the timed part.
    pub fn bytes(&self) -> Bytes {
        Bytes(self.reads.bytes.get() + self.writes.bytes.get() + self.trims.bytes.get())
    }

    /// Latencies of every kind of operation together.
    pub fn latency(&self) -> LatencyHistogram {
        let mut all = self.reads.latency.clone();
        all.merge(&self.writes.latency);
        all.merge(&self.trims.latency);
        all.merge(&self.metadata.latency);
        all
    }

    /// Operations per second over the timed part.
    pub fn operations_per_second(&self) -> f64 {
        etalon_units::per_second(self.operations(), self.duration)
    }

    /// Bytes per second over the timed part.
    pub fn bytes_per_second(&self) -> f64 {
        etalon_units::per_second(self.bytes().get(), self.duration)
    }

    /// Bytes per second of each job over its own time, added up.
    pub fn bytes_per_second_of_jobs(&self) -> f64 {
        let rate = |job: &JobTotals| etalon_units::per_second(job.bytes.get(), job.duration);
        self.jobs.iter().map(rate).sum()
    }
}

/// Count, bytes and latencies of one kind of operation.
// Not `serde(default)` of the whole, which would make a histogram, most of it zeros, for each record that has one.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(transform = optional::all)]
pub struct OpTotals {
    /// Number of operations that ended.
    #[serde(default)]
    pub operations: u64,
    /// Bytes that they moved.
    #[serde(default)]
    pub bytes: Bytes,
    /// Service times (closed loop) or response times from the intended moment (open loop).
    #[serde(default)]
    pub latency: LatencyHistogram,
}

impl OpTotals {
    /// No operation, in no room: of thousands of runs each that is read has these.
    pub fn none() -> OpTotals {
        OpTotals {
            operations: 0,
            bytes: Bytes::ZERO,
            latency: LatencyHistogram::absent(),
        }
    }

    /// Whether there was no such operation.
    pub fn is_none(&self) -> bool {
        self.operations == 0
    }
}

/// One job's share of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct JobTotals {
    /// Operations that ended within the timed part.
    pub operations: u64,
    /// Bytes that they moved.
    pub bytes: Bytes,
    /// From the common start to this job's end, warm-up left out.
    #[serde(rename = "duration_ns", alias = "duration")]
    pub duration: Nanos,
}

/// What happened within one 100 ms slice of the timed part, over all jobs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SeriesPoint {
    /// Operations that ended in the slice.
    pub operations: u64,
    /// Bytes that they moved.
    pub bytes: Bytes,
    /// Sum of their latencies, in nanoseconds.
    pub latency_sum_ns: u64,
    /// The longest of their latencies.
    #[serde(rename = "latency_max_ns", alias = "latency_max")]
    pub latency_max: Nanos,
}

/// How a run ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Ended {
    /// As the workload says.
    Complete,
    /// Because it was asked to stop: it covers the part until then, and counts in no figure of a cell.
    Interrupted,
    /// Because the target had no space left.
    DiskFull,
    /// Because an operation failed; the figures cover the part until then.
    Failed {
        /// The operation, for example `read`.
        operation: String,
        /// Where it failed.
        #[serde(rename = "offset_bytes", alias = "offset")]
        offset: u64,
        /// The kernel's error number.
        errno: i32,
    },
    /// Because a part of a task failed; the figures cover the part until then.
    Broken {
        /// What failed, in a sentence without its full stop.
        message: String,
    },
    /// Because an open-loop queue had grown past what a minute of arrivals makes.
    Overload,
}

/// Something that was asked for and could not be had; the run went on without it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", tag = "what")]
pub enum Fallback {
    /// The kernel refused `io_uring`; `sync` took its place.
    IoUringRefused {
        /// The kernel's error number.
        errno: i32,
    },
    /// The filesystem refused `O_DIRECT`; the run went through the page cache.
    DirectRefused {
        /// The kernel's error number.
        errno: i32,
    },
    /// `O_DIRECT` was turned off at a block that was not whole, as dd does; the rest went through the page cache.
    DirectLeft {
        /// Bytes of the rest.
        #[serde(rename = "buffered_bytes")]
        buffered: Bytes,
    },
    /// Buffers could not be registered with the kernel (`RLIMIT_MEMLOCK`); plain ones were used.
    BuffersNotRegistered {
        /// The kernel's error number.
        errno: i32,
    },
    /// A backend that works one at a time was asked for a deeper queue.
    DepthOne {
        /// The depth asked for.
        asked: u32,
    },
}

/// What comparing the data read with the data written found.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct VerifyReport {
    /// Sectors of 512 bytes compared.
    pub sectors: u64,
    /// Sectors whose content differs from what their stamp promises.
    pub corrupt: u64,
    /// Sectors that hold an older generation than the last one written.
    pub stale: u64,
    /// Sectors that hold what was written for another offset.
    pub misplaced: u64,
    /// Sectors that bear no stamp of this tool, where the run knows that it wrote them.
    pub unstamped: u64,
    /// Sectors read that bear no stamp of the seed and that the run did not write: another wrote them, or what a run
    /// before wrote was lost. There is nothing to compare them with, and they are not among `sectors`.
    #[serde(default)]
    pub skipped_sectors: u64,
    /// The first few bad offsets, in bytes.
    #[serde(rename = "example_offsets_bytes", alias = "examples")]
    pub examples: Vec<u64>,
}

impl VerifyReport {
    /// Number of bad sectors of every kind.
    pub fn bad(&self) -> u64 {
        self.corrupt + self.stale + self.misplaced + self.unstamped
    }
}

/// What the devices beneath the target moved while a run went on.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DeviceTraffic {
    /// The leaf devices, by kernel name.
    pub devices: Vec<String>,
    /// Bytes that they read.
    pub read_bytes: Bytes,
    /// Bytes that they wrote.
    pub written_bytes: Bytes,
    /// Read requests that they served.
    pub read_requests: u64,
    /// Write requests that they served.
    pub write_requests: u64,
    /// Flush requests that they served; `None` where the kernel does not count them.
    pub flushes: Option<u64>,
}
