//! Every option and its help; completions and manual pages come from the same definitions.

mod compare;
mod looking;
mod measure;
mod metadata;
mod passport;
mod quick;
mod together;
mod work;

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};
use etalon_units::Percent;

use crate::exit;

pub(crate) use compare::CompareArgs;
pub(crate) use looking::{ExportArgs, ListArgs, ShowArgs, StackArgs, TellArgs, WatchArgs};
pub(crate) use measure::{ArrivalName, MeasureArgs, WorkArgs};
pub(crate) use metadata::MetadataArgs;
pub(crate) use passport::PassportArgs;
pub(crate) use quick::QuickArgs;
pub(crate) use together::{StreamArgs, TogetherArgs};
pub(crate) use work::WorkloadArgs;

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
    /// Measure several workloads at once, each with its own figures
    Together(TogetherArgs),
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
    Restore(TellArgs),
    /// List the checks that every run goes through
    #[command(after_help = "Examples:
  etalon checks | grep page-cache")]
    Checks(TellArgs),
    /// Print the JSON Schema of every document that --json writes
    #[command(after_help = "Examples:
  etalon schema > etalon.schema.json")]
    Schema,
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
    #[arg(long, value_name = "FILE", env = STORE_VARIABLE)]
    pub(crate) store: Option<PathBuf>,
}

/// Names the store's file where no option does.
const STORE_VARIABLE: &str = "ETALON_STORE";

impl StoreArgs {
    /// For the tools whose options are not etalon's.
    pub(crate) fn of_environment() -> StoreArgs {
        let named = std::env::var_os(STORE_VARIABLE).filter(|name| !name.is_empty());
        StoreArgs {
            store: named.map(PathBuf::from),
        }
    }
}

/// What every experiment that makes its own choices takes.
#[derive(Debug, Clone, Args)]
pub(crate) struct SessionArgs {
    /// The number that decides every random choice [default: a new one, which is stored]
    #[arg(long, value_name = "N", value_parser = crate::names::whole::<u64>, allow_hyphen_values = true)]
    pub(crate) seed: Option<u64>,
    /// Print one JSON document instead of the page
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) store: StoreArgs,
}

/// What the repeated tasks take: operations on names and real work.
#[derive(Debug, Clone, Args)]
pub(crate) struct RepeatArgs {
    /// Repeat this often; six are the fewest with an interval [default: 6, then on until no figure is undecided, up to 30 or two minutes]
    #[arg(long, value_name = "N", value_parser = crate::names::runs, allow_hyphen_values = true)]
    pub(crate) runs: Option<usize>,
    /// The half width of the interval, over the value, that makes a figure valid
    #[arg(long, default_value = "5%", value_name = "PERCENT", value_parser = crate::names::precision, allow_hyphen_values = true)]
    pub(crate) precision: Percent,
    #[command(flatten)]
    pub(crate) session: SessionArgs,
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

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory as _;
    use etalon_units::Nanos;

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
