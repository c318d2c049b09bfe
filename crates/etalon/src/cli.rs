//! Every option and its help; completions and manual pages come from the same definitions.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};
use etalon_model::{Backend, CacheMode, Distribution, FsyncPolicy, Operation, SyncMode};
use etalon_units::{Bytes, Nanos, Percent};

use crate::exit;
use crate::names;

/// Measures storage on Linux and tells how far each number can be trusted.
///
/// Without a subcommand, TARGET is checked for about a minute: nothing is harmed, no option and no
/// root is needed.
#[derive(Debug, Parser)]
#[command(
    name = "etalon",
    version,
    args_conflicts_with_subcommands = true,
    after_help = exit::TABLE,
    after_long_help = format!("Examples:
  etalon                              check the storage beneath this directory
  etalon /srv --budget 10m            take ten minutes for /srv
  etalon quick /mnt --json            the same as one JSON document
  etalon measure /mnt --op randread --block-size 4k --queue-depth 32
  etalon list                         what has been measured so far

{}", exit::TABLE),
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
    #[command(flatten)]
    pub(crate) quick: QuickArgs,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Check the storage beneath TARGET for about a minute (what `etalon TARGET` does)
    Quick(QuickArgs),
    /// Measure one workload with every option of the engine
    Measure(Box<MeasureArgs>),
    /// Learn how much TARGET varies when nothing is changed, ten runs of each workload
    Passport(PassportArgs),
    /// List the experiments in the store
    List(ListArgs),
    /// Show one experiment of the store again
    Show(ShowArgs),
    /// Put experiments or cells side by side and say which differences are real
    Compare(CompareArgs),
    /// Write one experiment out, with runs, histograms and series
    Export(ExportArgs),
    /// Draw what lies beneath TARGET, from the mount down to the disks
    Stack(StackArgs),
    /// Show what the disks beneath TARGET and the machine do at this moment
    Watch(WatchArgs),
    /// Copy as dd does, with dd's operands, and say what of it is durable
    #[command(
        disable_help_flag = true,
        after_help = "Examples:
  etalon dd if=/dev/zero of=/mnt/test bs=1M count=1024 conv=fsync
  etalon dd --help      (dd's operands)"
    )]
    Dd(PassedOn),
    /// Read devices as hdparm -t, -T and --direct do, repeated and with intervals
    #[command(
        disable_help_flag = true,
        after_help = "Examples:
  etalon hdparm -t /dev/sda
  etalon hdparm --help      (its options)"
    )]
    Hdparm(PassedOn),
    /// Run iozone's tests with iozone's options, its layout and its spreadsheet
    #[command(
        disable_help_flag = true,
        after_help = "Examples:
  etalon iozone -i 0 -i 2 -s 1g -r 1m -f /mnt/test
  etalon iozone --help      (iozone's options)"
    )]
    Iozone(PassedOn),
    /// A worker process of iozone's throughput mode
    #[command(hide = true)]
    IozoneWorker,
    /// Time the operations on names: mkdir, create, stat, rename, unlink and more
    Metadata(MetadataArgs),
    /// Time real work: archives, builds, copies, searches, backups, program starts, command lines
    Work(WorkloadArgs),
    /// Create and remove a tree of directories and files, with fdtree's options
    #[command(
        disable_help_flag = true,
        after_help = "Examples:
  etalon fdtree -d 5 -l 3 -f 10 -s 2
  etalon fdtree --help  (fdtree's options)"
    )]
    Fdtree(PassedOn),
    /// Remove what a killed etalon left behind
    #[command(after_help = "Examples:
  etalon restore      (every measurement begins with the same)")]
    Restore,
    /// List the checks that every run goes through
    #[command(after_help = "Examples:
  etalon checks | grep page-cache")]
    Checks,
    /// Print the completions for a shell
    #[command(after_help = "Examples:
  etalon completions bash > /etc/bash_completion.d/etalon
  etalon completions zsh > ~/.zfunc/_etalon
  etalon completions fish > ~/.config/fish/completions/etalon.fish")]
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Write the manual pages into a directory
    #[command(after_help = "Examples:
  etalon man /usr/local/share/man/man1")]
    Man {
        /// Where to write them; it must exist
        directory: PathBuf,
    },
}

