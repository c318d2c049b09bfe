//! I/O of the engine, with all its parameters.

use std::fmt;
use std::str::FromStr;

use etalon_units::{Bytes, Nanos};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::block_sizes::BlockKeys;
use crate::{BlockSizes, FakeDevice, Operation, Think};

/// One workload of the engine, fully described: the same record and the same target give the same work.
///
/// Nothing in it is resolved against a machine; the engine does that and refuses what a target
/// cannot do.
/// In records a parameter that means nothing in the workload is missing, see
/// [`conditional_keys`](crate::conditional_keys).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, remote = "Self")]
#[schemars(transform = crate::applies::may_be_missing)]
pub struct IoWorkload {
    /// What is done.
    pub operation: Operation,
    /// Size of one operation, or the sizes that are drawn for each.
    #[serde(flatten, with = "BlockKeys")]
    #[schemars(with = "BlockKeys")]
    pub block_size: BlockSizes,
    /// Size of each file, or of the used range of a block device; zero takes what is there.
    #[serde(rename = "file_size_bytes", alias = "file_size")]
    pub file_size: Bytes,
    /// Where the used range starts within each file or device.
    #[serde(rename = "offset_bytes", alias = "offset")]
    pub offset: Bytes,
    /// Length of the used range; zero reaches to the end of the file.
    #[serde(rename = "range_bytes", alias = "range")]
    pub range: Bytes,
    /// Distance between two blocks of a strided pass, in blocks; at least 2 has an effect.
    pub stride: u32,
    /// Share of reads in a mixed operation, 0..=100.
    pub read_percent: u8,
    /// Number of threads, 1..=1024.
    pub jobs: u32,
    /// Whether each job has a file of its own.
    pub layout: FileLayout,
    /// Operations kept in flight per job, 1..=4096; only `io_uring`, `null` and `fake` keep more
    /// than one.
    pub queue_depth: u32,
    /// Most operations handed over at once, and as many answers waited for at once when the queue
    /// is full: this saves processor time, and latencies include the wait for the batch. Zero is the
    /// engine's choice: each is handed over by itself and one answer waited for at a time.
    pub batch: u32,
    /// How the I/O is issued.
    pub backend: Backend,
    /// Whether the page cache is bypassed (`O_DIRECT`).
    pub direct: bool,
    /// The state of the page cache that the run starts from.
    pub cache: CacheMode,
    /// Whether each write returns only when durable.
    pub sync: SyncMode,
    /// When `fsync` is called, always inside the clock.
    pub fsync: FsyncPolicy,
    /// Whether `fdatasync(2)` is called in place of `fsync(2)`; missing where it is not.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub fdatasync: bool,
    /// When the run ends.
    pub end: End,
    /// The first part of a timed run that is left out of the figures.
    #[serde(rename = "warm_up_ns", alias = "warm_up")]
    pub warm_up: Nanos,
    /// How random offsets are drawn.
    pub distribution: Distribution,
    /// When operations start.
    pub arrival: Arrival,
    /// Pauses between operations; missing where there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub think: Option<Think>,
    /// Whether data that is read is compared with what was written.
    pub verify: bool,
    /// `io_uring` only: poll for completions (`IORING_SETUP_IOPOLL`); needs `direct` and a device that polls.
    pub poll: bool,
    /// `io_uring` only: a kernel thread submits (`IORING_SETUP_SQPOLL`).
    pub sqpoll: bool,
    /// Processors that jobs are bound to, in turn; missing where they are not.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub cpus: Vec<u32>,
    /// NUMA node whose memory, and where `cpus` are missing whose processors, jobs are bound to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub numa_node: Option<u32>,
    /// Whether buffers lie in huge pages (`MAP_HUGETLB`); missing where they do not.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub huge_pages: bool,
    /// The device that the `fake` backend models.
    pub fake: FakeDevice,
    /// Decides every random choice.
    pub seed: u64,
}

