//! Two at once on what shares a device.

use std::fs;
use std::os::unix::fs::{FileTypeExt as _, MetadataExt as _};
use std::path::Path;
use std::process::Child;

use etalon_model::{ExperimentState, Run};
use etalon_store::Store;

use crate::common::{
    Ground, Home, Image, Loop, Mount, NOBODY, finish, root_for, start, wait_for, wait_while,
};

/// The name of a target's lock: a socket of that name (`unix(7)`).
fn lock_of(target: &str) -> String {
    let meta = fs::metadata(target).unwrap();
    let device = match meta.file_type().is_block_device() {
        true => meta.rdev(),
        false => meta.dev(),
    };
    format!("etalon/target/{device:#x}")
}

fn wait_until_held(child: &Child, target: &str) {
    let name = format!("@{}", lock_of(target));
    wait_while(child, "the lock", || {
        let sockets = fs::read_to_string("/proc/net/unix").unwrap();
        let mut lines = sockets.lines();
        lines.any(|line| line.ends_with(&name)).then_some(())
    });
}

/// A measurement that has the lock of `target`, and takes so long.
fn first_on(home: &Home, target: &str, time: &str) -> Child {
    let words = ["measure", target, "--op", "randread", "--runs", "1"];
    let first = start(home.etalon([&words[..], &["--time", time]].concat()));
    wait_until_held(&first, target);
    first
}

fn kill(mut child: Child) {
    child.kill().unwrap();
    child.wait().unwrap();
}

/// Every kind that works on `target` refuses while the first measures.
fn all_are_refused(first: &Child, target: &str) {
    let pid = format!("process {}", first.id());
    let file = format!("{target}/file");
    let mut ways = vec![
        vec!["measure", target, "--op", "randread", "--time", "50ms"],
        vec!["quick", target, "--budget", "5s"],
        vec!["passport", target],
        vec![
            "together", "--", target, "--op", "read", "--", target, "--op", "read",
        ],
    ];
    let output = format!("of={file}");
    match Path::new(target).is_dir() {
        true => ways.extend([
            vec!["metadata", target],
            vec!["work", "copy-tree", target],
            vec!["iozone", "-i", "0", "-s", "64", "-f", &file],
            vec!["fdtree", "-l", "1", "-d", "1", "-f", "1", "-o", target],
            vec!["dd", "if=/dev/zero", &output, "count=1", "--runs", "1"],
        ]),
        false => ways.push(vec!["hdparm", "-t", target]),
    }
    for words in ways {
        let said = Home::new().run(&words);
        said.refused(6, &["another etalon", &pid, "measure", "--wait"]);
    }
}

#[test]
fn the_second_on_a_filesystem_is_refused_and_told_by_whom() {
    let ground = Ground::new();
    let below = ground.path().join("below");
    fs::create_dir(&below).unwrap();
    let home = Home::new();
    let first = first_on(&home, ground.name(), "600s");
    all_are_refused(&first, below.to_str().unwrap());
    kill(first);
}

#[test]
fn a_mount_and_the_devices_beneath_it_are_not_measured_at_once() {
    if !root_for("a_mount_and_the_devices_beneath_it_are_not_measured_at_once") {
        return;
    }
    let disk = Loop::new(Image::new(64));
    let device = disk.device.to_str().unwrap();
    let mount = Mount::of_device("ext4", &disk.device);
    let place = mount.path().to_str().unwrap();
    let upper = Loop::new(Image::full_in(mount.path(), 16));
    let home = Home::new();
    for measured in [device, place, upper.device.to_str().unwrap()] {
        let first = first_on(&home, measured, "600s");
        all_are_refused(&first, device);
        all_are_refused(&first, place);
        kill(first);
    }
}

#[test]
fn two_disks_are_measured_at_once() {
    if !root_for("two_disks_are_measured_at_once") {
        return;
    }
    let disks = [(); 2].map(|()| Loop::new(Image::new(32)));
    let [one, other] = disks.each_ref().map(|disk| disk.device.to_str().unwrap());
    let home = Home::new();
    let first = first_on(&home, one, "600s");
    let said = Home::new().run(["measure", other, "--op", "randread", "--time", "50ms"]);
    assert!(matches!(said.code, Some(0 | 3)), "{said:?}");
    kill(first);
}