/// Where results are kept.
#[derive(Debug, Clone, Args)]
pub(crate) struct StoreArgs {
    /// The store's file [default: etalon/store.sqlite in the XDG data directory]
    #[arg(long, value_name = "FILE", env = "ETALON_STORE")]
    pub(crate) store: Option<PathBuf>,
}

/// Options of the quick check.
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
    /// Stop repeating a workload once its interval is this narrow, half the width over the value
    #[arg(long, default_value = "5%", value_name = "PERCENT", value_parser = names::precision, allow_hyphen_values = true)]
    pub(crate) precision: Percent,
    /// Repeat each workload at least this often
    #[arg(long, default_value_t = 6, value_name = "N", allow_hyphen_values = true, value_parser = names::min_runs)]
    pub(crate) min_runs: usize,
    /// Give a workload up as undecided after this many runs
    #[arg(long, default_value_t = 30, value_name = "N", allow_hyphen_values = true, value_parser = names::whole::<usize>)]
    pub(crate) max_runs: usize,
    /// The number that decides every random choice [default: a new one, which is stored]
    #[arg(long, value_name = "N", value_parser = names::whole::<u64>, allow_hyphen_values = true)]
    pub(crate) seed: Option<u64>,
    /// Print one JSON document instead of the page
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) store: StoreArgs,
}

/// Options of one measurement.
#[derive(Debug, Clone, Args)]
#[command(after_long_help = "Examples:
  etalon measure /mnt --op read --block-size 1M --queue-depth 8
  etalon measure /dev/nvme0n1 --op randread --block-size 4k --queue-depth 128 --runs 6 --json
  etalon measure /mnt --op randwrite --fsync 1 --time 30s
  etalon measure /mnt --op randread --rate 500 --arrival poisson
  etalon measure /mnt --op create --files 10000

Sizes: 4k, 1M and 2GiB are binary, 4kB and 1MB decimal. Times: 500ms, 60s, 3h.")]
pub(crate) struct MeasureArgs {
    /// A directory, an existing file or a block device (the last two are only read)
    #[arg(value_name = "TARGET")]
    pub(crate) target: PathBuf,
    /// What to do: read, write, rw, randread, randwrite, randrw, backread, backwrite, strideread, stridewrite, create, stat or unlink
    #[arg(long, value_name = "OPERATION")]
    pub(crate) op: Operation,
    /// Repeat this often; six are the fewest that can make a valid figure
    #[arg(long, default_value_t = 1, value_name = "N", allow_hyphen_values = true, value_parser = names::runs)]
    pub(crate) runs: usize,
    /// The half width of the interval, over the value, that makes a figure valid
    #[arg(long, default_value = "5%", value_name = "PERCENT", value_parser = names::precision, allow_hyphen_values = true)]
    pub(crate) precision: Percent,
    /// Print one JSON document instead of the page
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) store: StoreArgs,
    #[command(flatten)]
    pub(crate) work: WorkArgs,
}

/// The workload, option by option.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Workload")]
pub(crate) struct WorkArgs {
    /// Size of one operation
    #[arg(
        short,
        long,
        default_value = "4k",
        value_name = "SIZE",
        allow_hyphen_values = true
    )]
    pub(crate) block_size: Bytes,
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
    #[arg(short, long, default_value_t = 1, value_name = "N", allow_hyphen_values = true, value_parser = names::whole::<u32>)]
    pub(crate) jobs: u32,
    /// Let all jobs share one file instead of giving each its own
    #[arg(long)]
    pub(crate) shared: bool,
    /// Number of files of create, stat and unlink
    #[arg(long, default_value_t = 1000, value_name = "N", allow_hyphen_values = true, value_parser = names::whole::<u64>)]
    pub(crate) files: u64,
    /// Operations in flight per job
    #[arg(short, long, default_value_t = 1, value_name = "N", allow_hyphen_values = true, value_parser = names::whole::<u32>)]
    pub(crate) queue_depth: u32,
    /// Most operations handed to io_uring at once [default: chosen from the depth]
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
    /// End after this time, warm-up included
    #[arg(
        short,
        long,
        default_value = "10s",
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
    /// Operations per second over all jobs, whether or not the target keeps up
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = names::rate)]
    pub(crate) rate: Option<f64>,
    /// With --rate: fixed or poisson gaps, or repaced (waits for each answer, hiding stalls)
    #[arg(long, value_enum, default_value_t = ArrivalName::Fixed, requires = "rate")]
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

