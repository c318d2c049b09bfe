//! Signals that come early, twice, or are meant to be ignored, and files that may not grow.

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use rusqlite::Connection;
use rustix::process::{Pid, Signal, kill_process};

use crate::common::{
    Ground, Home, Said, finish, left_in, run, scratch_in, start, undisturbed, wait_for, wait_while,
};

fn send(child: &Child, signal: Signal) {
    let pid = Pid::from_raw(i32::try_from(child.id()).unwrap()).unwrap();
    kill_process(pid, signal).unwrap();
}

/// A line of `/proc/PID/status`; empty once the process has ended.
fn status(child: &Child, key: &str) -> String {
    let path = format!("/proc/{}/status", child.id());
    let text = fs::read_to_string(path).unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix(key));
    line.unwrap_or_default().trim().to_owned()
}

/// Whether the process has opened a file.
fn has_open(child: &Child, file: &Path) -> bool {
    let open = fs::read_dir(format!("/proc/{}/fd", child.id()));
    let mut open = open.into_iter().flatten().flatten();
    open.any(|entry| fs::read_link(entry.path()).is_ok_and(|link| link == file))
}

fn measure<'a>(ground: &'a Ground, time: &'a str) -> [&'a str; 8] {
    [
        "measure",
        ground.name(),
        "--op",
        "randread",
        "--file-size",
        "16M",
        "--time",
        time,
    ]
}

/// The store is locked, so that none of them gets any further.
#[test]
fn before_it_has_made_anything_a_signal_ends_it_with_130() {
    let (home, ground) = (Home::new(), Ground::new());
    home.run(measure(&ground, "50ms"));
    let holder = Connection::open(home.store()).unwrap();
    holder.execute_batch("BEGIN EXCLUSIVE").unwrap();
    let store = home.store().canonicalize().unwrap();
    for signal in [Signal::INT, Signal::TERM, Signal::HUP] {
        for words in [
            &measure(&ground, "50ms")[..],
            &["quick", ground.name()],
            &["metadata", ground.name()],
            &["list"],
            &["show", "1"],
            &["compare", "1", "2"],
            &["export", "1", "--csv"],
        ] {
            let child = start(home.etalon_that_hears(words));
            wait_while(&child, "the store", || {
                has_open(&child, &store).then_some(())
            });
            send(&child, signal);
            let said = finish(child);
            assert_eq!(said.code, Some(130), "{words:?}: {said:?}");
            assert_eq!(left_in(ground.path()), [""; 0]);
        }
    }
}

#[test]
fn a_worker_of_iozone_ends_with_130() {
    let home = Home::new();
    let mut command = home.etalon_that_hears(["iozone-worker"]);
    command.stdin(Stdio::piped());
    let mut child = start(command);
    // With the first bit of it read it waits for the rest; then its handlers stand.
    wait_while(&child, "a handler of SIGTERM", || {
        let caught = u64::from_str_radix(&status(&child, "SigCgt:"), 16).unwrap_or(0);
        let asleep = status(&child, "State:").starts_with('S');
        (asleep && caught >> (Signal::TERM.as_raw() - 1) & 1 == 1).then_some(())
    });
    send(&child, Signal::TERM);
    assert_eq!(child.wait().unwrap().code(), Some(130));
}

#[test]
fn a_hangup_that_is_ignored_from_the_beginning_stays_ignored() {
    let (home, ground) = (Home::new(), Ground::new());
    let mut command = Command::new("env");
    command.args(["--ignore-signal=HUP", env!("CARGO_BIN_EXE_etalon")]);
    let child = start(home.in_home(command, measure(&ground, "1s")));
    wait_while(&child, "the scratch directory", || {
        scratch_in(ground.path()).pop()
    });
    send(&child, Signal::HUP);
    let said = finish(child);
    assert!(matches!(said.code, Some(0 | 3)), "{said:?}");
    assert_eq!(home.experiments()[0]["state"], "finished");
}

/// Whether there is a file anywhere below a directory.
fn holds_a_file(directory: &Path) -> bool {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    entries
        .map(|entry| entry.path())
        .any(|path| path.is_file() || holds_a_file(&path))
}

