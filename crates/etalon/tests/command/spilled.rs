//! What a database spills lies on the target: elsewhere it would be other storage that is measured.

use std::fs;
use std::path::PathBuf;

use crate::common::{Ground, Home, left_in, start, wait_for};

#[test]
fn what_sqlite_spills_lies_on_the_target() {
    let (home, ground) = (Home::new(), Ground::new());
    let words = ["work", "sqlite", ground.name(), "--runs", "6"];
    let mut child = start(home.etalon(words));
    let mut found = None;
    wait_for("a file that was spilled, or an end", || {
        found = spilled_by(child.id());
        (found.is_some() || child.try_wait().unwrap().is_some()).then_some(())
    });
    child.kill().unwrap();
    child.wait().unwrap();
    let spilled = found.expect("nothing was spilled");
    let target = fs::canonicalize(ground.path()).unwrap();
    assert!(spilled.starts_with(&target), "{}", spilled.display());
    assert_eq!(home.run(["restore"]).code, Some(0));
    assert_eq!(left_in(ground.path()), [""; 0]);
}

/// An open file of that process without a name (O_TMPFILE), as SQLite makes for what it spills.
fn spilled_by(process: u32) -> Option<PathBuf> {
    let open = fs::read_dir(format!("/proc/{process}/fd")).ok()?.flatten();
    let mut files = open.filter_map(|entry| fs::read_link(entry.path()).ok());
    files.find(|file| {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        name.starts_with('#') && name.ends_with(" (deleted)")
    })
}
