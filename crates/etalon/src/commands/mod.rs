//! One file per subcommand.

mod checks;
mod compare;
mod completions;
mod dd;
mod export;
mod fdtree;
mod hdparm;
mod iozone;
mod list;
mod man;
mod measure;
mod metadata;
mod passport;
mod quick;
pub(crate) mod restore;
mod show;
mod stack;
mod together;
mod watch;
mod work;

use crate::cli::{Cli, Command};
use crate::exit::Exit;

/// Carries out what was asked.
pub(crate) fn dispatch(cli: Cli) -> anyhow::Result<Exit> {
    match cli.command.unwrap_or(Command::Quick(cli.quick)) {
        Command::Quick(args) => quick::run(&args),
        Command::Measure(args) => measure::run(&args),
        Command::Together(args) => together::run(&args),
        Command::Passport(args) => passport::run(&args),
        Command::List(args) => list::run(&args),
        Command::Show(args) => show::run(&args),
        Command::Compare(args) => compare::run(&args),
        Command::Export(args) => export::run(&args),
        Command::Stack(args) => stack::run(&args),
        Command::Watch(args) => watch::run(&args),
        Command::Dd(args) => Ok(dd::run(&args.words)),
        Command::Hdparm(args) => hdparm::run(&args.words),
        Command::Iozone(args) => iozone::run(&args.words),
        Command::IozoneWorker => iozone::work(),
        Command::Metadata(args) => metadata::run(&args),
        Command::Work(args) => work::run(&args),
        Command::Fdtree(args) => fdtree::run(&args.words),
        Command::Restore => restore::run(),
        Command::Checks => checks::run(),
        Command::Completions { shell } => completions::run(shell),
        Command::Man { directory } => man::run(&directory),
    }
}
