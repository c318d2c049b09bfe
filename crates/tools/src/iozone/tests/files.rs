//! What is written beside the measured files, and what is refused for it.

use std::fs;
use std::os::unix::fs::symlink;

use super::super::latency_files;
use super::super::logs::Logs;
use super::run;

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

#[test]
fn every_chosen_operation_with_a_log_is_claimed() {
    use etalon_file_ops::FileOp::*;
    let names: Vec<&str> = latency_files::names(&[Write, Rewrite, RandomRead, Read]).collect();
    assert_eq!(names, ["wol.dat", "rwol.dat", "rol.dat"]);
}
