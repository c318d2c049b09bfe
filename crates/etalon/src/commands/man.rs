//! `etalon man DIRECTORY`.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::Args;
use clap_mangen::Man;
use etalon_factor::guard::{Existing, Output, Readers};
use etalon_tools::Exit;

use super::subcommand::Subcommand;
use super::{options_text, program};

/// Write the manual pages into a directory
#[derive(Debug, Clone, Args)]
#[command(after_help = "Examples:
  etalon man /usr/local/share/man/man1")]
pub(crate) struct ManArgs {
    /// Where to write them; it must exist
    directory: PathBuf,
}

impl Subcommand for ManArgs {
    const NAME: &'static str = "man";

    fn run(&self) -> anyhow::Result<Exit> {
        run(&self.directory)
    }
}

fn run(directory: &Path) -> anyhow::Result<Exit> {
    let mut command = program().disable_help_subcommand(true);
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
    let own = options_text(command.get_name());
    let page = Man::new(command);
    let mut text = Vec::new();
    page.render(&mut text)?;
    text.extend(
        own.as_deref()
            .map(verbatim)
            .unwrap_or_default()
            .into_bytes(),
    );
    // An older page is replaced; a link, a pipe or a device in its place is somebody else's.
    let path = directory.join(page.get_filename());
    Output::claim(&path, Existing::Replace, Readers::ByUmask)?.write(&text)?;
    Ok(())
}

/// A section that shows `text` as it stands (groff_man(7)).
fn verbatim(text: &str) -> String {
    let line = |line: &str| {
        let line = line.replace('\\', "\\e").replace('-', "\\-");
        // A dot or a quote would begin a request.
        match line.starts_with(['.', '\'']) {
            true => format!("\\&{line}\n"),
            false => line + "\n",
        }
    };
    let lines: String = text.lines().map(line).collect();
    format!(".SH HELP\n.nf\n{lines}.fi\n")
}