#[test]
fn who_waits_says_for_whom_and_begins_when_the_other_was_killed() {
    let ground = Ground::new();
    let home = Home::new();
    let first = first_on(&home, ground.name(), "600s");
    let pid = format!("process {}", first.id());
    let file = format!("{}/file", ground.name());
    let measure = [
        "measure",
        ground.name(),
        "--op",
        "read",
        "-s",
        "64k",
        "--time",
        "50ms",
        "--wait",
    ];
    let iozone = [
        "iozone", "-i", "0", "-s", "64", "-f", &file, "--runs", "1", "--wait",
    ];
    let homes = [Home::new(), Home::new()];
    let mut waiting: Vec<Child> = homes
        .iter()
        .zip([&measure[..], &iozone[..]])
        .map(|(home, words)| start(home.etalon(words)))
        .collect();
    let words: Vec<_> = waiting
        .iter_mut()
        .map(|child| first_lines(child, "waiting"))
        .collect();
    kill(first);
    for (child, said) in waiting.into_iter().zip(words) {
        assert!(said.contains(&pid), "{said}");
        let said = finish(child);
        assert!(matches!(said.code, Some(0 | 3)), "{said:?}");
    }
}

#[test]
fn who_waits_adds_no_runs_to_what_others_went_on_with_meanwhile() {
    let (home, other, ground) = (Home::new(), Home::new(), Ground::new());
    let made = "--op randread -s 64k --time 50ms --runs 2".split(' ');
    let said = home.run(["measure", ground.name()].into_iter().chain(made));
    assert!(matches!(said.code, Some(0 | 3)), "{said:?}");
    let first = first_on(&other, ground.name(), "600s");
    let mut waiting = start(home.etalon(["continue", "1", "--runs", "1", "--wait"]));
    first_lines(&mut waiting, "waiting");
    let mut store = Store::open(&home.store()).unwrap();
    let last = store.experiment(1).unwrap().runs.pop().unwrap();
    let (block, position) = (last.block + 1, last.position + 1);
    let added = Run {
        block,
        position,
        ..last
    };
    store.append_run(1, &added).unwrap();
    kill(first);
    finish(waiting).refused(1, &["experiment 1", "has changed meanwhile"]);
    let kept = store.experiment(1).unwrap();
    assert_eq!(kept.runs.last(), Some(&added));
    assert_eq!(kept.header.state, ExperimentState::Finished);
}

/// What the program says until a line holds `word`.
pub(crate) fn first_lines(child: &mut Child, word: &str) -> String {
    use std::io::Read as _;
    let pipe = child.stderr.as_mut().unwrap();
    let mut said = Vec::new();
    wait_for(word, || {
        let mut byte = [0];
        pipe.read_exact(&mut byte).unwrap();
        said.extend(byte);
        let text = String::from_utf8_lossy(&said);
        (text.contains(word) && text.ends_with('\n')).then(|| text.into_owned())
    })
}

#[test]
fn a_signal_ends_the_wait() {
    let ground = Ground::new();
    let home = Home::new();
    let first = first_on(&home, ground.name(), "600s");
    let waits = Home::new();
    let measure = ["measure", ground.name(), "--op", "read", "--wait"];
    let mut child = start(waits.etalon_that_hears(measure));
    first_lines(&mut child, "waiting");
    let pid = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(pid, rustix::process::Signal::INT).unwrap();
    let said = finish(child);
    assert_eq!(said.code, Some(130), "{said:?}");
    kill(first);
}

#[test]
fn a_stranger_cannot_keep_root_from_its_work() {
    if !root_for("a_stranger_cannot_keep_root_from_its_work") {
        return;
    }
    let ground = Ground::new();
    let own = ground.path().join("own");
    fs::create_dir(&own).unwrap();
    std::os::unix::fs::chown(&own, Some(NOBODY), Some(NOBODY)).unwrap();
    let place = own.to_str().unwrap();
    let home = Home::of_nobody();
    let words = [
        "measure", place, "--op", "read", "-s", "64k", "--time", "600s",
    ];
    let mut stranger = start(home.etalon_of_nobody(words));
    wait_until_held(&stranger, place);
    let words = [
        "measure",
        ground.name(),
        "--op",
        "read",
        "-s",
        "64k",
        "--time",
        "50ms",
    ];
    let said = Home::new().run(words);
    assert!(matches!(said.code, Some(0 | 3)), "{said:?}");
    let holder = format!("process {} of user 65534", stranger.id());
    assert!(said.err.contains(&holder), "{said:?}");
    stranger.kill().unwrap();
    stranger.wait().unwrap();
}
