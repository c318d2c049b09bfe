//! The command line.

mod arms;
mod bench;
mod cli;
mod commands;
mod documents;
mod exit;
mod kept;
mod ledger;
mod names;
mod output;
mod progress;
mod signals;
mod stores;
mod streams;
mod usage;

use std::process::ExitCode;

use clap::Parser as _;

use crate::cli::Cli;
use crate::exit::Exit;

fn main() -> ExitCode {
    let watched = signals::install();
    if streams::may_be_written() == Exit::Refused {
        return Exit::Refused.into();
    }
    if let Err(error) = watched {
        output::note(&format!("etalon: cannot watch for signals: {error}"));
    }
    let cli = match Cli::try_parse_from(usage::with_store_behind(std::env::args_os().collect())) {
        Ok(cli) => cli,
        Err(error) => return exit::usage(&error),
    };
    match commands::dispatch(cli) {
        Ok(exit) => exit.into(),
        Err(error) if output::is_closed_pipe(&error) => Exit::Done.into(),
        Err(error) => {
            let exit = exit::classify(&error);
            output::complain(&error);
            exit.into()
        }
    }
}
