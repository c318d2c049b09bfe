use std::path::Path;
use std::sync::atomic::AtomicBool;

use etalon_model::Ended;
use etalon_units::Bytes;

use super::super::file::open;
use super::super::{Pass, run_pass};
use super::*;

fn settings(mapped: Mapped) -> Settings {
    Settings {
        size: Bytes::mib(2),
        record: Bytes::kib(64),
        mapped: Some(mapped),
        ..Settings::default()
    }
}

fn pass(op: FileOp, path: &Path, settings: &Settings, number: u64) -> Pass {
    run_pass(op, path, settings, number, (&AtomicBool::new(false), &())).unwrap()
}

#[test]
fn a_mapped_write_leaves_the_file_that_calls_leave() {
    let directory = tempfile::tempdir().unwrap();
    let written = |name: &str, settings: &Settings| {
        let path = directory.path().join(name);
        File::create(&path).unwrap();
        for (number, op) in [FileOp::Write, FileOp::Rewrite, FileOp::RandomWrite]
            .into_iter()
            .enumerate()
        {
            let pass = pass(op, &path, settings, number as u64);
            assert_eq!((pass.ended, pass.operations), (Ended::Complete, 32));
            assert!(!pass.direct);
        }
        std::fs::read(path).unwrap()
    };
    let by_calls = Settings {
        mapped: None,
        ..settings(Mapped::default())
    };
    let expected = written("calls", &by_calls);
    assert_eq!(expected.len(), 2 << 20);
    for mixed in [false, true] {
        let mapped = Mapped {
            mixed,
            write_back: WriteBack::Awaited,
        };
        assert!(
            written("mapped", &settings(mapped)) == expected,
            "mixed: {mixed}"
        );
    }
}

#[test]
fn a_mixed_pass_takes_turns() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("file");
    std::fs::write(&path, vec![9; 2 << 20]).unwrap();
    for (mixed, turns) in [(false, [false; 4]), (true, [false, true, false, true])] {
        let mapped = Mapped {
            mixed,
            ..Mapped::default()
        };
        let settings = settings(mapped);
        let file = File::open(&path).unwrap();
        let mut file = MappedFile::new(file, FileOp::Read, mapped, &settings).unwrap();
        assert_eq!([(); 4].map(|()| file.by_call()), turns);
        let mut buffer = [0; 100];
        for _ in 0..2 {
            assert_eq!(file.read(&mut buffer, 4096).unwrap(), 100);
            assert_eq!(buffer, [9; 100]);
        }
    }
}

#[test]
fn what_is_named_for_a_call_stays_a_call() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("file");
    File::create(&path).unwrap();
    let settings = settings(Mapped::default());
    // Only a mapping gives the file its length before the first record.
    for (op, length) in [
        (FileOp::Pwrite, 0),
        (FileOp::Fwrite, 0),
        (FileOp::Pwritev, 0),
        (FileOp::Write, 2 << 20),
    ] {
        open(&path, op, &settings).unwrap();
        assert_eq!(std::fs::metadata(&path).unwrap().len(), length, "{op:?}");
    }
}

#[test]
fn a_file_cut_short_under_the_mapping_ends_the_pass() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("file");
    std::fs::write(&path, vec![9; 2 << 20]).unwrap();
    let settings = settings(Mapped::default());
    let mut opened = open(&path, FileOp::Read, &settings).unwrap();
    File::options()
        .write(true)
        .open(&path)
        .and_then(|file| file.set_len(65_536))
        .unwrap();
    let mut buffer = vec![0; 65_536];
    assert_eq!(opened.file.read(&mut buffer, 0).unwrap(), 65_536);
    let error = opened.file.read(&mut buffer, 65_536).unwrap_err();
    assert_eq!(Errno::from_io_error(&error), Some(Errno::IO));
}

#[test]
fn a_full_filesystem_is_told_as_such() {
    let test = "a_full_filesystem_is_told_as_such";
    let Some(directory) = etalon_testbed::Mount::tmpfs_for(test, "size=1m") else {
        return;
    };
    let path = directory.path().join("file");
    File::create(&path).unwrap();
    let pass = pass(FileOp::Write, &path, &settings(Mapped::default()), 0);
    directory.unmount();
    assert_eq!(pass.ended, Ended::DiskFull);
    assert!((1..32).contains(&pass.operations), "{}", pass.operations);
}

/// Where the kernel counts dirty pages of a file (cachestat(2), not in memory).
#[test]
fn awaited_write_back_leaves_nothing_dirty() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("file");
    File::create(&path).unwrap();
    let awaited = Mapped {
        write_back: WriteBack::Awaited,
        mixed: false,
    };
    let mut opened = open(&path, FileOp::Write, &settings(awaited)).unwrap();
    opened.file.write(&[1; 1 << 16], 0).unwrap();
    let dirty = || {
        let held = etalon_stack::residency(&path).ok()?;
        Some(held.dirty?.get() + held.writeback?.get())
    };
    if dirty().is_none_or(|bytes| bytes == 0) {
        return etalon_testbed::skip(
            "awaited_write_back_leaves_nothing_dirty",
            "dirty pages are not counted",
        );
    }
    opened.file.drain().unwrap();
    // A filesystem in memory keeps its pages dirty for ever.
    let kept = rustix::fs::statfs(&path).unwrap().f_type as u64 == 0x0102_1994;
    assert!(kept || dirty() == Some(0), "{:?}", dirty());
}
