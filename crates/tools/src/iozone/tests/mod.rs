//! The command line, the layout, the workbook and whole runs, as programs and people see them.

mod command_lines;
mod files;
mod layout;
mod options;
mod parsers;
mod whole;
mod workbook;

use std::ffi::OsString;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use etalon_file_ops::FileOp;
use etalon_model::Run;
use etalon_units::Nanos;

use super::series::{Measured, Series};
use super::{Iozone, Options};
use crate::tests::served;

/// Runs of a write at these rates in MiB a second.
pub(super) fn series_of(rates: &[u64]) -> Series {
    let measured = rates.iter().map(|&mib| Measured {
        passes: vec![layout::pass(FileOp::Write, mib)],
        elapsed: Nanos::secs(1),
    });
    Series {
        measured: measured.collect(),
        ..Series::new(FileOp::Write)
    }
}

/// The words of a line, without quotes.
fn words(line: &str) -> Vec<OsString> {
    line.split_whitespace().map(Into::into).collect()
}

pub(super) fn parsed(line: &str) -> Options {
    Options::parse(&words(line)).unwrap_or_else(|error| panic!("{line}: {error}"))
}

fn refused(line: &str) -> String {
    Options::parse(&words(line)).expect_err(line).to_string()
}

/// What a run printed and how it ended.
struct Ran {
    out: String,
    err: String,
    status: u8,
    kept: Vec<Run>,
}

/// Runs a line; `DIR` in it stands for `directory`.
fn run(line: &str, directory: &Path) -> Ran {
    let args = words(&line.replace("DIR", directory.to_str().unwrap()));
    run_with(&args, &AtomicBool::new(false))
}

fn run_with(args: &[OsString], stop: &AtomicBool) -> Ran {
    let served = served::<Iozone>(args, stop);
    Ran {
        out: served.out,
        err: served.err,
        status: served.exit.code(),
        kept: served.kept,
    }
}
