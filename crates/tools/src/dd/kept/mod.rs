//! A repeated copy as a record for whoever keeps runs. A copy that is made once is a copy and no
//! measurement: it leaves no trace.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::FileTypeExt as _;
use std::path::Path;

use etalon_model::{Ended, Fallback, TaskFigure, TaskWorkload};
use etalon_units::Bytes;
use etalon_workload::measurable::PartReport;

use super::copy_run::CopyRun;
use crate::keeper::{by_one_job, part_of};
use etalon_workload::copy::CopySettings;

/// The end of a copy that lies on storage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Storage<'a> {
    Read(&'a Path),
    Written(&'a Path),
}

impl<'a> Storage<'a> {
    pub(super) fn path(self) -> &'a Path {
        match self {
            Storage::Read(path) | Storage::Written(path) => path,
        }
    }
}

/// Where the copy goes, or where it comes from if that is no storage; `None` between two streams. An output that is not
/// there yet becomes a file.
pub(super) fn storage(settings: &CopySettings) -> Option<Storage<'_>> {
    let is_written = |path: &&Path| storage_at(path) || !path.exists();
    let written = settings.output.as_deref().filter(is_written);
    let is_read = |path: &&Path| storage_at(path);
    let read = || settings.input.as_deref().filter(is_read);
    written
        .map(Storage::Written)
        .or_else(|| read().map(Storage::Read))
}

/// Whether a file or a block device is there.
pub(super) fn storage_at(path: &Path) -> bool {
    let kind = fs::metadata(path).map(|found| found.file_type());
    kind.is_ok_and(|kind| kind.is_file() || kind.is_block_device())
}

/// What a copy that lies on storage did, as the part of its number and a run of `cell`.
pub(super) fn report(
    copy: &CopyRun,
    operands: &[OsString],
    (part, cell): (&str, &str),
    storage: Storage<'_>,
) -> PartReport {
    let counts = &copy.counts;
    // The rate is that of dd, and counts the output; what storage had to move is another question.
    let (operations, bytes, side) = match storage {
        Storage::Read(_) => (counts.records_in(), counts.read, "if"),
        Storage::Written(_) => (counts.writes(), counts.written(), "of"),
    };
    let mut measurement = by_one_job(operations, counts.bytes, copy.elapsed);
    measurement.bytes_with_warm_up = bytes;
    let totals = match storage {
        Storage::Read(_) => &mut measurement.reads,
        Storage::Written(_) => &mut measurement.writes,
    };
    (totals.operations, totals.bytes) = (operations, bytes);
    let settings = &copy.settings;
    measurement.direct = Some(match storage {
        Storage::Read(_) => settings.input_flags.direct,
        Storage::Written(_) => settings.output_flags.direct && !counts.left_direct_early(),
    });
    if matches!(storage, Storage::Written(_)) && counts.left_direct_early() {
        let buffered = counts.buffered;
        measurement
            .fallbacks
            .push(Fallback::DirectLeft { buffered });
    }
    measurement.ended = match (copy.interrupted, copy.fault()) {
        (true, _) => Ended::Interrupted,
        (_, Some(message)) => Ended::Broken { message },
        _ => Ended::Complete,
    };
    let (conversions, flags) = (settings.conversions, settings.output_flags);
    if flags.sync || flags.dsync {
        measurement.fsyncs = operations;
    } else if conversions.fsync || conversions.fdatasync || counts.buffered_out > 0 {
        measurement.fsyncs = 1;
    }
    part_of(
        (part, cell),
        workload(settings, operands, side),
        measurement,
    )
}

/// Where input and output blocks differ, there is no size of one operation.
fn workload(settings: &CopySettings, operands: &[OsString], side: &str) -> TaskWorkload {
    let (figure, parameters) = (TaskFigure::Throughput, parameters(operands, side));
    let (input, output) = (settings.input_block, settings.output_block);
    TaskWorkload {
        block_size: (input == output).then_some(Bytes(input as u64)),
        ..TaskWorkload::of_texts("dd", "copy", figure, parameters)
    }
}

/// The operands that say what is copied and how, each by its name, without the `side` that is the
/// target; of several with one name the last counts, as for dd.
fn parameters(operands: &[OsString], side: &str) -> BTreeMap<String, String> {
    let names = KNOWN.into_iter().filter(|name| *name != side);
    let mut named: BTreeMap<String, String> =
        names.map(|name| (name.to_owned(), String::new())).collect();
    for operand in operands {
        let text = operand.to_string_lossy();
        if let Some((name, value)) = text.split_once('=')
            && let Some(slot) = named.get_mut(name)
        {
            value.clone_into(slot);
        }
    }
    named
}

const KNOWN: [&str; 13] = [
    "if", "of", "bs", "ibs", "obs", "count", "skip", "iseek", "seek", "oseek", "conv", "iflag",
    "oflag",
];

#[cfg(test)]
mod tests;
