//! `etalon dd OPERANDS`.

use std::ffi::OsString;
use std::io::Write;
use std::sync::Arc;

use clap::Args;
use etalon_model::ExperimentKind;
use etalon_tools::dd::{HELP, run_cli};

use super::subcommand::{Activity, Subcommand};
use crate::cli::ToolArgs;
use crate::exit::Exit;
use crate::kept::{JSON, Kept, WAIT, without};
use crate::output;

/// Copy as dd does, with dd's operands, and say what of it is durable
#[derive(Debug, Clone, Args)]
#[command(
    disable_help_flag = true,
    after_help = "Examples:
  etalon dd if=/dev/zero of=/mnt/test bs=1M count=1024 conv=fsync
  etalon dd --help      (dd's operands)"
)]
pub(crate) struct DdArgs {
    #[command(flatten)]
    passed: ToolArgs,
}

impl Subcommand for DdArgs {
    const NAME: &'static str = "dd";
    const ACTIVITY: Activity = Activity::Tool;

    fn options_text() -> Option<String> {
        Some(HELP.to_owned())
    }

    fn run(&self) -> anyhow::Result<Exit> {
        run(&self.passed.words)
    }
}

fn run(words: &[OsString]) -> anyhow::Result<Exit> {
    let (words, wait) = without(WAIT, words);
    // A signal ends it at once, and with it the wait.
    let kept = Kept::of_tool(ExperimentKind::Dd, &words);
    let mut kept = kept.waiting(wait, &Arc::default());
    let mut written = Vec::new();
    let (mut out, mut err) = (output::out(), output::err_with_progress());
    let json = words.iter().any(|word| word == JSON);
    // With --json no data go to standard output: dd itself refuses that.
    let out: &mut dyn Write = if json { &mut written } else { &mut out };
    let exit = Exit::of_code(run_cli(&words, out, &mut err, &mut kept).code());
    match json {
        true => kept.close_with_document(exit, &written),
        false => Ok(kept.close(exit)),
    }
}
