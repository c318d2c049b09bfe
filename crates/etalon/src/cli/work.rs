//! Options of real work.

use super::RepeatArgs;
use clap::Args;
use std::path::PathBuf;

/// Time real work: archives, builds, copies, searches, databases, web pages, command lines
#[derive(Debug, Clone, Args)]
#[command(after_long_help = "Examples:
  etalon work list
  etalon work archive /srv --runs 10
  etalon work copy-tree /srv --set files=photos
  etalon work command /srv --set 'step=make -j2'")]
pub(crate) struct WorkArgs {
    /// Which work; `list` tells them all with their parameters
    #[arg(value_name = "WORK")]
    pub(crate) name: String,
    /// A directory on the filesystem to measure
    #[arg(default_value = ".", value_name = "TARGET")]
    pub(crate) target: PathBuf,
    /// A parameter of the work, as NAME=VALUE; may be repeated
    #[arg(long = "set", value_name = "NAME=VALUE")]
    pub(crate) set: Vec<String>,
    #[command(flatten)]
    pub(crate) repeat: RepeatArgs,
}
