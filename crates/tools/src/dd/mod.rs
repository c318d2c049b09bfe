//! `etalon dd`: the command line of dd(1), its three lines, and what etalon adds to them.
//!
//! Options of etalon's own begin with two dashes and
//! stand before, between or after the operands.

mod added;
mod copy_run;
mod flags;
mod kept;
mod number;
mod operand_error;
mod operands;
mod options;
mod report;
mod run;
mod session;
mod signals;
mod terminal;

use std::ffi::OsString;
use std::io::{self, Write};
use std::sync::Mutex;

use crate::keeper::RunKeeper;
use crate::{Exit, Tool, ToolContext};
use etalon_model::ExperimentKind;

pub use copy_run::CopyRun;
pub use operand_error::{Conflict, OperandError};
pub use operands::parse;
pub use options::{DdOptions, DdUsage};

/// A terminal that several copies write to.
pub(crate) type Console<'a> = Mutex<&'a mut (dyn Write + Send)>;

/// `etalon dd`: dd's lines and etalon's are messages; only the copies of `--runs` are handed on. Without `of=` the copy
/// goes to the process's standard output, as dd does.
#[derive(Debug)]
pub struct Dd;

impl Tool for Dd {
    const KIND: ExperimentKind = ExperimentKind::Dd;
    const HAS_DOCUMENT: bool = true;
    const OWN_SIGNALS: bool = true;
    const HAS_PROGRESS: bool = true;

    fn help() -> String {
        options::HELP.to_owned()
    }

    fn run(
        words: &[OsString],
        ToolContext {
            help,
            out,
            err,
            keeper,
            ..
        }: ToolContext<'_>,
    ) -> Exit {
        let served = match DdOptions::parse(words) {
            Ok(options) if options.help => out.write_all(help.as_bytes()).map(|()| Exit::Done),
            Ok(options) => serve(&options, out, err, keeper),
            Err(error) => writeln!(err, "etalon dd: {error}").map(|()| Exit::Usage),
        };
        served.unwrap_or_else(|error| Exit::of_output("dd", &error, err))
    }
}

fn serve(
    options: &DdOptions,
    out: &mut dyn Write,
    err: &mut (dyn Write + Send),
    keeper: &mut dyn RunKeeper,
) -> io::Result<Exit> {
    let mut copies = Vec::new();
    for operands in &options.groups {
        let mut warnings = Vec::new();
        let parsed = parse(operands, &mut warnings);
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
                return Ok(Exit::Failed);
            }
        }
    }
    if let Err(error) = options.fits(&copies) {
        writeln!(err, "etalon dd: {error}")?;
        return Ok(Exit::Usage);
    }
    session::repeat(options, &copies, (out, err), keeper)
}
