//! Options of real work.

use crate::names;
use clap::Args;
use std::path::PathBuf;

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
