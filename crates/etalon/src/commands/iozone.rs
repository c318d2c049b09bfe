//! `etalon iozone OPTIONS`, and the worker processes of its throughput mode.

use std::ffi::OsString;
use std::io::{BufReader, Write, stdin, stdout};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::Context as _;
use clap::Args;
use etalon_factor::Journal;
use etalon_file_ops::{WorkerProgram, worker_main};
use etalon_model::ExperimentKind;
use etalon_tools::iozone::{Control, help, main_like};

use super::subcommand::{Activity, Subcommand};
use crate::cli::ToolArgs;
use crate::exit::Exit;
use crate::kept::{JSON, Kept, WAIT, without};
use crate::output;
use crate::signals;

/// The hidden subcommand that a worker process is started with.
const WORKER: &str = "iozone-worker";

/// Run iozone's tests with iozone's options, its layout and its spreadsheet
#[derive(Debug, Clone, Args)]
#[command(
    disable_help_flag = true,
    after_help = "Examples:
  etalon iozone -i 0 -i 2 -s 1g -r 1m -f /mnt/test
  etalon iozone --help      (iozone's options)"
)]
pub(crate) struct IozoneArgs {
    #[command(flatten)]
    passed: ToolArgs,
}

impl Subcommand for IozoneArgs {
    const NAME: &'static str = "iozone";
    const ACTIVITY: Activity = Activity::Tool;

    fn options_text() -> Option<String> {
        Some(help())
    }

    fn run(&self) -> anyhow::Result<Exit> {
        run(&self.passed.words)
    }
}

fn run(words: &[OsString]) -> anyhow::Result<Exit> {
    let stop = Arc::new(AtomicBool::new(false));
    signals::ask_to_stop_on_signal(&stop)?;
    // Without its own path it cannot start itself again, and groups are threads.
    let worker = std::env::current_exe().ok().map(|program| WorkerProgram {
        program,
        arguments: vec![OsString::from(WORKER)],
    });
    let journal = Journal::open();
    let control = Control {
        stop: &stop,
        worker: worker.as_ref(),
        journal: journal.as_ref(),
    };
    let (words, wait) = without(WAIT, words);
    let mut kept = Kept::of_tool(ExperimentKind::Iozone, &words).waiting(wait, &stop);
    let mut written = Vec::new();
    let mut out = output::out();
    let (words, json) = without(JSON, &words);
    let out: &mut dyn Write = if json { &mut written } else { &mut out };
    let code = main_like(&words, out, &mut output::err(), control, &mut kept);
    match json {
        true => kept.close_with_document(Exit::of_code(code), &written),
        false => Ok(kept.close(Exit::of_code(code))),
    }
}

/// A worker process of iozone's throughput mode
#[derive(Debug, Clone, Args)]
#[command(hide = true)]
pub(crate) struct WorkerArgs {}

impl Subcommand for WorkerArgs {
    const NAME: &'static str = WORKER;

    fn run(&self) -> anyhow::Result<Exit> {
        worker_main(BufReader::new(stdin()), &mut stdout())
            .context("a worker of iozone's throughput mode lost its parent")?;
        Ok(Exit::Done)
    }
}
