//! The files of `-Q`: each record's place and latency.

use std::fmt::Write as _;

use etalon_file_ops::{FileOp, Pass};

use super::logs::Logs;
use super::{Cell, IozoneError};

/// The file of an operation; others have none.
fn file_of(op: FileOp) -> Option<&'static str> {
    Some(match op {
        FileOp::Write => "wol.dat",
        FileOp::Rewrite => "rwol.dat",
        FileOp::Read => "rol.dat",
        FileOp::Reread => "rrol.dat",
        _ => return None,
    })
}

/// The files of these operations.
pub(crate) fn names(operations: &[FileOp]) -> impl Iterator<Item = &'static str> + '_ {
    operations.iter().filter_map(|op| file_of(*op))
}

/// That of a worker of a group.
pub(crate) fn name_of_worker(name: &str, worker: usize) -> String {
    format!("Child_{worker}_{name}")
}

/// Writes the latencies of one row, each operation's run in the middle; each worker of a group has
/// files of its own.
///
/// # Errors
/// When a file cannot be written.
pub(crate) fn write(logs: &mut Logs, cells: &[Cell]) -> Result<(), IozoneError> {
    for cell in cells {
        let (Some(name), Some(run)) = (file_of(cell.op), &cell.middle) else {
            continue;
        };
        for (worker, pass) in run.passes.iter().enumerate() {
            let name = match cell.workers {
                Some(_) => name_of_worker(name, worker),
                None => name.to_owned(),
            };
            logs.write(&name, &text(pass))?;
        }
    }
    Ok(())
}

fn text(pass: &Pass) -> String {
    let mut text =
        "Offset in kBytes   Latency in microseconds  Transfer size in bytes\n".to_owned();
    for record in &pass.latencies {
        let (offset, latency) = (record.offset >> 10, record.latency.0 as f64 / 1000.0);
        // Writing to a string does not fail.
        let _ = writeln!(text, "{offset:>10} {latency:>10.0} {:>10}", record.length);
    }
    text
}
