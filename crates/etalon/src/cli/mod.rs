//! Every option and its help; completions and manual pages come from the same definitions.

mod compare;
mod given;
mod look;
mod looking;
mod measure;
mod metadata;
mod operation;
mod passport;
mod quick;
mod together;
mod wait;
mod work;
mod workload;

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, Parser};
use etalon_tools::Exit;
use etalon_units::{Percent, quoted_name};

pub(crate) use compare::CompareArgs;
pub(crate) use given::GivenWork;
pub(crate) use look::{LanguageArgs, LookArgs};
pub(crate) use looking::{ExportArgs, ListArgs, ShowArgs, StackArgs, WatchArgs};
pub(crate) use measure::MeasureArgs;
pub(crate) use metadata::MetadataArgs;
pub(crate) use operation::MeasuredOperation;
pub(crate) use passport::PassportArgs;
pub(crate) use quick::QuickArgs;
pub(crate) use together::{StreamArgs, TogetherArgs};
pub(crate) use wait::WaitArgs;
pub(crate) use work::WorkArgs;
pub(crate) use workload::{ArrivalName, IoWorkloadArgs};

/// Measures storage on Linux and tells how far each number can be trusted.
///
/// Without a subcommand, TARGET is checked for about a minute: nothing is harmed, no option and no
/// root is needed.
#[derive(Debug, Parser)]
#[command(
    name = "etalon",
    version,
    args_conflicts_with_subcommands = true,
    after_help = Exit::TABLE,
    after_long_help = format!("Examples:
  etalon                              check the storage beneath this directory
  etalon /srv --budget 10m            take ten minutes for /srv
  etalon quick /mnt --json            the same as one JSON document
  etalon measure /mnt --op randread --block-size 4k --queue-depth 32
  etalon list                         what has been measured so far

{}", Exit::TABLE),
)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) quick: QuickArgs,
}

/// Where results are kept.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct StoreArgs {
    /// The store's file [default: the one that the variable ETALON_STORE names, else etalon/store.sqlite in the XDG data directory]
    #[arg(long, value_name = "FILE")]
    pub(crate) store: Option<PathBuf>,
}

/// Names the store's file where no option does.
const STORE_VARIABLE: &str = "ETALON_STORE";

impl StoreArgs {
    /// The file that the option names, else the variable; an empty variable is as good as none.
    pub(crate) fn named(&self) -> Option<PathBuf> {
        let variable = std::env::var_os(STORE_VARIABLE).filter(|name| !name.is_empty());
        self.store.clone().or(variable.map(PathBuf::from))
    }

    /// The option as it was typed, with a space before it, for a command that is to be typed next; empty without it.
    pub(crate) fn typed(&self) -> String {
        let store = self.store.as_ref();
        store.map_or_else(String::new, |store| {
            format!(" --store {}", quoted_name(store))
        })
    }
}

/// What every experiment that makes its own choices takes.
#[derive(Debug, Clone, Args)]
pub(crate) struct SessionArgs {
    /// The number that decides every random choice [default: a new one, which is stored]
    #[arg(long, value_name = "N", value_parser = crate::names::whole::<u64>, allow_hyphen_values = true)]
    pub(crate) seed: Option<u64>,
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
}

/// For scripts that want every figure or a failure.
#[derive(Debug, Clone, Copy, Default, Args)]
pub(crate) struct StrictArgs {
    /// Exit with 3 also where a figure has no interval or misses the precision that was asked for
    #[arg(long)]
    pub(crate) strict: bool,
}

/// What the repeated tasks take: metadata operations and real work.
#[derive(Debug, Clone, Args)]
pub(crate) struct RepeatArgs {
    /// Repeat this often; six are the fewest with an interval [default: 6, then on until every figure has an interval and the precision that was asked for, up to 30 or two minutes]
    #[arg(long, value_name = "N", value_parser = crate::names::runs, allow_hyphen_values = true)]
    pub(crate) runs: Option<usize>,
    /// Ask for an interval this narrow, half the width over the value, and say so where it is wider
    #[arg(long, value_name = "PERCENT", value_parser = crate::names::precision, allow_hyphen_values = true)]
    pub(crate) precision: Option<Percent>,
    #[command(flatten)]
    pub(crate) session: SessionArgs,
}

/// The words behind the name of a tool whose command line etalon understands.
#[derive(Debug, Clone, Args)]
pub(crate) struct ToolArgs {
    /// The tool's own options
    #[arg(
        trailing_var_arg = true,
        allow_hyphen_values = true,
        value_name = "WORDS"
    )]
    pub(crate) words: Vec<OsString>,
    #[command(flatten)]
    language: LanguageArgs,
}
