//! A repeated copy as a record for whoever keeps runs. A copy that is made once is a copy and no
//! measurement: it leaves no trace.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::FileTypeExt as _;
use std::path::Path;

use etalon_model::{Ended, TaskFigure, TaskWorkload};
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
        Storage::Written(_) => settings.output_flags.direct,
    });
    measurement.ended = match (copy.interrupted, copy.fault()) {
        (true, _) => Ended::Interrupted,
        (_, Some(message)) => Ended::Broken { message },
        _ => Ended::Complete,
    };
    let (conversions, flags) = (settings.conversions, settings.output_flags);
    if flags.sync || flags.dsync {
        measurement.fsyncs = operations;
    } else if conversions.fsync || conversions.fdatasync {
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
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::dd::Dd;
    use crate::dd::operands::parse;
    use crate::tests::served;

    fn kept(line: &str) -> Vec<etalon_model::Run> {
        ended_with(crate::Exit::Done, line)
    }

    fn ended_with(exit: crate::Exit, line: &str) -> Vec<etalon_model::Run> {
        let words: Vec<OsString> = line.split(' ').map(OsString::from).collect();
        let served = served::<Dd>(&words, &AtomicBool::new(false));
        assert_eq!(served.exit, exit, "{line}");
        served.kept
    }

    #[test]
    fn a_repeated_copy_is_kept_and_a_single_one_leaves_no_trace() {
        let place = tempfile::tempdir().unwrap();
        let file = place.path().join("file");
        let line = format!("if=/dev/zero of={} bs=4k count=3", file.display());
        assert_eq!(kept(&line), []);
        let runs = kept(&format!("{line} --runs 2"));
        let blocks: Vec<u32> = runs.iter().map(|run| run.block).collect();
        assert_eq!(blocks, [0, 1]);
        let written = &runs[0].measurement.writes;
        assert_eq!((written.operations, written.bytes.get()), (3, 12288));
        let task = runs[0].workload.task().unwrap();
        assert_eq!(
            (
                task.parameters["bs"].to_string(),
                task.parameters["if"].to_string()
            ),
            ("4k".to_owned(), "/dev/zero".to_owned())
        );
        assert_eq!(task.block_size, Some(Bytes::kib(4)));
        assert!(!task.parameters.contains_key("of"), "the target says it");
        let read = kept(&format!("if={} of=/dev/null --runs 1", file.display()));
        assert_eq!(read[0].measurement.reads.bytes.get(), 12288);
        assert_eq!(
            kept("if=/dev/zero of=/dev/null count=1 --runs 2"),
            [],
            "no storage"
        );
    }

    #[test]
    fn an_output_that_is_not_there_yet_is_the_target_and_not_the_input() {
        let place = tempfile::tempdir().unwrap();
        let input = place.path().join("input");
        fs::write(&input, "twelve bytes").unwrap();
        let output = place.path().join("output");
        let copy = |output: &Path| {
            let operands = [
                format!("if={}", input.display()),
                format!("of={}", output.display()),
            ];
            parse(&operands.map(OsString::from), &mut Vec::new()).unwrap()
        };
        let new = copy(&output);
        assert_eq!(storage(&new), Some(Storage::Written(&output)));
        let nowhere = copy(Path::new("/dev/null"));
        assert_eq!(storage(&nowhere), Some(Storage::Read(&input)));
        let line = format!("if={} of={} --runs 1", input.display(), output.display());
        assert_eq!(kept(&line)[0].measurement.writes.bytes, Bytes(12));
    }

    #[test]
    fn a_copy_that_is_not_whole_is_kept_with_what_failed() {
        let place = tempfile::tempdir().unwrap();
        let output = place.path().join("output");
        // Nothing is mapped at the beginning, so that each read fails.
        let unread = format!(
            "if=/proc/self/mem of={} bs=4k count=3 --runs 1",
            output.display()
        );
        let broken = |exit, line: &str| match &ended_with(exit, line)[0].measurement.ended {
            Ended::Broken { message } => message.clone(),
            other => panic!("{line}: {other:?}"),
        };
        assert_eq!(
            broken(crate::Exit::Done, &format!("{unread} conv=noerror,sync")),
            "3 reads failed; padding stands for what they did not bring"
        );
        assert_eq!(
            broken(crate::Exit::Failed, &unread),
            "the copy failed: error reading '/proc/self/mem': Input/output error"
        );
    }

    #[test]
    fn only_what_was_read_or_written_is_asked_of_storage() {
        let place = tempfile::tempdir().unwrap();
        let at = |name: &str| place.path().join(name);
        fs::write(at("zeros"), [0; 12288]).unwrap();
        fs::write(at("lines"), "abc\n").unwrap();
        let copy = |from: &str, to: &Path, more: &str| {
            let (from, to) = (at(from), to.display());
            let line = format!("if={} of={to} {more} --runs 1", from.display());
            kept(&line).remove(0).measurement
        };
        let sparse = copy("zeros", &at("output"), "bs=4k conv=sparse");
        assert_eq!(sparse.writes.bytes, Bytes::ZERO);
        assert_eq!(sparse.writes.operations, 0);
        assert_eq!(sparse.bytes_with_warm_up, Bytes::ZERO);
        assert_eq!(sparse.jobs[0].bytes, Bytes::kib(12), "the rate is dd's");
        for conversion in ["conv=block cbs=400", "conv=sync"] {
            let padded = copy("lines", Path::new("/dev/null"), conversion);
            assert_eq!(padded.reads.bytes, Bytes(4), "{conversion}");
            assert_eq!(padded.bytes_with_warm_up, Bytes(4), "{conversion}");
            assert!(padded.jobs[0].bytes > Bytes(4), "{conversion}");
        }
    }

    #[test]
    fn copies_made_together_have_a_cell_each() {
        let place = tempfile::tempdir().unwrap();
        let of = |name: &str| {
            format!(
                "if=/dev/zero of={} count=1",
                place.path().join(name).display()
            )
        };
        let runs = kept(&format!("--parallel --runs 1 {} -- {}", of("a"), of("b")));
        let cells: Vec<&str> = runs.iter().map(|run| run.cell.as_str()).collect();
        assert_eq!(cells, ["copy 1", "copy 2"]);
    }
}
