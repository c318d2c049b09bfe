//! Limits of the process and of the kernel that are too low.

use std::os::unix::fs::chown;
use std::path::Path;
use std::process::Command;

use crate::common::{
    Ground, Home, Mount, NOBODY, ROWS, SHORT, Said, in_time, measured_or_dropped, public_binary,
    root_for, run, short_check,
};

/// Runs the program as `nobody` under limits, with words behind it.
fn limited(home: &Home, limit: &str, words: &[&str]) -> Said {
    let mut command = Command::new("prlimit");
    command
        .arg(limit)
        .args([
            "setpriv",
            "--reuid=65534",
            "--regid=65534",
            "--clear-groups",
        ])
        .arg(public_binary());
    run(home.in_home(command, words))
}

/// A filesystem whose top belongs to `nobody`.
fn of_nobody() -> Mount {
    let mount = Mount::tmpfs(256);
    chown(mount.path(), Some(NOBODY), Some(NOBODY)).unwrap();
    mount
}

fn deep(place: &Path) -> Vec<&str> {
    let place = place.to_str().unwrap();
    vec![
        "measure",
        place,
        "--op",
        "randread",
        "--queue-depth",
        "32",
        "--file-size",
        "16M",
        "--time",
        "300ms",
        "--json",
    ]
}

#[test]
fn without_lockable_memory_it_measures_and_says_what_it_did_without() {
    if !root_for("without_lockable_memory_it_measures_and_says_what_it_did_without") {
        return;
    }
    let (home, mount) = (Home::of_nobody(), of_nobody());
    let said = limited(&home, "--memlock=0:0", &deep(mount.path()));
    assert!(matches!(said.code, Some(0 | 3)), "{said:?}");
    let cell = said.json()["cells"][0].clone();
    assert!(cell["operations"].as_u64().unwrap() > 0, "{said:?}");
    let place = mount.path().to_str().unwrap();
    let quick = in_time(&["quick", place, "--budget", SHORT], |words| {
        limited(&home, "--memlock=0:0", words)
    });
    assert!(matches!(quick.code, Some(0 | 3)), "{quick:?}");
}

#[test]
fn too_few_open_files_are_named_with_the_limit() {
    let (home, ground) = (Home::new(), Ground::new());
    let with = |jobs: &str| {
        let mut command = Command::new("prlimit");
        command.args(["--nofile=80:80", env!("CARGO_BIN_EXE_etalon")]);
        let words = [
            "measure",
            ground.name(),
            "--op",
            "randread",
            "--jobs",
            jobs,
            "--file-size",
            "64k",
            "--time",
            "100ms",
        ];
        run(home.in_home(command, words))
    };
    let many = with("64");
    many.refused(1, &["open files", "80", "ulimit -Hn"]);
    let few = with("1");
    assert!(matches!(few.code, Some(0 | 3)), "{few:?}");
}

#[test]
fn sixteen_open_files_never_crash_a_quick_check() {
    let (home, ground) = (Home::new(), Ground::new());
    let check = ["quick", ground.name(), "--budget", SHORT];
    let said = in_time(&check, |words| {
        let mut command = Command::new("prlimit");
        command.args(["--nofile=16:16", env!("CARGO_BIN_EXE_etalon")]);
        run(home.in_home(command, words))
    });
    match said.code {
        Some(1) => assert!(said.complaint().contains("open files"), "{said:?}"),
        code => assert!(matches!(code, Some(0 | 3)), "{said:?}"),
    }
}

#[test]
fn without_io_uring_threads_do_it_and_it_is_said() {
    if !root_for("without_io_uring_threads_do_it_and_it_is_said") {
        return;
    }
    let (home, mount) = (Home::of_nobody(), of_nobody());
    let place = mount.path().to_str().unwrap();
    let check = short_check(place);
    let (said, quick) = std::thread::scope(|scope| {
        // The filter is this thread's, and that of what it starts.
        let filtered = scope.spawn(|| {
            etalon_testbed::refuse_io_uring();
            let limited = |words: &[&str]| limited(&home, "--nofile=1024", words);
            [&deep(mount.path())[..], &check].map(|words| in_time(words, limited))
        });
        filtered.join().unwrap().into()
    });
    assert!(matches!(said.code, Some(0 | 3)), "{said:?}");
    let cell = said.json()["cells"][0].clone();
    assert_eq!(cell["backend"], "sync", "{said:?}");
    let findings = cell["findings"].as_array().unwrap();
    let refused = findings.iter().any(|f| f["code"] == "io-uring-refused");
    assert!(refused, "{said:?}");
    assert!(matches!(quick.code, Some(0 | 3)), "{quick:?}");
    let document = quick.json();
    assert_eq!(measured_or_dropped(&document, &ROWS), ROWS);
    let choices = document["choices"].to_string();
    assert!(choices.contains("The kernel refused io_uring"), "{choices}");
}
