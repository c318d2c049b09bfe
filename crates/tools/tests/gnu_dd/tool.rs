//! `etalon-tool dd …`: the command lines of this crate as a process, for its tests.

use std::ffi::OsString;
use std::io;
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;

use etalon_factor::Journal;
use etalon_model::Run;
use etalon_tools::dd::Dd;
use etalon_tools::hdparm::Hdparm;
use etalon_tools::{Exit, Tool as _, ToolContext};

fn main() -> ExitCode {
    let args: Vec<OsString> = std::env::args_os().skip(1).collect();
    let mut out = io::stdout();
    let mut err = io::stderr();
    let mut kept: Vec<Run> = Vec::new();
    // Neither of the two makes a file that would have to be entered.
    let journal = Journal::at(Path::new("/dev/null/none"));
    let context = ToolContext {
        help: "",
        out: &mut out,
        err: &mut err,
        stop: &AtomicBool::new(false),
        journal: journal.as_ref(),
        worker: None,
        keeper: &mut kept,
    };
    let exit = match args.split_first() {
        Some((tool, rest)) if tool == "dd" => Dd::run(rest, context),
        Some((tool, rest)) if tool == "hdparm" => Hdparm::run(rest, context),
        _ => Exit::Usage,
    };
    exit.into()
}
