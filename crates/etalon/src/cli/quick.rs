//! Options of the quick check.

use super::SessionArgs;
use crate::names;
use clap::Args;
use etalon_stats::MIN_RUNS_LAB;
use etalon_units::Bytes;
use etalon_units::Nanos;
use etalon_units::Percent;
use std::path::PathBuf;

/// Check the storage beneath TARGET for about a minute (what `etalon TARGET` does)
#[derive(Debug, Clone, Args)]
#[command(after_long_help = "Examples:
  etalon quick
  etalon quick /mnt/usb --budget 3m --precision 2.5%
  etalon quick /dev/sdb            (reads only)")]
pub(crate) struct QuickArgs {
    /// A directory on the filesystem to measure, or a block device to read from
    #[arg(default_value = ".", value_name = "TARGET")]
    pub(crate) target: PathBuf,
    /// How long it may take
    #[arg(
        long,
        default_value = "60s",
        value_name = "TIME",
        allow_hyphen_values = true
    )]
    pub(crate) budget: Nanos,
    /// Ask for an interval this narrow, half the width over the value: end as soon as every workload has it, and say so where one has not [default: all of the budget is used]
    #[arg(long, value_name = "PERCENT", value_parser = names::precision, allow_hyphen_values = true)]
    pub(crate) precision: Option<Percent>,
    /// Size of the file to read and of the one to write [default: that of the last check of TARGET, or of another target where TARGET can do it too, else 1 MiB to 4 GiB by speed and space]
    #[arg(
        short = 's',
        long,
        value_name = "SIZE",
        allow_hyphen_values = true,
        conflicts_with = "like"
    )]
    pub(crate) file_size: Option<Bytes>,
    /// Take the file size, the depth of streams and the rows of this experiment, to compare the two
    #[arg(long, value_name = "ID", value_parser = names::experiment, allow_hyphen_values = true)]
    pub(crate) like: Option<i64>,
    /// Repeat each workload at least this often
    #[arg(long, default_value_t = MIN_RUNS_LAB, value_name = "N", allow_hyphen_values = true, value_parser = names::min_runs)]
    pub(crate) min_runs: usize,
    /// Repeat each workload at most this often
    #[arg(long, default_value_t = 30, value_name = "N", allow_hyphen_values = true, value_parser = names::whole::<usize>)]
    pub(crate) max_runs: usize,
    #[command(flatten)]
    pub(crate) session: SessionArgs,
}
