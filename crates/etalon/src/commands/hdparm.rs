//! `etalon hdparm OPTIONS DEVICE…`.

use std::ffi::OsString;
use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use clap::Args;
use etalon_model::ExperimentKind;
use etalon_tools::hdparm::{HELP, run_cli};

use super::subcommand::{Activity, Subcommand};
use crate::cli::ToolArgs;
use crate::exit::Exit;
use crate::kept::{JSON, Kept, WAIT, without};
use crate::output;
use crate::signals;

/// Read devices as hdparm -t, -T and --direct do, repeated and with intervals
#[derive(Debug, Clone, Args)]
#[command(
    disable_help_flag = true,
    after_help = "Examples:
  etalon hdparm -t /dev/sda
  etalon hdparm --help      (its options)"
)]
pub(crate) struct HdparmArgs {
    #[command(flatten)]
    passed: ToolArgs,
}

impl Subcommand for HdparmArgs {
    const NAME: &'static str = "hdparm";
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
    let mut kept = Kept::of_tool(ExperimentKind::Hdparm, &words).waiting(wait, &stop);
    let mut written = Vec::new();
    let mut out = output::out();
    let json = words.iter().any(|word| word == JSON);
    let out: &mut dyn Write = if json { &mut written } else { &mut out };
    let status = run_cli(&words, out, &mut output::err(), &stop, &mut kept);
    let exit = Exit::of_code(status.code());
    match json {
        true => kept.close_with_document(exit, &written),
        false => Ok(kept.close(exit)),
    }
}
