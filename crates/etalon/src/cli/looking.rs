//! Options of the commands that only look: at the stack, at the machine, into the store.

use super::{LookArgs, StoreArgs};
use crate::names;
use clap::Args;
use etalon_model::ExperimentKind;
use etalon_units::Nanos;
use std::path::PathBuf;

/// Draw the storage stack of TARGET, from the mount down to the disks
#[derive(Debug, Clone, Args)]
#[command(after_help = "Examples:
  etalon stack
  etalon stack /dev/sdb --json")]
pub(crate) struct StackArgs {
    /// A directory, a file or a block device
    #[arg(default_value = ".", value_name = "TARGET")]
    pub(crate) target: PathBuf,
    /// Print one JSON document instead of the drawing
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) look: LookArgs,
}

/// Show what the disks of TARGET and the machine do at this moment
#[derive(Debug, Clone, Args)]
#[command(after_help = "Examples:
  etalon watch /srv
  etalon watch /srv --plain")]
pub(crate) struct WatchArgs {
    /// A directory, a file or a block device
    #[arg(default_value = ".", value_name = "TARGET")]
    pub(crate) target: PathBuf,
    /// Time between two samples
    #[arg(long, default_value = "1s", value_name = "TIME")]
    pub(crate) interval: Nanos,
    /// End after this many samples
    #[arg(long, value_name = "N")]
    pub(crate) count: Option<u64>,
    /// Print lines as sar does, with an average at the end, instead of taking the screen
    #[arg(long)]
    pub(crate) plain: bool,
    /// Print one JSON document with every sample at the end
    #[arg(long, conflicts_with = "plain")]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) look: LookArgs,
}

/// List the experiments in the store
#[derive(Debug, Clone, Args)]
#[command(after_help = "Examples:
  etalon list
  etalon list --last 5
  etalon list --target /srv --kind quick
  etalon list --tag baseline
  etalon list --json --store /srv/results.sqlite")]
pub(crate) struct ListArgs {
    /// Only experiments on this target
    #[arg(long, value_name = "TARGET")]
    pub(crate) target: Option<PathBuf>,
    /// Only experiments that this command made: quick, measure, passport, together, metadata, work, dd, hdparm, iozone or fdtree
    #[arg(long, value_name = "KIND")]
    pub(crate) kind: Option<ExperimentKind>,
    /// Only experiments with this tag
    #[arg(long, value_name = "TAG")]
    pub(crate) tag: Option<String>,
    /// Only the newest N of those
    #[arg(long, value_name = "N", value_parser = names::whole::<usize>, allow_hyphen_values = true)]
    pub(crate) last: Option<usize>,
    #[command(flatten)]
    pub(crate) look: LookArgs,
    /// Print one JSON document
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) store: StoreArgs,
}

/// Show one experiment of the store again
#[derive(Debug, Clone, Args)]
#[command(after_help = "Examples:
  etalon show 7
  etalon show 7 --findings
  etalon show 7 --findings --json
  etalon show 7 --details
  etalon show 7 --percentiles 50,90,99,99.9,99.99 --si
  etalon show 7 --dots --width 72
  etalon show 7 --stack
  etalon show 7 --environment")]
pub(crate) struct ShowArgs {
    /// The experiment's number, as `etalon list` shows it
    #[arg(value_parser = names::experiment, allow_hyphen_values = true)]
    pub(crate) id: i64,
    /// Print every finding with its code and its figures, not only what changes what to do, and which checks could
    /// not be done; with --json what became of every check
    #[arg(long)]
    pub(crate) findings: bool,
    /// Print all columns, all findings and the storage stack's settings
    #[arg(long)]
    pub(crate) details: bool,
    /// Print these latency percentiles, with operations and bytes per second side by side
    #[arg(long, value_name = "LIST", value_parser = names::percentiles, allow_hyphen_values = true, conflicts_with_all = ["json", "environment", "stack", "findings", "details"])]
    pub(crate) percentiles: Option<names::Percentiles>,
    /// Print every run, the interval and the result as dots from 0, with the runs as a sparkline
    #[arg(long, conflicts_with_all = ["json", "environment", "stack", "findings", "details", "percentiles"])]
    pub(crate) dots: bool,
    /// Print this many columns, whatever the terminal has
    #[arg(long, value_name = "N", value_parser = names::whole::<usize>, allow_hyphen_values = true)]
    pub(crate) width: Option<usize>,
    /// With --percentiles: count bytes in MB (10^6) instead of MiB (2^20)
    #[arg(long, requires = "percentiles")]
    pub(crate) si: bool,
    #[command(flatten)]
    pub(crate) look: LookArgs,
    /// Print the machine and its settings as they were: processor, memory, kernel, filesystem, queues
    #[arg(long)]
    pub(crate) environment: bool,
    /// With --environment: every fact, also those that hardly decide a figure
    #[arg(long, requires = "environment")]
    pub(crate) all: bool,
    /// Draw the storage stack as it was
    #[arg(long)]
    pub(crate) stack: bool,
    /// Print one JSON document; with --environment or --stack of machine and storage stack
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) store: StoreArgs,
}

/// Write one experiment out, with runs, histograms and series
#[derive(Debug, Clone, Args)]
#[command(group = clap::ArgGroup::new("form").required(true), override_usage = "etalon export [OPTIONS] <--json|--csv|--markdown|--metrics|--fio|
                                --fio-files <DIR>|--xlsx|--bundle> <ID>", after_help = "Examples:
  etalon export 7 --json > experiment.json
  etalon export 7 --csv > runs.csv
  etalon export 7 --markdown
  etalon export 7 --fio-files fio
  etalon export 7 --xlsx -o results.xlsx
  etalon export 7 --bundle -o results.etalon
  etalon export 7 --bundle -o results.etalon --without-identities

An export holds serial numbers, UUIDs, addresses, paths, the kernel's command line and names of other users' processes; --without-identities hides them.")]
pub(crate) struct ExportArgs {
    /// The experiment's number, as `etalon list` shows it
    #[arg(value_parser = names::experiment, allow_hyphen_values = true)]
    pub(crate) id: i64,
    /// One JSON document with everything
    #[arg(long, group = "form")]
    pub(crate) json: bool,
    /// One line per run
    #[arg(long, group = "form")]
    pub(crate) csv: bool,
    /// The table for a forum or a README
    #[arg(long, group = "form")]
    pub(crate) markdown: bool,
    /// OpenMetrics text for Prometheus
    #[arg(long, group = "form")]
    pub(crate) metrics: bool,
    /// JSON as fio prints it, for what draws from that; I/O only
    #[arg(long, group = "form")]
    pub(crate) fio: bool,
    /// The same in a file for each workload, in a directory for each block size and condition below this one, which is made where it is missing: for fio-plot
    #[arg(long, group = "form", value_name = "DIR", conflicts_with = "output")]
    pub(crate) fio_files: Option<PathBuf>,
    /// A workbook: summary, runs, grid and environment, with charts; needs -o
    #[arg(long, group = "form", requires = "output")]
    pub(crate) xlsx: bool,
    /// One compressed file with everything, which `import` takes back and `verify` checks; needs -o
    #[arg(long, group = "form", requires = "output")]
    pub(crate) bundle: bool,
    /// Put pseudonyms in the place of what names disks, machine, network, directories and processes, to publish it: the same in each export of yours
    #[arg(long)]
    pub(crate) without_identities: bool,
    /// Write to this file, replacing what is there, instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) store: StoreArgs,
}
