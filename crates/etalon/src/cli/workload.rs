//! A workload, option by option.

use crate::names;
use clap::Args;
use etalon_model::Backend;
use etalon_model::CacheMode;
use etalon_model::Distribution;
use etalon_model::FsyncPolicy;
use etalon_model::SyncMode;
use etalon_units::Bytes;
use etalon_units::Nanos;

/// The workload, option by option.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Workload")]
pub(crate) struct IoWorkloadArgs {
    /// Size of one operation; a mix by percent of the operations (4k:60,64k:40), or a range of equally likely sizes: doubled (4k-64k) or by a step (4k-64k/4k)
    #[arg(
        short,
        long,
        default_value = "4k",
        value_name = "SIZE",
        allow_hyphen_values = true,
        value_parser = names::block_sizes
    )]
    pub(crate) block_size: names::BlockList,
    /// Size of each file, or of the range used of a device [default: 1 GiB or a third of the usable space; all of a file or device]
    #[arg(short = 's', long, value_name = "SIZE", allow_hyphen_values = true)]
    pub(crate) file_size: Option<Bytes>,
    /// Where the used range starts
    #[arg(
        long,
        default_value = "0",
        value_name = "SIZE",
        allow_hyphen_values = true
    )]
    pub(crate) offset: Bytes,
    /// Length of the used range [default: to the end]
    #[arg(long, value_name = "SIZE", allow_hyphen_values = true)]
    pub(crate) range: Option<Bytes>,
    /// Distance between two blocks of a strided pass, in blocks
    #[arg(long, default_value_t = 17, value_name = "N", allow_hyphen_values = true, value_parser = names::whole::<u32>)]
    pub(crate) stride: u32,
    /// Share of reads in rw and randrw
    #[arg(long, default_value_t = 50, value_name = "0..100", value_parser = clap::value_parser!(u8).range(0..=100))]
    pub(crate) read_percent: u8,
    /// Number of threads
    #[arg(short, long, default_value = "1", value_delimiter = ',', value_name = "N", allow_hyphen_values = true, value_parser = names::whole::<u32>)]
    pub(crate) jobs: Vec<u32>,
    /// Let all jobs share one file instead of giving each its own
    #[arg(long)]
    pub(crate) shared: bool,
    /// Number of files of a metadata operation, over all jobs; of directories of mkdir and rmdir
    #[arg(long, default_value_t = 1000, value_name = "N", allow_hyphen_values = true, value_parser = names::whole::<u64>)]
    pub(crate) files: u64,
    /// Operations in flight per job
    #[arg(short, long, default_value = "1", value_delimiter = ',', value_name = "N", allow_hyphen_values = true, value_parser = names::whole::<u32>)]
    pub(crate) queue_depth: Vec<u32>,
    /// Most operations handed to io_uring at once [default: each by itself]
    #[arg(long, default_value_t = 0, value_name = "N", hide_default_value = true, allow_hyphen_values = true, value_parser = names::whole::<u32>)]
    pub(crate) batch: u32,
    /// How to issue I/O: sync, io_uring, mmap, stdio, null or fake [default: sync at depth 1, io_uring above]
    #[arg(long, value_name = "BACKEND")]
    pub(crate) backend: Option<Backend>,
    /// Go through the page cache instead of asking for O_DIRECT
    #[arg(long)]
    pub(crate) buffered: bool,
    /// Fail instead of going through the page cache where O_DIRECT is refused
    #[arg(long, conflicts_with = "buffered")]
    pub(crate) direct: bool,
    /// State of the page cache before each run: direct (bypassed, or no run), cold, warm, limited:SIZE (a control group) [default: bypassed where it can be]
    #[arg(long, value_name = "STATE", conflicts_with_all = ["buffered", "direct"])]
    pub(crate) cache: Option<CacheMode>,
    /// Open files with O_DSYNC or O_SYNC: none, dsync or sync
    #[arg(long, default_value = "none", value_parser = names::sync_mode, value_name = "MODE")]
    pub(crate) sync: SyncMode,
    /// Call fsync inside the clock: never, end, or after every N writes
    #[arg(long, default_value = "end", value_parser = names::fsync, value_name = "WHEN")]
    pub(crate) fsync: FsyncPolicy,
    /// Call fdatasync in place of fsync: never, end, or after every N writes
    #[arg(long, value_parser = names::fsync, value_name = "WHEN", conflicts_with = "fsync")]
    pub(crate) fdatasync: Option<FsyncPolicy>,
    /// End after this time, warm-up included
    #[arg(
        short,
        long,
        default_value = "3s",
        value_name = "TIME",
        allow_hyphen_values = true
    )]
    pub(crate) time: Nanos,
    /// End after this many bytes over all jobs
    #[arg(long, value_name = "SIZE", conflicts_with_all = ["time", "one_pass"], allow_hyphen_values = true)]
    pub(crate) bytes: Option<Bytes>,
    /// End after one pass over the range
    #[arg(long, conflicts_with = "time")]
    pub(crate) one_pass: bool,
    /// Leave the first part out of the figures
    #[arg(
        long,
        default_value = "0s",
        value_name = "TIME",
        allow_hyphen_values = true
    )]
    pub(crate) warm_up: Nanos,
    /// How random offsets are drawn: permutation (every block once), uniform, zipf:1.1, pareto:0.8
    #[arg(long, default_value = "permutation", value_parser = names::distribution, value_name = "NAME")]
    pub(crate) distribution: Distribution,
    /// Operations per second (500) or bytes per second (50MiB/s) over all jobs, whether or not the target keeps up
    #[arg(long, group = "paced", value_name = "RATE", allow_hyphen_values = true, value_parser = names::rate)]
    pub(crate) rate: Option<names::RateChoice>,
    /// Pause of each job between operations, outside of their latencies
    #[arg(
        long,
        value_name = "TIME",
        allow_hyphen_values = true,
        conflicts_with = "rate"
    )]
    pub(crate) think: Option<Nanos>,
    /// With --think: pause after every N operations of a job
    #[arg(long, default_value_t = 1, value_name = "N", requires = "think", allow_hyphen_values = true, value_parser = names::whole::<u32>)]
    pub(crate) think_every: u32,
    /// With --rate: fixed or poisson gaps, or repaced (waits for each answer, hiding stalls)
    #[arg(long, value_enum, default_value_t = ArrivalName::Fixed, requires = "paced")]
    pub(crate) arrival: ArrivalName,
    /// Compare what is read with what was written
    #[arg(long)]
    pub(crate) verify: bool,
    /// io_uring: poll for completions
    #[arg(long)]
    pub(crate) poll: bool,
    /// io_uring: let a kernel thread submit
    #[arg(long)]
    pub(crate) sqpoll: bool,
    /// Bind jobs to these processors in turn, for example 0-3,8
    #[arg(long, value_name = "LIST", allow_hyphen_values = true, value_parser = names::cpus)]
    pub(crate) cpus: Option<names::CpuList>,
    /// Bind jobs to the memory and, without --cpus, the processors of this NUMA node
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = names::whole::<u32>)]
    pub(crate) numa_node: Option<u32>,
    /// Put buffers into huge pages
    #[arg(long)]
    pub(crate) huge_pages: bool,
    /// Backend fake: time of one operation
    #[arg(
        long,
        default_value = "100us",
        value_name = "TIME",
        allow_hyphen_values = true
    )]
    pub(crate) fake_service: Nanos,
    /// Backend fake: operations served at once
    #[arg(long, default_value_t = 1, value_name = "N", allow_hyphen_values = true, value_parser = names::whole::<u32>)]
    pub(crate) fake_servers: u32,
    /// Backend fake: stall at every multiple of this time
    #[arg(
        long,
        default_value = "0s",
        value_name = "TIME",
        allow_hyphen_values = true
    )]
    pub(crate) fake_stall_every: Nanos,
    /// Backend fake: length of a stall
    #[arg(
        long,
        default_value = "0s",
        value_name = "TIME",
        allow_hyphen_values = true
    )]
    pub(crate) fake_stall: Nanos,
    /// The number that decides every random choice [default: a new one, which is stored]
    #[arg(long, value_name = "N", value_parser = names::whole::<u64>, allow_hyphen_values = true)]
    pub(crate) seed: Option<u64>,
}

/// The kinds of arrival that have a rate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum ArrivalName {
    /// Equal gaps
    Fixed,
    /// Exponential gaps
    Poisson,
    /// Waits for each answer
    Repaced,
}
