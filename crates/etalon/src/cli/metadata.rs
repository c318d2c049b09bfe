//! Options of the metadata operations.

use super::RepeatArgs;
use crate::names;
use clap::Args;
use etalon_units::Bytes;
use etalon_workload::metadata::Durability;
use std::path::PathBuf;

/// Time metadata operations: mkdir, create, stat, rename, unlink and more
#[derive(Debug, Clone, Args)]
#[command(after_long_help = "Examples:
  etalon metadata /srv --files 100 --depth 2 --breadth 8 --precision 2%
  etalon metadata /srv --operations create,stat,unlink --jobs 4")]
pub(crate) struct MetadataArgs {
    /// A directory on the filesystem to measure
    #[arg(default_value = ".", value_name = "TARGET")]
    pub(crate) target: PathBuf,
    /// What to time, separated by commas [default: all]
    #[arg(long, value_name = "LIST")]
    pub(crate) operations: Option<String>,
    /// Levels of directories below the root of each tree
    #[arg(long, default_value_t = 2, value_name = "N", value_parser = names::whole::<u32>, allow_hyphen_values = true)]
    pub(crate) depth: u32,
    /// Directories in each directory above the last level
    #[arg(long, default_value_t = 6, value_name = "N", value_parser = names::whole::<u32>, allow_hyphen_values = true)]
    pub(crate) breadth: u32,
    /// Files in each directory
    #[arg(long, default_value_t = 30, value_name = "N", value_parser = names::whole::<u32>, allow_hyphen_values = true)]
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
    /// What makes names durable inside the clock: never, phase (one syncfs at the end of each operation's phase) or each (fsync of each file that is created or written)
    #[arg(long, default_value = "never", value_parser = names::durability, value_name = "WHEN")]
    pub(crate) durability: Durability,
    #[command(flatten)]
    pub(crate) repeat: RepeatArgs,
}