/// The words behind the name of a tool whose command line etalon understands.
#[derive(Debug, Clone, Args)]
pub(crate) struct PassedOn {
    /// The tool's own options
    #[arg(
        trailing_var_arg = true,
        allow_hyphen_values = true,
        value_name = "OPTIONS"
    )]
    pub(crate) words: Vec<OsString>,
}

/// Options of `metadata`.
#[derive(Debug, Clone, Args)]
#[command(after_long_help = "Examples:
  etalon metadata /srv --files 100 --depth 2 --breadth 8 --runs 6
  etalon metadata /srv --operations create,stat,unlink --jobs 4")]
pub(crate) struct MetadataArgs {
    /// A directory on the filesystem to measure
    #[arg(default_value = ".", value_name = "TARGET")]
    pub(crate) target: PathBuf,
    /// What to time, separated by commas [default: all]
    #[arg(long, value_name = "LIST")]
    pub(crate) operations: Option<String>,
    /// Levels of directories below the root of each tree
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = names::whole::<u32>, allow_hyphen_values = true)]
    pub(crate) depth: u32,
    /// Directories in each directory above the last level
    #[arg(long, default_value_t = 10, value_name = "N", value_parser = names::whole::<u32>, allow_hyphen_values = true)]
    pub(crate) breadth: u32,
    /// Files in each directory
    #[arg(long, default_value_t = 100, value_name = "N", value_parser = names::whole::<u32>, allow_hyphen_values = true)]
    pub(crate) files: u32,
    /// What `write` puts into each file
    #[arg(
        long,
        default_value = "4k",
        value_name = "SIZE",
        allow_hyphen_values = true
    )]
    pub(crate) file_size: Bytes,
    /// Number of threads, each with a tree of its own
    #[arg(short, long, default_value_t = 1, value_name = "N", value_parser = names::whole::<u32>, allow_hyphen_values = true)]
    pub(crate) jobs: u32,
    /// Let all threads work in one tree
    #[arg(long)]
    pub(crate) shared: bool,
    /// Repeat this often; six are the fewest with an interval
    #[arg(long, default_value_t = 6, value_name = "N", value_parser = names::runs, allow_hyphen_values = true)]
    pub(crate) runs: usize,
    /// The number that decides every random choice [default: a new one]
    #[arg(long, value_name = "N", value_parser = names::whole::<u64>, allow_hyphen_values = true)]
    pub(crate) seed: Option<u64>,
    /// Print one JSON document
    #[arg(long)]
    pub(crate) json: bool,
}

/// Options of `work`.
#[derive(Debug, Clone, Args)]
#[command(after_long_help = "Examples:
  etalon work list
  etalon work archive /srv --runs 6
  etalon work copy-tree /srv --set distribution=photos
  etalon work command /srv --set 'step=make -j2'")]
pub(crate) struct WorkloadArgs {
    /// Which work; `list` tells them all with their parameters
    #[arg(value_name = "WORK")]
    pub(crate) name: String,
    /// A directory on the filesystem to measure
    #[arg(default_value = ".", value_name = "TARGET")]
    pub(crate) target: PathBuf,
    /// A parameter of the work, as NAME=VALUE; may be repeated
    #[arg(long = "set", value_name = "NAME=VALUE")]
    pub(crate) set: Vec<String>,
    /// Repeat this often; six are the fewest with an interval
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = names::runs, allow_hyphen_values = true)]
    pub(crate) runs: usize,
    /// The number that decides every random choice [default: a new one]
    #[arg(long, value_name = "N", value_parser = names::whole::<u64>, allow_hyphen_values = true)]
    pub(crate) seed: Option<u64>,
    /// Print one JSON document
    #[arg(long)]
    pub(crate) json: bool,
}

/// Options of `stack`.
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
}

/// Options of the noise passport.
#[derive(Debug, Clone, Args)]
#[command(after_help = "Examples:
  etalon passport /srv
  etalon passport /srv --budget 10m      (more files, longer runs)")]
