//! What the command line says of a plan beside the plan itself.

use std::path::PathBuf;

use clap::Args;
use etalon_units::{Nanos, Percent};
use serde::{Deserialize, Serialize};

/// Options that take the place of a plan's keys.
#[derive(Debug, Clone, Default, Args, Serialize, Deserialize)]
pub(crate) struct Overrides {
    /// Directories, files or devices to measure, in the place of the plan's [default: the plan's, or .]
    #[arg(value_name = "TARGET")]
    pub(crate) targets: Vec<PathBuf>,
    /// The most time that it may take, for example 30m or 3h
    #[arg(long, value_name = "TIME", allow_hyphen_values = true)]
    pub(crate) budget: Option<Nanos>,
    /// Ask for an interval this narrow, half the width over the value
    #[arg(long, value_name = "PERCENT", value_parser = crate::names::precision, allow_hyphen_values = true)]
    #[serde(skip)]
    pub(crate) precision: Option<Percent>,
    /// Measure so many blocks
    #[arg(long, value_name = "N", value_parser = crate::names::blocks, allow_hyphen_values = true)]
    pub(crate) blocks: Option<usize>,
    /// The number that decides every random choice [default: the plan's, or a new one, which is stored]
    #[arg(long, value_name = "N", value_parser = crate::names::whole::<u64>, allow_hyphen_values = true)]
    pub(crate) seed: Option<u64>,
    /// Allow a device to be destroyed, named by its serial number or its name in /dev/disk/by-id
    #[arg(long, value_name = "NAME")]
    pub(crate) destroy: Vec<String>,
}