/// As `timeout(1)` sends it: to the process, and to its group. Removing thousands of directories takes
/// so long that the second one comes in between.
#[test]
fn a_signal_that_comes_twice_at_once_is_one() {
    let (home, ground) = (Home::new(), Ground::new());
    let tree = "fdtree -l 4 -d 8 -f 2 -s 1 --runs 1000 -o"
        .split(' ')
        .chain([ground.name()]);
    let tree: Vec<&str> = tree.collect();
    for signal in [Signal::TERM, Signal::INT, Signal::HUP] {
        // Where the machine stood still between the two, the second one was another wish.
        let (said, _) = undisturbed(
            || {
                home.run(["restore"]);
                twice(&home, &ground, &tree, signal)
            },
            |(_, gap)| *gap > Duration::from_millis(500),
        );
        assert_eq!(said.code, Some(130), "{said:?}");
        assert_eq!(left_in(ground.path()), [""; 0]);
    }
}

/// What a command says that gets this signal twice, and the time between the two.
fn twice(home: &Home, ground: &Ground, words: &[&str], signal: Signal) -> (Said, Duration) {
    let child = start(home.etalon_that_hears(words));
    wait_while(&child, "the files", || {
        holds_a_file(ground.path()).then_some(())
    });
    let first = Instant::now();
    send(&child, signal);
    // Else the kernel makes one of the two.
    wait_while(&child, "its delivery", || {
        let pending = u64::from_str_radix(&status(&child, "ShdPnd:"), 16).unwrap_or(0);
        (pending == 0).then_some(())
    });
    send(&child, signal);
    let gap = first.elapsed();
    (finish(child), gap)
}

#[test]
fn whoever_insists_ends_it_at_once() {
    let (home, ground) = (Home::new(), Ground::new());
    // Nobody reads, so that it hangs in its first line and cannot end in order.
    let (_reader, mut writer) = std::io::pipe().unwrap();
    rustix::io::ioctl_fionbio(&writer, true).unwrap();
    while writer.write(&[0; 4096]).is_ok() {}
    rustix::io::ioctl_fionbio(&writer, false).unwrap();
    let mut command = home.etalon_that_hears(["watch", ground.name(), "--plain"]);
    let mut child = command.stdout(writer).spawn().unwrap();
    wait_while(&child, "somebody who listens", || {
        let threads = status(&child, "Threads:");
        (threads.parse::<u32>().unwrap_or(0) > 1).then_some(())
    });
    let ended = wait_for("its end", || {
        send(&child, Signal::TERM);
        thread::sleep(Duration::from_millis(100));
        child.try_wait().unwrap()
    });
    assert_eq!(ended.code(), Some(130));
}

/// Runs the program with files that may not grow past some KiB.
fn with_file_limit(home: &Home, kib: u32, words: &[&str]) -> Said {
    let mut command = Command::new("prlimit");
    let bytes = u64::from(kib) << 10;
    command.arg(format!("--fsize={bytes}:{bytes}"));
    command.args(["env", "--default-signal", env!("CARGO_BIN_EXE_etalon")]);
    run(home.in_home(command, words))
}

#[test]
fn a_limit_of_file_size_is_told_and_kills_nothing() {
    let ground = Ground::new();
    let file = format!("{}/file", ground.name());
    let copy = format!("of={}/copy", ground.name());
    for words in [
        &measure(&ground, "100ms")[..],
        &["quick", ground.name(), "--budget", "20s"],
        &[
            "metadata",
            ground.name(),
            "--files",
            "2",
            "--depth",
            "1",
            "--file-size",
            "1M",
            "--runs",
            "1",
        ],
        &[
            "work",
            "archive",
            ground.name(),
            "--set",
            "size=4M",
            "--runs",
            "1",
        ],
        &[
            "iozone", "-i", "0", "-s", "4m", "-r", "64k", "-f", &file, "--runs", "1",
        ],
        &[
            "fdtree",
            "-l",
            "1",
            "-d",
            "1",
            "-f",
            "1",
            "-s",
            "512",
            "-o",
            ground.name(),
        ],
        &["dd", "if=/dev/zero", "bs=1M", "count=4", &copy],
    ] {
        let said = with_file_limit(&Home::new(), 600, words);
        assert!(matches!(said.code, Some(1 | 3)), "{words:?}: {said:?}");
        let told = format!("{}{}", said.out, said.err);
        assert!(
            told.contains("File too large") || told.contains("file size"),
            "{words:?}: {told}"
        );
        let _ = fs::remove_file(ground.path().join("copy"));
        assert_eq!(left_in(ground.path()), [""; 0], "{words:?}");
    }
    let store = with_file_limit(&Home::new(), 1, &measure(&ground, "100ms"));
    assert_eq!(store.code, Some(1), "{store:?}");
    store.complaint();
}
