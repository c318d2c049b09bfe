//! `etalon man DIRECTORY`.

use std::path::Path;

use anyhow::Context as _;
use clap::CommandFactory as _;

use crate::cli::Cli;
use crate::exit::Exit;

pub(crate) fn run(directory: &Path) -> anyhow::Result<Exit> {
    clap_mangen::generate_to(Cli::command(), directory)
        .with_context(|| format!("cannot write manual pages into {}", directory.display()))?;
    Ok(Exit::Done)
}
