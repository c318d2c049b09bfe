//! Signals at bad moments, limits of the process, and what it may not hand on by a mask of zero.

use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::process::{Child, Command};
use std::thread;
use std::time::{Duration, Instant};

use etalon_testbed::wait_for;
use rustix::process::{Pid, Signal, kill_process};

use crate::common::{Ground, Home, finish, names_in, program, run, start};
use crate::dangers::none;

fn send(child: &Child, signal: Signal) {
    let pid = Pid::from_raw(i32::try_from(child.id()).unwrap()).unwrap();
    // It may have ended by itself.
    let _ = kill_process(pid, signal);
}

fn words(line: &str, ground: &Ground) -> Vec<String> {
    let words = line
        .split(' ')
        .map(|word| word.replace("{}", ground.name()));
    words.collect()
}

/// A shell that does something first, and then is the program.
fn after(home: &Home, first: &str, line: &str, ground: &Ground) -> Command {
    let mut command = Command::new("sh");
    command
        .arg("-c")
        .arg(format!("{first}; exec \"$0\" \"$@\""))
        .arg(program());
    home.in_home(command, words(line, ground))
}

/// Waits until something lies in a directory, which an ended program would never put there.
fn wait_for_files(ground: &Ground) {
    wait_for("a file", || names_in(ground.path()).pop());
}

/// Commands that make files and go on for a minute.
#[rustfmt::skip]
const LONG: &[&str] = &[
    "measure {} --op randread -s 1M --time 60s",
    "metadata {} --files 200 --runs 1000000",
    "together --runs 30 --time 30s -- {} --op randread -s 1M -- {} --op write -s 1M",
    "quick {} --budget 60s",
    "iozone -i 0 -i 2 -s 1m -r 4 -f {}/file --runs 1000",
    "iozone -t 2 -i 0 -i 2 -s 1m -r 4 -F {}/one {}/two --runs 1000",
    "fdtree -o {} -l 3 -d 8 -f 20 -s 1 --runs 1000",
];

#[test]
fn a_signal_in_the_first_tenth_of_a_second_leaves_nothing() {
    let mut faults = Vec::new();
    for line in LONG {
        let (home, ground) = (Home::new(), Ground::new());
        for (index, wait_ms) in [0, 1, 2, 3, 5, 8, 12, 20, 35, 60, 99]
            .into_iter()
            .enumerate()
        {
            let child = start(home.etalon(words(line, &ground)));
            thread::sleep(Duration::from_millis(wait_ms));
            send(&child, [Signal::TERM, Signal::INT][index % 2]);
            let said = finish(child);
            // Before its first instruction nobody can hear a signal; then nothing was made either.
            let unheard = said.signal.is_some() && said.out.is_empty();
            let left = names_in(ground.path());
            if !(said.code == Some(130) || unheard) || !left.is_empty() {
                faults.push(format!(
                    "{line} after {wait_ms} ms: left {left:?}: {said:?}"
                ));
                home.run(["restore"]);
            }
        }
        let restored = home.run(["restore"]);
        if restored.out() != "nothing was left behind\n" {
            faults.push(format!("{line}: {restored:?}"));
        }
    }
    none(&faults);
}

#[test]
fn the_same_signal_twice_at_once_counts_once() {
    let mut faults = Vec::new();
    for line in LONG {
        for signal in [Signal::TERM, Signal::INT] {
            faults.extend(twice(line, signal));
        }
    }
    none(&faults);
}

/// What is wrong after a signal that came twice.
fn twice(line: &str, signal: Signal) -> Option<String> {
    // A stall of the machine between the two makes the second another wish.
    for _ in 0..5 {
        let (home, ground) = (Home::new(), Ground::new());
        let child = start(home.etalon(words(line, &ground)));
        wait_for_files(&ground);
        let first = Instant::now();
        send(&child, signal);
        send(&child, signal);
        let at_once = first.elapsed() < Duration::from_millis(500);
        let said = finish(child);
        let left = names_in(ground.path());
        if at_once {
            let wrong = said.code != Some(130) || !left.is_empty();
            return wrong.then(|| format!("{line}: left {left:?}: {said:?}"));
        }
    }
    Some(format!("{line}: the machine stood still five times"))
}

