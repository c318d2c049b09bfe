//! `etalon man DIRECTORY`.

use std::path::Path;

use anyhow::Context as _;
use clap::CommandFactory as _;
use clap_mangen::Man;
use etalon_factor::guard::{Existing, Output, Readers};

use crate::cli::Cli;
use crate::exit::Exit;

pub(crate) fn run(directory: &Path) -> anyhow::Result<Exit> {
    let mut command = Cli::command().disable_help_subcommand(true);
    command.build();
    write_pages(command, directory)
        .with_context(|| format!("cannot write manual pages into {}", directory.display()))?;
    Ok(Exit::Done)
}

/// Writes the page of a command and those of its subcommands.
fn write_pages(command: clap::Command, directory: &Path) -> anyhow::Result<()> {
    let shown = command.get_subcommands().filter(|one| !one.is_hide_set());
    for subcommand in shown.cloned() {
        write_pages(subcommand, directory)?;
    }
    let page = Man::new(command);
    let mut text = Vec::new();
    page.render(&mut text)?;
    // An older page is replaced; a link, a pipe or a device in its place is somebody else's.
    let path = directory.join(page.get_filename());
    Output::claim(&path, Existing::Replace, Readers::ByUmask)?.write(&text)?;
    Ok(())
}
