//! `etalon completions SHELL`.

use clap::Args;
use clap_complete::Shell;

use super::program;
use super::subcommand::Subcommand;
use crate::exit::Exit;
use crate::output;

/// Print the completions for a shell
#[derive(Debug, Clone, Args)]
#[command(after_help = "Examples:
  etalon completions bash > /etc/bash_completion.d/etalon
  etalon completions zsh > ~/.zfunc/_etalon
  etalon completions fish > ~/.config/fish/completions/etalon.fish")]
pub(crate) struct CompletionsArgs {
    /// The shell
    shell: Shell,
}

impl Subcommand for CompletionsArgs {
    const NAME: &'static str = "completions";

    fn run(&self) -> anyhow::Result<Exit> {
        run(self.shell)
    }
}

fn run(shell: Shell) -> anyhow::Result<Exit> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut program(), "etalon", &mut script);
    output::print(&String::from_utf8_lossy(&script))?;
    Ok(Exit::Done)
}
