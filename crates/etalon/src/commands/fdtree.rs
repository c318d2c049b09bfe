//! `etalon fdtree OPTIONS`.

use std::ffi::OsString;
use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use clap::Args;
use etalon_factor::Journal;
use etalon_model::ExperimentKind;
use etalon_tools::fdtree::{HELP, run_cli};

use super::subcommand::{Activity, Subcommand};
use crate::cli::ToolArgs;
use crate::exit::Exit;
use crate::kept::{JSON, Kept, WAIT, without};
use crate::output;
use crate::signals;

/// Create and remove a tree of directories and files, with fdtree's options
#[derive(Debug, Clone, Args)]
#[command(
    disable_help_flag = true,
    after_help = "Examples:
  etalon fdtree -d 5 -l 3 -f 10 -s 2
  etalon fdtree --help  (fdtree's options)"
)]
pub(crate) struct FdtreeArgs {
    #[command(flatten)]
    passed: ToolArgs,
}

impl Subcommand for FdtreeArgs {
    const NAME: &'static str = "fdtree";
    const ACTIVITY: Activity = Activity::Tool;

    fn options_text() -> Option<String> {
        Some(HELP.to_owned())
    }

    fn run(&self) -> anyhow::Result<Exit> {
        run(&self.passed.words)
    }
}

fn run(words: &[OsString]) -> anyhow::Result<Exit> {
    let stop = Arc::new(AtomicBool::new(false));
    signals::ask_to_stop_on_signal(&stop)?;
    let (words, wait) = without(WAIT, words);
    let mut kept = Kept::of_tool(ExperimentKind::Fdtree, &words).waiting(wait, &stop);
    let mut written = Vec::new();
    let mut out = output::out();
    let (words, json) = without(JSON, &words);
    let out: &mut dyn Write = if json { &mut written } else { &mut out };
    let journal = Journal::open();
    let mut err = output::err();
    let code = run_cli(&words, out, &mut err, &stop, journal.as_ref(), &mut kept);
    match json {
        true => kept.close_with_document(Exit::of_code(code), &written),
        false => Ok(kept.close(Exit::of_code(code))),
    }
}
