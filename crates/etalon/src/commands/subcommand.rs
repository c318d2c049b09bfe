//! What every subcommand is.

use clap::Args;

use etalon_tools::Exit;

/// What a subcommand is: its options, whose doc comment is what the help says of it, and this.
pub(super) trait Subcommand: Args {
    /// How it is called.
    const NAME: &'static str;
    /// What it leaves on the machine while it runs.
    const ACTIVITY: Activity = Activity::Reads;

    /// What the manual page says of the options of a tool that reads its own; none for all others.
    fn options_text() -> Option<String> {
        None
    }

    /// Whether it has the terminal for itself while it runs, or waits there for others; every other command is said to be
    /// at work when it is silent.
    fn speaks(&self) -> bool {
        Self::ACTIVITY == Activity::Tool
    }

    /// Carries it out.
    fn run(&self) -> anyhow::Result<Exit>;
}

/// What a subcommand does to the machine, which decides what is put back before and after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Activity {
    /// Only reads, or writes a file that was asked for.
    Reads,
    /// Makes files to measure on.
    MakesFiles,
    /// Makes files, and prints as another tool does.
    Tool,
}