/// Whether the kernel throws a signal away before the program could hear it (proc_pid_status(5)).
fn is_ignored(child: &Child, signal: Signal) -> bool {
    let text = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
    let mask = text.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_some_and(|mask| mask >> (signal.as_raw() - 1) & 1 == 1)
}

#[test]
fn a_hang_up_that_was_ignored_stays_ignored() {
    let mut faults = Vec::new();
    for line in LONG {
        let (home, ground) = (Home::new(), Ground::new());
        let mut child = start(after(&home, "trap '' HUP", line, &ground));
        wait_for_files(&ground);
        send(&child, Signal::HUP);
        if !is_ignored(&child, Signal::HUP) {
            // Had it been heard, it would end within this time, or a little later where the machine is slow.
            thread::sleep(Duration::from_secs(1));
        }
        let alive = child.try_wait().unwrap().is_none();
        send(&child, Signal::TERM);
        let said = finish(child);
        if !alive || said.code != Some(130) {
            faults.push(format!("{line}: {said:?}"));
        }
    }
    none(&faults);
}

#[test]
fn a_limit_on_the_size_of_files_is_an_error() {
    let mut faults = Vec::new();
    for line in [
        "measure {} --op write -s 8M --time 200ms",
        "measure {} --op randread -s 8M --time 200ms",
        "dd if=/dev/zero of={}/out bs=64k count=200",
        "iozone -i 0 -s 8m -r 64 -f {}/file --runs 1",
        "iozone -t 2 -i 0 -s 8m -r 64 -F {}/one {}/two --runs 1",
        "fdtree -o {} -l 1 -d 1 -f 1 -s 1000",
        "metadata {} --files 2 --depth 1 --breadth 1 --file-size 8M --runs 1",
        "quick {} --budget 20s",
    ] {
        let (home, ground) = (Home::new(), Ground::new());
        // In blocks of 512 bytes.
        let said = run(after(&home, "ulimit -f 2048", line, &ground));
        let mut left = names_in(ground.path());
        left.retain(|name| name != "out");
        if !said.ended(&[1, 3]) || !left.is_empty() {
            faults.push(format!("{line}: left {left:?}: {said:?}"));
        }
    }
    none(&faults);
}

#[test]
fn private_files_are_private_under_a_mask_of_zero() {
    let (home, ground) = (Home::new(), Ground::new());
    let line = "measure {} --op randread -s 1M --time 60s";
    let mut child = start(after(&home, "umask 0", line, &ground));
    wait_for_files(&ground);
    let measured = run(after(&home, "umask 0", "list", &ground));
    assert!(measured.is_orderly(), "{measured:?}");
    // Whatever is there by now, and all of it once the command has ended.
    let mut open = open_below(ground.path());
    child.kill().unwrap();
    child.wait().unwrap();
    open.extend(open_below(ground.path()));
    let short = "measure {} --op read -s 64k --time 20ms";
    let said = run(after(&home, "umask 0", short, &ground));
    assert!(said.ended(&[0, 3]), "{said:?}");
    open.extend(open_to_others(&home.path().join("state")));
    for name in names_in(home.path()) {
        if name.to_string_lossy().starts_with("store.sqlite") {
            open.extend(open_to_others(&home.path().join(name)));
        }
    }
    none(&open);
}

/// Everything in a directory that others may read or write.
fn open_below(directory: &Path) -> Vec<String> {
    let names = names_in(directory).into_iter();
    names
        .flat_map(|name| open_to_others(&directory.join(name)))
        .collect()
}

fn open_to_others(path: &Path) -> Vec<String> {
    let mut open = open_below(path);
    let found = fs::symlink_metadata(path).ok();
    if let Some(found) = found.filter(|found| found.mode() & 0o077 != 0 && !found.is_symlink()) {
        let mode = found.mode() & 0o7777;
        open.push(format!("{} has mode {mode:o}", path.display()));
    }
    open
}
