//! `etalon dd`: the command line of dd(1), its three lines, and what etalon adds to them.
//!
//! [`run_cli`] is all a program needs to call. Options of etalon's own begin with two dashes and
//! stand before, between or after the operands.

mod added;
mod kept;
mod options;
mod run;
mod session;
mod signals;
mod terminal;

use std::ffi::OsString;
use std::io::{self, Write};
use std::sync::Mutex;

use crate::exit::ExitStatus;
use crate::keeper::RunKeeper;
use etalon_workload::copy;

pub use options::{DdOptions, HELP, OptionError};
pub use run::CopyRun;

/// A terminal that several copies write to.
pub(crate) type Console<'a> = Mutex<&'a mut (dyn Write + Send)>;

/// Runs `etalon dd ARGS`: data and `--json` go to `out` or to standard output itself, dd's lines
/// and etalon's to `err`; `keeper` is handed the copies of `--runs`.
///
/// Copied data does not pass through `out`: without `of=` it is written to the process's standard
/// output, as dd does.
pub fn run_cli(
    args: &[OsString],
    out: &mut dyn Write,
    err: &mut (dyn Write + Send),
    keeper: &mut dyn RunKeeper,
) -> ExitStatus {
    let served = serve(args, out, err, keeper);
    served.unwrap_or_else(|error| ExitStatus::of_output("dd", &error, err))
}

fn serve(
    args: &[OsString],
    out: &mut dyn Write,
    err: &mut (dyn Write + Send),
    keeper: &mut dyn RunKeeper,
) -> io::Result<ExitStatus> {
    let options = match DdOptions::parse(args) {
        Ok(options) => options,
        Err(error) => {
            writeln!(err, "etalon dd: {error}")?;
            return Ok(ExitStatus::Usage);
        }
    };
    if options.help {
        out.write_all(options::HELP.as_bytes())?;
        return Ok(ExitStatus::Done);
    }
    let mut copies = Vec::new();
    for operands in &options.groups {
        let mut warnings = Vec::new();
        let parsed = copy::parse(operands, &mut warnings);
        for warning in &warnings {
            writeln!(err, "dd: {warning}")?;
        }
        match parsed {
            Ok(settings) => copies.push(settings),
            Err(error) => {
                writeln!(err, "dd: {error}")?;
                if error.points_to_help() {
                    writeln!(err, "Try 'etalon dd --help' for more information.")?;
                }
                return Ok(ExitStatus::Failed);
            }
        }
    }
    if let Err(error) = options.fits(&copies) {
        writeln!(err, "etalon dd: {error}")?;
        return Ok(ExitStatus::Usage);
    }
    run::repeat(&options, &copies, (out, err), keeper)
}
