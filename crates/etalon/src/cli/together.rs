//! Options of several workloads at once.

use super::{GivenWork, MeasuredOperation, SessionArgs};
use crate::names;
use crate::operation_parser::OperationParser;
use clap::{Args, Parser};
use etalon_units::{Nanos, Percent};
use std::ffi::OsString;
use std::path::PathBuf;

/// Measure several workloads at once, each with its own figures
#[derive(Debug, Clone, Args)]
#[command(
    override_usage = "etalon together [OPTIONS] -- TARGET --op OPERATION [WORKLOAD OPTIONS]\n                        -- TARGET --op OPERATION [WORKLOAD OPTIONS] [-- ...]",
    after_long_help = "Examples:
  etalon together -- /srv --op read -- /srv --op read   two readers
  etalon together --alone -- /srv --op randread -j 4 -- /srv --op write -b 1M
  etalon together -- /dev/sda --op randread -- /dev/sdb --op randread

Each workload takes the options of `etalon measure` that describe one, and --name. Its files are its \
own, and its figures too. All begin at the same moment; what devices that several share moved is \
divided among them by what each asked for."
)]
pub(crate) struct TogetherArgs {
    /// Repeat this often; six are the fewest with an interval [default: 6, then on until every figure has an interval and the precision that was asked for, up to 30 or two minutes]
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = names::runs)]
    pub(crate) runs: Option<usize>,
    /// Measure each workload also alone, in random order, and tell together over alone
    #[arg(long)]
    pub(crate) alone: bool,
    /// End each workload that has no end of its own after this time
    #[arg(short, long, value_name = "TIME", allow_hyphen_values = true)]
    pub(crate) time: Option<Nanos>,
    /// Ask for an interval this narrow, half the width over the value, and say so where it is wider
    #[arg(long, value_name = "PERCENT", value_parser = names::precision, allow_hyphen_values = true)]
    pub(crate) precision: Option<Percent>,
    /// With --alone: relative differences up to this count as none
    #[arg(
        long,
        default_value = names::usual_margin(),
        value_name = "PERCENT",
        allow_hyphen_values = true
    )]
    pub(crate) margin: Percent,
    #[command(flatten)]
    pub(crate) session: SessionArgs,
    /// The workloads: a target and its options each, with -- before each
    #[arg(last = true, required = true, value_name = "WORKLOADS")]
    pub(crate) workloads: Vec<OsString>,
}

/// One of the workloads.
#[derive(Debug, Clone, Parser)]
#[command(
    name = "etalon together --",
    no_binary_name = true,
    disable_version_flag = true
)]
pub(crate) struct StreamArgs {
    /// A directory, an existing file or a block device (the last two are only read)
    #[arg(value_name = "TARGET")]
    pub(crate) target: PathBuf,
    /// What to do: read, write, rw, randread, randwrite, randrw, backread, backwrite, strideread or stridewrite; trim, randtrim, trimwrite or randtrimwrite, of a block device alone; metadata operations: mkdir, create, stat, open, rename, link, symlink, setxattr, getxattr, unlink or rmdir, as `etalon metadata` does them
    #[arg(long, value_name = "OPERATION", value_parser = OperationParser, hide_possible_values = true)]
    pub(crate) op: MeasuredOperation,
    /// What to call it [default: its number and what it does]
    #[arg(long, value_name = "NAME")]
    pub(crate) name: Option<String>,
    #[command(flatten)]
    pub(crate) work: GivenWork,
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory as _;

    #[test]
    fn the_definitions_of_a_workload_are_sound() {
        StreamArgs::command().debug_assert();
        for argument in StreamArgs::command().get_arguments() {
            assert!(argument.get_help().is_some(), "{}", argument.get_id());
        }
    }
}
