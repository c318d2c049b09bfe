//! Options of comparisons.

use super::{LookArgs, StoreArgs};
use crate::names;
use clap::Args;
use etalon_units::Percent;

/// Put experiments or cells side by side and say which differences are real
#[derive(Debug, Clone, Args)]
#[command(after_long_help = "Examples:
  etalon compare 3 5                         every workload of two checks
  etalon compare 3 5 7 --base 5              three targets, ratios to 5
  etalon compare '3/random read 4 KiB QD1' '5/random read 4 KiB QD1'
  etalon compare 3 5 --by queue-depth        where the depth is what differs
  etalon compare 3 5 --fail-if-slower 5%     a gate for scripts: exit code 7
  etalon compare old.sqlite:3 5              against another store
  etalon compare 3@1-6 3@7-12                first runs and later ones
  etalon compare --by label                  machines beside runs

An arm is [FILE:]ID[/CELL][@RUNS]; CELL is a row as pages print it, such as 'random read 4 KiB QD32'; FILE alone is the newest experiment of that store, or one that \
`etalon export --json` wrote. The runs of a cell count from 1. A single run has no interval and is \
compared with nothing.

Target, storage, kernel and settings may differ: the arms are called by what tells them apart, and \
whatever else differs is marked on the page, unless --by declares it. The \
workload must be the same; a row whose workload differs is refused by itself, unless --by declares \
it. Working sets up to twice as large are compared and named.

--by takes: operation, block-size, file-size, offset, range, stride, read-percent, jobs, layout, \
queue-depth, backend, direct, cache, sync, fsync, distribution, arrival, and the parameters of \
metadata operations, of real work and of iozone (size, record, workers, bcopy, level ...); of the \
machine kernel, filesystem, device, beneath (all below the target), and any fact by its key or the \
end of it (scheduler, read-ahead-bytes). --by capped compares rows that a limit set on this \
machine held too. --by label (run --label, merge --label) tells how far labels \
lie apart beside how far runs of one label do: standard deviations between and within, and the share \
of the variance that lies between (the intraclass correlation).")]
pub(crate) struct CompareArgs {
    /// What to compare, at least two [default with --by label: every experiment that has a label]
    #[arg(required_unless_present = "by", num_args = 2.., value_name = "ARM")]
    pub(crate) arms: Vec<String>,
    /// What may differ between the arms, separated by commas
    #[arg(long, value_name = "FACTOR", value_delimiter = ',')]
    pub(crate) by: Vec<String>,
    /// The arm that ratios and percentages refer to [default: the first]
    #[arg(long, alias = "baseline", value_name = "ARM")]
    pub(crate) base: Option<String>,
    /// Relative differences up to this count as none
    #[arg(
        long,
        default_value = names::usual_margin(),
        value_name = "PERCENT",
        allow_hyphen_values = true
    )]
    pub(crate) margin: Percent,
    /// Exit with 7 where an arm is shown to be slower than the base by more than this, for scripts:
    /// a rate that falls or a time that grows, by all of its interval
    #[arg(long, value_name = "PERCENT", allow_hyphen_values = true)]
    pub(crate) fail_if_slower: Option<Percent>,
    /// Exit with 3 where there are too few runs to tell
    #[arg(long, requires = "fail_if_slower")]
    pub(crate) strict: bool,
    /// Print every figure, spread, letter and fact that differs, with a legend
    #[arg(long)]
    pub(crate) details: bool,
    /// Below the page print every run, the interval and the result of each arm as dots from 0, with the
    /// runs as a sparkline
    #[arg(long, conflicts_with = "json")]
    pub(crate) dots: bool,
    /// Print this many columns, whatever the terminal has
    #[arg(long, value_name = "N", value_parser = names::whole::<usize>, allow_hyphen_values = true)]
    pub(crate) width: Option<usize>,
    #[command(flatten)]
    pub(crate) look: LookArgs,
    /// Print one JSON document instead of the page
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) store: StoreArgs,
}
