//! Filesystems that become full while a database works on them.

use std::fs;
use std::path::{Path, PathBuf};

use etalon_testbed::try_tool;

use crate::common::{Home, Mount, finish, left_in, root_for, start, wait_for, wait_while};

/// More rows than are written before the test has seen the first of them.
const ROWS: [&str; 4] = ["--runs", "1", "--set", "rows=300000"];

#[test]
fn a_filesystem_that_becomes_full_is_told_and_nothing_is_left() {
    if !root_for("a_filesystem_that_becomes_full_is_told_and_nothing_is_left") {
        return;
    }
    // A file that is there once the work has begun, and what is said beside. What a server says in its log hangs on
    // where it was when nothing more fitted; one that says nothing but waits is ended.
    for (engine, begun, said) in [
        ("sqlite", "etalon.db", "SQLite: "),
        // While the server is made, and once it answers.
        ("postgresql", "pg_wal", "the last lines of its log: "),
        ("postgresql", ".s.PGSQL.5432", "the last lines of its log: "),
        ("mariadb", "ib_logfile0", "the last lines of its log: "),
        ("mariadb", "socket", ""),
    ] {
        let (home, place) = (Home::new(), Mount::tmpfs(1024));
        let name = place.path().to_str().unwrap();
        let words = ["work", engine, name].into_iter().chain(ROWS);
        let child = start(home.etalon(words));
        wait_while(&child, "data", || find(place.path(), begun));
        fill(place.path());
        let ended = finish(child);
        let told = format!("{} {}", ended.out, ended.err).replace('\n', " ");
        let told = told.split_whitespace().collect::<Vec<_>>().join(" ");
        assert_ne!(ended.code, Some(0), "{engine}: {ended:?}");
        assert!(
            told.contains("is full: ") && told.contains(said),
            "{engine}: {told}"
        );
        assert_eq!(left_in(place.path()), [""; 0], "{engine}");
    }
}

/// Takes away all free space of a filesystem in memory; it may be growing meanwhile.
fn fill(place: &Path) {
    wait_for("a full filesystem", || {
        let stat = rustix::fs::statvfs(place).unwrap();
        let used = (stat.f_blocks - stat.f_bfree) * stat.f_frsize;
        let smaller = format!("remount,size={used}");
        try_tool("mount", &["-o", &smaller, place.to_str()?]).ok()
    });
}

fn find(place: &Path, name: &str) -> Option<PathBuf> {
    for entry in fs::read_dir(place).ok()?.flatten() {
        if entry.file_name() == name {
            return Some(entry.path());
        }
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        if let Some(found) = is_folder.then(|| find(&entry.path(), name)).flatten() {
            return Some(found);
        }
    }
    None
}