impl Default for IoWorkload {
    /// One job that reads 4 KiB at random for ten seconds, one at a time.
    fn default() -> Self {
        IoWorkload {
            operation: Operation::RandRead,
            block_size: BlockSizes::One(Bytes::kib(4)),
            file_size: Bytes::ZERO,
            offset: Bytes::ZERO,
            range: Bytes::ZERO,
            stride: 2,
            read_percent: 50,
            jobs: 1,
            layout: FileLayout::PerJob,
            queue_depth: 1,
            batch: 0,
            backend: Backend::Sync,
            direct: false,
            cache: CacheMode::AsFound,
            sync: SyncMode::None,
            fsync: FsyncPolicy::Never,
            fdatasync: false,
            end: End::Time(Nanos::secs(10)),
            warm_up: Nanos::ZERO,
            distribution: Distribution::Permutation,
            arrival: Arrival::Closed,
            think: None,
            verify: false,
            poll: false,
            sqpoll: false,
            cpus: Vec::new(),
            numa_node: None,
            huge_pages: false,
            fake: FakeDevice::default(),
            seed: 0,
        }
    }
}

/// Whether jobs share one file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum FileLayout {
    /// Each job has a file of its own.
    PerJob,
    /// All jobs use one file; together they cover it.
    Shared,
}

/// How I/O is issued.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Backend {
    /// `pread(2)` and `pwrite(2)`, one at a time.
    Sync,
    /// `io_uring(7)` with registered files and buffers.
    IoUring,
    /// Loads and stores through `mmap(2)`.
    Mmap,
    /// `fread(3)` and `fwrite(3)`.
    Stdio,
    /// Does nothing, at once; measures the tool itself.
    Null,
    /// A modelled device on a virtual clock.
    Fake,
}

impl Backend {
    /// Every backend with its name, in the order of the help text.
    pub const ALL: [(Backend, &'static str); 6] = [
        (Backend::Sync, "sync"),
        (Backend::IoUring, "io_uring"),
        (Backend::Mmap, "mmap"),
        (Backend::Stdio, "stdio"),
        (Backend::Null, "null"),
        (Backend::Fake, "fake"),
    ];

    /// The name on the command line and in records.
    pub fn name(self) -> &'static str {
        match self {
            Backend::Sync => "sync",
            Backend::IoUring => "io_uring",
            Backend::Mmap => "mmap",
            Backend::Stdio => "stdio",
            Backend::Null => "null",
            Backend::Fake => "fake",
        }
    }
}

impl fmt::Display for Backend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A text that names none of the choices.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("'{input}' is not a {what}; write one of {choices}")]
pub struct UnknownName {
    /// What was asked for, for example `backend`.
    pub what: &'static str,
    /// What was typed.
    pub input: String,
    /// The accepted forms.
    pub choices: String,
}

impl FromStr for Backend {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Backend::ALL
            .into_iter()
            .find(|(_, name)| *name == text)
            .map(|(backend, _)| backend)
            .ok_or_else(|| UnknownName {
                what: "backend",
                input: text.to_owned(),
                choices: Backend::ALL.map(|(_, name)| name).join(", "),
            })
    }
}

/// The state of the page cache that a run starts from.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum CacheMode {
    /// Nothing is done about it.
    #[default]
    AsFound,
    /// It is bypassed: `O_DIRECT`, or no run.
    Direct,
    /// It holds nothing of the files.
    Cold,
    /// It holds at least 99 % of the files.
    Warm,
    /// It holds nothing of the files at first and never more than this much of them: a control
    /// group with a limit on memory.
    #[serde(rename = "limited_bytes", alias = "limited")]
    Limited(Bytes),
}

impl fmt::Display for CacheMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CacheMode::AsFound => f.write_str("as-found"),
            CacheMode::Direct => f.write_str("direct"),
            CacheMode::Cold => f.write_str("cold"),
            CacheMode::Warm => f.write_str("warm"),
            CacheMode::Limited(limit) => write!(f, "limited:{limit}"),
        }
    }
}

impl FromStr for CacheMode {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let limit = text.strip_prefix("limited:").map(str::parse::<Bytes>);
        match (text, limit) {
            ("as-found", _) => Ok(CacheMode::AsFound),
            ("direct", _) => Ok(CacheMode::Direct),
            ("cold", _) => Ok(CacheMode::Cold),
            ("warm", _) => Ok(CacheMode::Warm),
            (_, Some(Ok(limit))) if limit > Bytes::ZERO => Ok(CacheMode::Limited(limit)),
            _ => Err(UnknownName {
                what: "state of the cache",
                input: text.to_owned(),
                choices: "as-found, direct, cold, warm, limited:SIZE (for example limited:512M)"
                    .to_owned(),
            }),
        }
    }
}

