//! What is kept of copies that are really made.

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

/// A filesystem on a loop device of its own, which takes `O_DIRECT`; `None`, with a word about it, where this is not root.
fn ext4(test: &str) -> Option<(etalon_testbed::Mount, tempfile::TempDir)> {
    if !etalon_testbed::root_for(test) {
        return None;
    }
    let place = tempfile::tempdir().unwrap();
    let image = place.path().join("image");
    fs::File::create(&image).unwrap().set_len(64 << 20).unwrap();
    let image = image.to_str().unwrap();
    etalon_testbed::mkfs("ext4", &["-F", image]);
    Some((etalon_testbed::Mount::new(&["-o", "loop", image]), place))
}

#[test]
fn a_last_block_that_is_not_whole_is_no_fault_of_the_filesystem() {
    let test = "a_last_block_that_is_not_whole_is_no_fault_of_the_filesystem";
    let Some((mount, place)) = ext4(test) else {
        return;
    };
    let input = place.path().join("input");
    fs::write(&input, vec![7; 19 << 19]).unwrap();
    let output = mount.path().join("output");
    let (from, to) = (input.display(), output.display());
    let run = kept(&format!("if={from} of={to} bs=8M oflag=direct --runs 1")).remove(0);
    assert_eq!(run.measurement.direct, Some(true));
    assert_eq!(run.measurement.fsyncs, 1);
    let held = run.circumstances.cache_after.unwrap();
    assert_eq!(held.cached, Bytes::ZERO);
    let codes: Vec<&str> = run.findings.iter().map(|found| &*found.code).collect();
    for code in ["direct-fell-back", "direct-left"] {
        assert!(!codes.contains(&code), "{codes:?}");
    }
}

#[test]
fn a_copy_whose_blocks_come_short_is_not_called_direct() {
    let test = "a_copy_whose_blocks_come_short_is_not_called_direct";
    let Some((mount, place)) = ext4(test) else {
        return;
    };
    let pipe = place.path().join("pipe");
    let (kind, mode) = (rustix::fs::FileType::Fifo, rustix::fs::Mode::RWXU);
    rustix::fs::mknodat(rustix::fs::CWD, &pipe, kind, mode, 0).unwrap();
    let output = mount.path().join("output");
    let (from, to) = (pipe.display().to_string(), output.display());
    let feed = move || fs::write(pipe, vec![7; 4 << 20]).unwrap();
    let feeder = std::thread::spawn(feed);
    let line = format!("if={from} of={to} bs=1M oflag=direct --runs 1");
    let words: Vec<OsString> = line.split(' ').map(OsString::from).collect();
    let served = served::<Dd>(&words, &AtomicBool::new(false));
    feeder.join().unwrap();
    assert_eq!(served.kept[0].measurement.direct, Some(false));
    let found = &served.kept[0].findings;
    let left = found.iter().find(|found| found.code == "direct-left");
    assert_eq!(left.unwrap().severity, etalon_model::Severity::Warn);
    let said = "4 MiB of the output went through the page cache";
    assert!(served.err.contains(said), "{}", served.err);
    assert!(served.err.contains("; iflag=fullblock"), "{}", served.err);
}
