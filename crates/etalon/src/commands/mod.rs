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
mod schema;
mod show;
mod stack;
mod together;
mod watch;
mod work;

use crate::cli::{Cli, Command};
use crate::exit::Exit;

/// Carries out what was asked, and tells what it could not put back.
pub(crate) fn dispatch(cli: Cli) -> anyhow::Result<Exit> {
    let command = match cli.command {
        Some(command) => command,
        None => {
            quick::refuse_unknown_command(&cli.quick.target)?;
            Command::Quick(cli.quick)
        }
    };
    let is_tool = matches!(
        command,
        Command::Dd(_) | Command::Hdparm(_) | Command::Iozone(_) | Command::Fdtree(_)
    );
    let makes_files = is_tool
        || matches!(
            command,
            Command::Quick(_)
                | Command::Measure(_)
                | Command::Together(_)
                | Command::Passport(_)
                | Command::Metadata(_)
                | Command::Work(_)
        );
    if is_tool {
        restore::before_a_tool();
    }
    let done = carry_out(command);
    if makes_files {
        restore::after_a_run();
    }
    done
}

fn carry_out(command: Command) -> anyhow::Result<Exit> {
    match command {
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
        Command::Dd(args) => dd::run(&args.words),
        Command::Hdparm(args) => hdparm::run(&args.words),
        Command::Iozone(args) => iozone::run(&args.words),
        Command::IozoneWorker => iozone::work(),
        Command::Metadata(args) => metadata::run(&args),
        Command::Work(args) => work::run(&args),
        Command::Fdtree(args) => fdtree::run(&args.words),
        Command::Restore(args) => restore::run(args.json),
        Command::Checks(args) => checks::run(args.json),
        Command::Schema => schema::run(),
        Command::Completions { shell } => completions::run(shell),
        Command::Man { directory } => man::run(&directory),
    }
}