/// Whether each write returns only when durable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum SyncMode {
    /// Writes return when the kernel has them.
    None,
    /// `O_DSYNC`: the data and what is needed to read it are durable.
    DSync,
    /// `O_SYNC`: the data and all attributes are durable.
    Sync,
}

/// When `fsync(2)` is called; its time always counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum FsyncPolicy {
    /// Not at all: what is still in memory at the end is not durable.
    Never,
    /// Once, after the last write.
    End,
    /// After every n-th write of a job, and at the end.
    Every(u32),
}

/// When a run ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum End {
    /// After this many bytes, over all jobs.
    Bytes(Bytes),
    /// After this span, warm-up included.
    #[serde(rename = "time_ns", alias = "time")]
    Time(Nanos),
    /// After one pass over the used range; with several block sizes, after as many bytes.
    Pass,
}

/// How random offsets are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Distribution {
    /// Every block once per pass, in random order.
    Permutation,
    /// Every block equally likely, repeats allowed.
    Uniform,
    /// The k-th most popular block is drawn in proportion to `1 / k^theta`; `theta > 0`.
    Zipf {
        /// The exponent; 0.9 to 1.2 are usual.
        theta: f64,
    },
    /// Self-similar: a share `h` of the draws hits a share `1 - h` of the blocks; `0.5 < h < 1`.
    Pareto {
        /// 0.8 is the rule of 80 to 20.
        h: f64,
    },
}

/// When operations start.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Arrival {
    /// As soon as a place in the queue is free; only service time is known.
    Closed,
    /// At a fixed rate over all jobs, whether or not the target keeps up; response time counts
    /// from the intended moment.
    Fixed {
        /// Operations per second, above zero.
        #[serde(rename = "operations_per_second", alias = "rate")]
        rate: f64,
    },
    /// As `Fixed`, with exponential gaps.
    Poisson {
        /// Mean operations per second, above zero.
        #[serde(rename = "operations_per_second", alias = "rate")]
        rate: f64,
    },
    /// Held to a rate from the last start, waiting for the answer first. This omits the
    /// operations that a stall held up, and is here to show that it does.
    Repaced {
        /// Operations per second, above zero.
        #[serde(rename = "operations_per_second", alias = "rate")]
        rate: f64,
    },
}

impl Arrival {
    /// Operations a second that are asked for; `None` where each follows an answer.
    pub fn rate(&self) -> Option<f64> {
        match *self {
            Arrival::Closed => None,
            Arrival::Fixed { rate } | Arrival::Poisson { rate } | Arrival::Repaced { rate } => {
                Some(rate)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cache_modes_read_back_by_their_names() {
        for text in ["as-found", "direct", "cold", "warm", "limited:512 MiB"] {
            let mode: CacheMode = text.parse().unwrap();
            assert_eq!(mode.to_string(), text);
        }
        for text in ["", "limited", "limited:", "limited:0", "limited:x", "tepid"] {
            let error = text.parse::<CacheMode>().unwrap_err().to_string();
            assert!(error.contains(&format!("'{text}'")), "{error}");
        }
    }

    #[test]
    fn a_workload_survives_json_and_an_unknown_field_does_not() {
        let workload = IoWorkload {
            operation: Operation::RandRw,
            arrival: Arrival::Poisson { rate: 500.0 },
            distribution: Distribution::Zipf { theta: 1.1 },
            fsync: FsyncPolicy::Every(16),
            ..IoWorkload::default()
        };
        let json = serde_json::to_string(&workload).unwrap();
        assert_eq!(serde_json::from_str::<IoWorkload>(&json).unwrap(), workload);
        assert!(serde_json::from_str::<IoWorkload>(r#"{"blocksize": 4096}"#).is_err());
    }

    #[test]
    fn every_backend_reads_back_by_its_name() {
        for (backend, name) in Backend::ALL {
            assert_eq!(name.parse(), Ok(backend));
            assert_eq!(backend.name(), name);
        }
    }
}