pub(crate) struct PassportArgs {
    /// A directory on the filesystem, or a block device to read from
    #[arg(default_value = ".", value_name = "TARGET")]
    pub(crate) target: PathBuf,
    /// The most time that it may take
    #[arg(
        long,
        default_value = "3m",
        value_name = "TIME",
        allow_hyphen_values = true
    )]
    pub(crate) budget: Nanos,
    /// The number that decides every random choice [default: a new one, which is stored]
    #[arg(long, value_name = "N", value_parser = names::whole::<u64>, allow_hyphen_values = true)]
    pub(crate) seed: Option<u64>,
    /// Print one JSON document
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) store: StoreArgs,
}

/// Options of `watch`.
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
}

/// Options of `list`.
#[derive(Debug, Clone, Args)]
#[command(after_help = "Examples:
  etalon list
  etalon list --json --store /srv/results.sqlite")]
pub(crate) struct ListArgs {
    /// Print one JSON document
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) store: StoreArgs,
}

/// Options of `show`.
#[derive(Debug, Clone, Args)]
#[command(after_help = "Examples:
  etalon show 7")]
pub(crate) struct ShowArgs {
    /// The experiment's number, as `etalon list` shows it
    #[arg(value_parser = names::experiment, allow_hyphen_values = true)]
    pub(crate) id: i64,
    #[command(flatten)]
    pub(crate) store: StoreArgs,
}

/// Options of `compare`.
#[derive(Debug, Clone, Args)]
#[command(after_long_help = "Examples:
  etalon compare 3 5                                  every workload of two checks
  etalon compare 3 5 7 --baseline 5 --by target       three targets, ratios to 5
  etalon compare '3/random read 4 KiB, depth 1' '3/random read 4 KiB, depth 32' --by queue_depth,backend
  etalon compare old.sqlite:3 5                       against another store

An arm is [FILE:]ID[/CELL]; FILE alone is the newest experiment of that store. Arms that differ in
more than the factors of --by are refused: every option of the workload except its length and seed,
and target, beneath, cache, backend, etalon.")]
pub(crate) struct CompareArgs {
    /// What to compare, at least two
    #[arg(required = true, num_args = 2.., value_name = "ARM")]
    pub(crate) arms: Vec<String>,
    /// What may differ between the arms, separated by commas
    #[arg(long, value_name = "FACTOR", value_delimiter = ',')]
    pub(crate) by: Vec<String>,
    /// The arm that ratios and percentages refer to [default: the first]
    #[arg(long, value_name = "ARM")]
    pub(crate) baseline: Option<String>,
    /// Relative differences up to this count as none
    #[arg(
        long,
        default_value = "2%",
        value_name = "PERCENT",
        allow_hyphen_values = true
    )]
    pub(crate) margin: Percent,
    /// Print one JSON document instead of the tables
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) store: StoreArgs,
}

/// Options of `export`.
#[derive(Debug, Clone, Args)]
#[command(group = clap::ArgGroup::new("form").required(true), after_help = "Examples:
  etalon export 7 --json > experiment.json
  etalon export 7 --csv > runs.csv")]
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
    #[command(flatten)]
    pub(crate) store: StoreArgs,
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory as _;

    #[test]
    fn the_definitions_are_sound() {
        Cli::command().debug_assert();
    }

    #[test]
    fn a_bare_target_is_a_quick_check() {
        let cli = Cli::try_parse_from(["etalon", "/srv", "--budget", "10m"]).unwrap();
        assert!(cli.command.is_none());
        assert_eq!(cli.quick.target, PathBuf::from("/srv"));
        assert_eq!(cli.quick.budget, Nanos::secs(600));
        assert!(Cli::try_parse_from(["etalon"]).is_ok());
    }

    #[test]
    fn every_option_has_help() {
        for command in Cli::command().get_subcommands() {
            for argument in command.get_arguments() {
                assert!(
                    argument.get_help().is_some(),
                    "{}: {}",
                    command.get_name(),
                    argument.get_id()
                );
            }
        }
    }

    #[test]
    fn a_bad_size_is_quoted() {
        let error = Cli::try_parse_from([
            "etalon",
            "measure",
            ".",
            "--op",
            "read",
            "--block-size",
            "4q",
        ])
        .unwrap_err()
        .to_string();
        assert!(error.contains("'4q'"), "{error}");
    }
}
