//! What is written beside the measured files, and what is refused for it.

use std::fs;
use std::os::unix::fs::symlink;

use etalon_file_ops::{FileOp, RecordLatency};
use etalon_units::Nanos;

use super::super::files::log_names;
use super::super::latency_files;
use super::super::logs::Logs;
use super::layout::{ROW, cell};
use super::{parsed, run};

#[test]
fn a_workbook_that_is_no_file_is_refused_before_the_work() {
    let directory = tempfile::tempdir().unwrap();
    let at = |name: &str| directory.path().join(name);
    fs::write(at("kept"), "kept").unwrap();
    symlink("kept", at("link")).unwrap();
    let fifo = rustix::fs::FileType::Fifo;
    let mode = rustix::fs::Mode::RUSR | rustix::fs::Mode::WUSR;
    rustix::fs::mknodat(rustix::fs::CWD, at("fifo"), fifo, mode, 0).unwrap();
    for book in ["DIR/link", "DIR/fifo", "/dev/null"] {
        let line = format!("-s 64 -i 0 -f DIR/file -b {book} --runs 1");
        let ran = run(&line, directory.path());
        assert_eq!(ran.status, 4, "{book}: {}{}", ran.out, ran.err);
        let name = book.replace("DIR", &directory.path().to_string_lossy());
        assert!(ran.err.contains(&name), "{}", ran.err);
        assert_eq!(ran.out, "", "{book}");
    }
    assert_eq!(fs::read(at("kept")).unwrap(), b"kept");
}

#[test]
fn a_workbook_replaces_the_file_that_was_named_and_leaves_none_without_figures() {
    let directory = tempfile::tempdir().unwrap();
    let book = directory.path().join("book");
    fs::write(&book, "before").unwrap();
    let ran = run(
        "-s 64 -i 0 -f DIR/file -b DIR/book --runs 1",
        directory.path(),
    );
    assert_eq!(ran.status, 3, "{}{}", ran.out, ran.err);
    assert!(fs::read(&book).unwrap().starts_with(b"PK"));
    let ran = run(
        "-s 64 -i 1 -f DIR/absent -b DIR/other --runs 1",
        directory.path(),
    );
    assert_ne!(ran.status, 0);
    let text = "-s 64 -i 0 -f DIR/file -b DIR/absent/book --runs 1";
    assert_eq!(run(text, directory.path()).status, 1);
}

#[test]
fn logs_replace_nothing_but_themselves() {
    let directory = tempfile::tempdir().unwrap();
    let at = |name: &str| directory.path().join(name);
    let mut logs = Logs::in_directory(directory.path());
    logs.write("wol.dat", "first row").unwrap();
    logs.write("wol.dat", "second").unwrap();
    assert_eq!(fs::read(at("wol.dat")).unwrap(), b"second");
    let mut again = Logs::in_directory(directory.path());
    let error = again.write("wol.dat", "other").unwrap_err().to_string();
    assert!(error.contains("wol.dat' exists"), "{error}");
    symlink(at("secret"), at("rol.dat")).unwrap();
    assert!(again.write("rol.dat", "other").is_err());
    assert!(!at("secret").exists());
    assert_eq!(fs::read(at("wol.dat")).unwrap(), b"second");
}

/// So that the log of an earlier command on one file does not keep a group from being measured.
#[test]
fn a_group_has_logs_of_its_workers_alone() {
    let names = |line: &str| log_names(&parsed(line));
    assert_eq!(names("-i 0 -t 2"), [""; 0]);
    assert_eq!(names("-Q -i 0 -i 2"), ["wol.dat", "rwol.dat"]);
    assert_eq!(
        names("-Q -i 1 -l 1 -u 2"),
        [
            "Child_0_rol.dat",
            "Child_0_rrol.dat",
            "Child_1_rol.dat",
            "Child_1_rrol.dat"
        ]
    );
    assert_eq!(
        names("-Q -+T -+n -i 0 -t 2"),
        [
            "Child_0_wol.dat",
            "Child_0.log",
            "Child_1_wol.dat",
            "Child_1.log"
        ]
    );
}

/// Each record of each worker of a group is in the worker's own file, and of one file in the one.
#[test]
fn latencies_are_written_for_each_worker() {
    let latency = |offset| RecordLatency {
        offset,
        length: 4096,
        latency: Nanos::millis(1 + offset / 4096),
    };
    for (workers, names) in [
        (None, ["wol.dat"].as_slice()),
        (Some(2), &["Child_0_wol.dat", "Child_1_wol.dat"]),
    ] {
        let directory = tempfile::tempdir().unwrap();
        let mut cell = cell(FileOp::Write, ROW, workers, &vec![1; names.len()]);
        let passes = &mut cell.middle.as_mut().unwrap().passes;
        for (worker, pass) in (0..).zip(passes) {
            pass.latencies = vec![latency(worker * 4096)];
        }
        let mut logs = Logs::in_directory(directory.path());
        latency_files::write(&mut logs, &[cell]).unwrap();
        for (worker, name) in (0..).zip(names) {
            let text = fs::read_to_string(directory.path().join(name)).unwrap();
            let words: Vec<u64> = text.lines().nth(1).map_or(Vec::new(), |line| {
                let words = line.split_whitespace().map(str::parse);
                words.collect::<Result<_, _>>().unwrap()
            });
            assert_eq!(words, [worker * 4, 1000 * (worker + 1), 4096], "{text}");
        }
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), names.len());
    }
}

#[test]
fn every_chosen_operation_with_a_log_is_claimed() {
    use etalon_file_ops::FileOp::*;
    let names: Vec<&str> = latency_files::names(&[Write, Rewrite, RandomRead, Read]).collect();
    assert_eq!(names, ["wol.dat", "rwol.dat", "rol.dat"]);
}
