//! The files of `-+T`: when each worker of a group began and ended each test.

use std::fmt::Write as _;
use std::time::SystemTime;

use etalon_file_ops::{FileOp, Pass};
use jiff::Zoned;

use super::logs::Logs;
use super::{Cell, IozoneError};

/// What a test is called at its start and at its end.
fn names(op: FileOp) -> (&'static str, &'static str) {
    use FileOp::*;
    let both = |name| (name, name);
    match op {
        Write => both("Write test"),
        Rewrite => both("Rewrite test"),
        Read => both("Read test"),
        Reread => both("Reread test"),
        BackwardRead => both("Reverse read"),
        RecordRewrite => both("Record rewrite"),
        StridedRead => both("Stride test"),
        RandomRead | Mixed => both("Random read"),
        RandomWrite => both("Random write"),
        Fwrite => ("fwrite test", "Fwrite test"),
        Frewrite => ("frewrite test", "Frewrite test"),
        Fread => ("fread test", "Fread test"),
        Freread => ("freread test", "Freread test"),
        Pwrite => both("Pwrite test"),
        Repwrite => both("Repwrite test"),
        Pread => both("Pread test"),
        Repread => both("Repread test"),
        Pwritev => both("Pwritev test"),
        Repwritev => both("Repwritev test"),
        Preadv => both("Preadv test"),
        Repreadv => both("Repreadv test"),
    }
}

/// The log of a worker.
pub(crate) fn name(worker: usize) -> String {
    format!("Child_{worker}.log")
}

/// Writes `Child_0.log` and so on: two lines a test, each of the run in the middle.
///
/// # Errors
/// When a file cannot be written.
pub(crate) fn write(logs: &mut Logs, cells: &[Cell]) -> Result<(), IozoneError> {
    let workers = cells.iter().filter_map(|cell| cell.workers).max();
    for worker in 0..workers.unwrap_or(0) {
        let runs = cells.iter().filter_map(|cell| cell.middle.as_ref());
        let text: String = runs
            .filter_map(|run| run.passes.get(worker))
            .map(lines)
            .collect();
        logs.write(&name(worker), &text)?;
    }
    Ok(())
}

fn lines(pass: &Pass) -> String {
    let (start, end) = names(pass.op);
    let (began, ended) = pass.wall_clock();
    let mut text = String::new();
    for (name, moment) in [
        (format!("{start} start:"), began),
        (format!("{end} finished:"), ended),
    ] {
        // Writing to a string does not fail.
        let _ = writeln!(text, "{name:<25} {}", told(moment));
    }
    text
}

/// As ctime(3) has it.
fn told(moment: SystemTime) -> String {
    Zoned::try_from(moment).map_or_else(
        |_| "at an unknown time".to_owned(),
        |moment| moment.strftime("%a %b %e %H:%M:%S %Y").to_string(),
    )
}
