//! `etalon-tool dd …`: the command lines of this crate as a process, for its tests.

use std::ffi::OsString;
use std::io;
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;

use etalon_model::Run;
use etalon_tools::{ExitStatus, dd, hdparm};

fn main() -> ExitCode {
    let args: Vec<OsString> = std::env::args_os().skip(1).collect();
    let mut out = io::stdout();
    let mut err = io::stderr();
    let mut kept: Vec<Run> = Vec::new();
    let status = match args.split_first() {
        Some((tool, rest)) if tool == "dd" => dd::run_cli(rest, &mut out, &mut err, &mut kept),
        Some((tool, rest)) if tool == "hdparm" => {
            let stop = AtomicBool::new(false);
            hdparm::run_cli(rest, &mut out, &mut err, &stop, &mut kept)
        }
        _ => ExitStatus::Usage,
    };
    ExitCode::from(status.code())
}
