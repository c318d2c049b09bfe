//! Options of the noise passport.

use super::SessionArgs;
use clap::Args;
use etalon_units::Nanos;
use std::path::PathBuf;

/// Learn how much TARGET varies when nothing is changed, ten runs of each workload
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
    #[command(flatten)]
    pub(crate) session: SessionArgs,
}
