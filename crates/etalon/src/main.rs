//! The command line.

mod arms;
mod aside;
mod bench;
mod cli;
mod commands;
mod digests;
mod documents;
mod effect;
mod exit;
mod help;
mod identities;
mod kept;
mod ledger;
mod names;
mod operation_parser;
mod output;
mod own_lines;
mod plan;
mod progress;
mod put_back;
mod relay;
mod signals;
mod stores;
mod streams;
mod typed;
mod unjudged;
mod usage;

use std::process::ExitCode;

use etalon_tools::Exit;

/// That of musl takes half of the time in which a large experiment is shown.
#[cfg(target_env = "musl")]
#[global_allocator]
static ALLOCATOR: dlmalloc::GlobalDlmalloc = dlmalloc::GlobalDlmalloc;

fn main() -> ExitCode {
    let watched = signals::install();
    if streams::may_be_written() == Exit::Refused {
        return Exit::Refused.into();
    }
    if let Err(error) = watched {
        output::note(&format!("etalon: cannot watch for signals: {error}"));
    }
    let words: Vec<_> = std::env::args_os().collect();
    let mut program = commands::program_for(&words);
    let words = usage::with_options_behind(&program, words);
    let words = typed::remember(words);
    let matches = match program.try_get_matches_from_mut(words) {
        Ok(matches) => matches,
        Err(error) => {
            let error = help::translated(error, words, commands::program);
            return exit::usage(&error, &program);
        }
    };
    match commands::dispatch(&matches) {
        Ok(exit) => exit.into(),
        Err(error) if output::is_closed_pipe(&error) => Exit::Done.into(),
        Err(error) => {
            let exit = exit::classify(&error);
            output::complain(&error);
            exit.into()
        }
    }
}
