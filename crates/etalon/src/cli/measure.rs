//! Options of one measurement.

use super::{GivenWork, LookArgs, MeasuredOperation, StoreArgs, StrictArgs, WaitArgs};
use crate::names;
use crate::operation_parser::OperationParser;
use clap::Args;
use etalon_experiment::LatencyTarget;
use etalon_units::Percent;
use std::path::PathBuf;

/// Measure one workload with every option of the engine
#[derive(Debug, Clone, Args)]
#[command(after_long_help = "Examples:
  etalon measure /mnt --op read --block-size 1M --queue-depth 8
  etalon measure /dev/nvme0n1 --op randread -b 4k -q 128 --runs 6 --json
  etalon measure /mnt --op randwrite --fsync 1 --time 30s
  etalon measure /mnt --op randread --rate 500 --arrival poisson
  etalon measure /mnt --op randread --block-size 4k:60,64k:40
  etalon measure /mnt --op randread -q 1,4,16 -b 4k,64k --runs 6 --time 3s
  etalon measure /mnt --op create --files 10000
  etalon measure /mnt --op randread --latency-target 5ms
  etalon measure /mnt --op randread --latency-target 2ms@p99.9 --arrival poisson

Commas make a sweep: -q 1,4,16 -b 4k,64k measures all six combinations in random order, block by block.
--op, --block-size, --queue-depth and --jobs can be swept, but not for metadata operations; one backend serves all cells.

Sizes: 4k, 1M and 2GiB are binary, 4kB and 1MB decimal. Times: 500ms, 60s, 3h.")]
pub(crate) struct MeasureArgs {
    /// A directory, an existing file (only read) or a block device (written only where nothing uses it and nothing lies on it)
    #[arg(value_name = "TARGET")]
    pub(crate) target: PathBuf,
    /// What to do: read, write, rw, randread, randwrite, randrw, backread, backwrite, strideread or stridewrite; trim, randtrim, trimwrite or randtrimwrite, of a block device alone; metadata operations: mkdir, create, stat, open, rename, link, symlink, setxattr, getxattr, unlink or rmdir, as `etalon metadata` does them
    #[arg(long, required = true, value_delimiter = ',', value_name = "OPERATION", value_parser = OperationParser, hide_possible_values = true)]
    pub(crate) op: Vec<MeasuredOperation>,
    /// Repeat this often; six are the fewest with an interval [default: 6, then on until every figure has an interval and the precision that was asked for, up to 30 or two minutes]
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = names::runs)]
    pub(crate) runs: Option<usize>,
    /// Ask for an interval this narrow, half the width over the value, and say so where it is wider
    #[arg(long, value_name = "PERCENT", value_parser = names::precision, allow_hyphen_values = true)]
    pub(crate) precision: Option<Percent>,
    /// Give up what lies on the block device with this serial number or by-id name, so that it can be written
    #[arg(long, value_name = "NAME")]
    pub(crate) destroy: Option<String>,
    /// Find the highest queue depth, or with --arrival the highest rate, at which a percentile of the latency stays below this time: 5ms is 5ms@p99
    #[arg(
        long,
        group = "paced",
        value_name = "TIME[@PERCENTILE]",
        allow_hyphen_values = true
    )]
    pub(crate) latency_target: Option<LatencyTarget>,
    #[command(flatten)]
    pub(crate) wait: WaitArgs,
    /// Print one JSON document instead of the page
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) look: LookArgs,
    #[command(flatten)]
    pub(crate) strict: StrictArgs,
    #[command(flatten)]
    pub(crate) store: StoreArgs,
    #[command(flatten)]
    pub(crate) work: GivenWork,
}
