//! Kills at random moments of a plan that changes the machine: it is put back, and the plan is gone on
//! with, no run lost or doubled.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use etalon_testbed::kept_runs;
use rustix::process::{Pid, Signal, kill_process};

use crate::common::{Home, Mount, left_in, root_for, start};

/// So many kills in CI; `ETALON_PLAN_KILLS` asks for more.
const KILLS: u32 = 6;
const BLOCKS: usize = 6;

const PLAN: &str = r#"
question = "Is it put back?"
blocks = 6
seed = 9
[[factor]]
name = "nr_requests"
levels = [33]
[[factor]]
name = "scheduler"
levels = ["none", "mq-deadline"]
[[factor]]
name = "mount"
levels = ["relatime", "noatime"]
[[factor]]
name = "sysctl"
levels = ["kernel.printk_ratelimit_burst=11"]
[[factor]]
name = "read_ahead_kb"
levels = [64]
[[factor]]
name = "io_limit"
levels = ["1G"]
[[workload]]
name = "r"
op = "randread"
file_size = "1M"
time = "20ms"
"#;

/// Everything that the plan changes.
fn state(mount: &Mount) -> BTreeMap<PathBuf, String> {
    let place = mount.path().to_str().unwrap();
    let output = Command::new("findmnt")
        .args(["-n", "-o", "SOURCE,OPTIONS", place])
        .output();
    let line = String::from_utf8(output.unwrap().stdout).unwrap();
    let device = line.split_whitespace().next().unwrap().replace("/dev/", "");
    let queue = format!("/sys/block/{device}/queue");
    let mut state = BTreeMap::from([(PathBuf::from("mount"), line)]);
    for entry in fs::read_dir(queue).unwrap().flatten() {
        if let Ok(text) = fs::read_to_string(entry.path()) {
            state.insert(entry.path(), text);
        }
    }
    let burst = Path::new("/proc/sys/kernel/printk_ratelimit_burst");
    state.insert(burst.to_owned(), fs::read_to_string(burst).unwrap());
    state
}

fn groups_of(token: &str) -> bool {
    Path::new("/sys/fs/cgroup/blkio")
        .join(format!("etalon-{token}"))
        .exists()
}

fn tokens(home: &Home) -> Vec<String> {
    let journal = home.path().join("state/etalon/journal");
    let names = fs::read_dir(journal).into_iter().flatten().flatten();
    names
        .filter_map(|entry| Some(entry.path().file_stem()?.to_str()?.to_owned()))
        .filter(|name| name != "lock")
        .collect()
}

/// Levels that are made: a disk, a filesystem on it, and its mount.
const MADE: &str = r#"
question = "Is it taken away?"
blocks = 3
seed = 9
[[factor]]
name = "disk"
levels = [{ value = "loop-file", size = "24MiB", count = 1 }, { value = "loop-memory", size = "24MiB", count = 1 }ZRAM]
[[factor]]
name = "filesystem"
levels = ["ext4", { value = "ext4", options = "-O ^has_journal", mount = "noatime" }]
[[factor]]
name = "read_ahead_kb"
levels = [64, 128]
[[workload]]
name = "r"
op = "randread"
file_size = "1M"
time = "20ms"
"#;

/// So many kills in CI, or as many as `ETALON_PLAN_KILLS` says.
fn kills(usual: u32) -> u32 {
    let asked = std::env::var("ETALON_PLAN_KILLS").ok();
    asked.and_then(|text| text.parse().ok()).unwrap_or(usual)
}

fn is_open(home: &Home) -> bool {
    home.store().exists()
        && home
            .experiments()
            .last()
            .is_some_and(|e| e["state"] != "finished")
}

/// Begins a plan, or goes on with it, and kills it after a while.
fn kill(home: &Home, (plan, place): (&str, &str), number: u32) {
    let words = match is_open(home) {
        true => vec!["resume"],
        false => vec!["run", plan, place],
    };
    let mut child = start(home.etalon(words));
    std::thread::sleep(moment(number));
    let signal = [Signal::KILL, Signal::TERM, Signal::INT][number as usize % 3];
    let _ = kill_process(Pid::from_child(&child), signal);
    child.wait().unwrap();
}

/// Carries the plan out to its end, and counts its runs.
fn end(home: &Home, (plan, place): (&str, &str), runs: usize) {
    let said = match is_open(home) {
        true => home.run(["resume"]),
        false => home.run(["run", plan, place]),
    };
    assert!(matches!(said.code, Some(0 | 3)), "{said:?}");
    let last = home.experiments().last().unwrap()["id"].to_string();
    let mut made = super::cells(&home.run(["export", &last, "--json"]).json());
    assert_eq!(made.len(), runs, "LOST: runs, or doubled: {made:?}");
    made.sort();
    made.dedup();
    assert_eq!(made.len(), runs, "LOST: runs, or doubled: {made:?}");
}

#[test]
fn a_plan_that_is_killed_leaves_the_machine_as_it_was_and_is_gone_on_with() {
    if !root_for("a_plan_that_is_killed_leaves_the_machine_as_it_was_and_is_gone_on_with") {
        return;
    }
    let (home, mount) = (Home::new(), Mount::image("ext4", 64, "rw"));
    let plan = super::plan(&home, PLAN);
    let place = mount.path().to_str().unwrap().to_owned();
    let before = state(&mount);
    let empty = left_in(mount.path());
    for number in 0..kills(KILLS) {
        kill(&home, (&plan, &place), number);
        let left = tokens(&home);
        let restored = home.run(["restore"]);
        assert_eq!(restored.code, Some(0), "after kill {number}: {restored:?}");
        assert_eq!(state(&mount), before, "after kill {number}: {restored:?}");
        assert_eq!(left_in(mount.path()), empty, "after kill {number}");
        assert!(
            !left.iter().any(|token| groups_of(token)),
            "after kill {number}"
        );
    }
    end(&home, (&plan, &place), 4 * BLOCKS);
    assert_eq!(state(&mount), before);
}

/// What the kernel has of the plan's making: loop devices and mounts that name its directory, and zram by the numbers in the
/// journal.
fn made(mount: &Mount, disks: &[(u64, String)]) -> Vec<String> {
    let place = mount.path().to_str().unwrap();
    let mounts = fs::read_to_string("/proc/self/mountinfo").unwrap();
    let within = format!("{place}/");
    let mut made: Vec<String> = mounts
        .lines()
        .filter(|line| line.contains(&within))
        .map(str::to_owned)
        .collect();
    for entry in fs::read_dir("/sys/block").unwrap().flatten() {
        let file = fs::read_to_string(entry.path().join("loop/backing_file"));
        made.extend(file.ok().filter(|file| file.contains(&within)));
    }
    for (index, sequence) in disks {
        let now = fs::read_to_string(format!("/sys/block/zram{index}/diskseq"));
        made.extend(now.ok().filter(|now| now.trim() == sequence));
    }
    made
}

/// The zram devices that the journal names, with the numbers of their disks.
fn zram_in_journal(home: &Home) -> Vec<(u64, String)> {
    let journal = home.path().join("state/etalon/journal");
    let files = fs::read_dir(journal).into_iter().flatten().flatten();
    let mut found = Vec::new();
    for file in files {
        let text = fs::read_to_string(file.path()).unwrap_or_default();
        let value: serde_json::Value = serde_json::from_str(&text).unwrap_or_default();
        zrams(&value, &mut found);
    }
    found
}

fn zrams(value: &serde_json::Value, found: &mut Vec<(u64, String)>) {
    if let (Some(index), Some(sequence)) = (value["index"].as_u64(), value["diskseq"].as_str()) {
        found.push((index, sequence.to_owned()));
    }
    let inner = value.as_object().into_iter().flat_map(|map| map.values());
    let items = value.as_array().into_iter().flatten();
    inner.chain(items).for_each(|inner| zrams(inner, found));
}

#[test]
fn what_a_killed_plan_has_made_is_taken_away_and_the_plan_is_gone_on_with() {
    if !root_for("what_a_killed_plan_has_made_is_taken_away_and_the_plan_is_gone_on_with") {
        return;
    }
    let zram = match Path::new("/sys/class/zram-control").exists() {
        true => ", { value = \"zram\", size = \"24MiB\", count = 1 }",
        false => "",
    };
    let disks = if zram.is_empty() { 2 } else { 3 };
    let (home, mount) = (Home::new(), Mount::tmpfs(256));
    let plan = super::plan(&home, &MADE.replace("ZRAM", zram));
    let place = mount.path().to_str().unwrap().to_owned();
    for number in 0..kills(3) {
        kill(&home, (&plan, &place), number);
        let zrams = zram_in_journal(&home);
        let restored = home.run(["restore"]);
        assert_eq!(restored.code, Some(0), "after kill {number}: {restored:?}");
        let none: [String; 0] = [];
        assert_eq!(
            made(&mount, &zrams),
            none,
            "after kill {number}: {restored:?}"
        );
        assert_eq!(
            left_in(mount.path()),
            none,
            "after kill {number}: {restored:?}"
        );
        assert_eq!(tokens(&home), none, "after kill {number}: {restored:?}");
    }
    end(&home, (&plan, &place), 3 * disks * 4);
    let none: [String; 0] = [];
    assert_eq!(
        (made(&mount, &[]), left_in(mount.path())),
        (none.to_vec(), none.to_vec())
    );
}

#[test]
fn a_plan_that_was_changed_meanwhile_is_noticed() {
    let (home, ground) = (Home::new(), crate::common::Ground::new());
    let slow = super::FAKE.replace("20ms", "300ms");
    let plan = super::plan(&home, &slow);
    let mut child = start(home.etalon(["run", &plan, ground.name()]));
    crate::common::wait_while(&child, "a first run", || {
        (kept_runs(&home.store()) > 0).then_some(())
    });
    child.kill().unwrap();
    child.wait().unwrap();
    super::plan(&home, &slow.replace("seed = 5", "seed = 6"));
    let said = home.run(["resume"]);
    said.refused(2, &["was changed since experiment 1", "--as-begun"]);
    let said = home.run(["resume", "--as-begun"]);
    assert!(matches!(said.code, Some(0 | 3)), "{said:?}");
    assert_eq!(
        super::cells(&home.run(["export", "1", "--json"]).json()).len(),
        12
    );
}

#[test]
fn what_is_to_be_done_after_all_else_is_done_after_a_kill_too() {
    let (home, ground) = (Home::new(), crate::common::Ground::new());
    let file = |name: &str| home.path().join(name);
    let commands = format!(
        "setup = [\"touch {}\"]\ncleanup = [\"touch {}\", \"rm {}\"]\n[[factor]]",
        file("set-up").display(),
        file("cleaned").display(),
        file("set-up").display()
    );
    // The modelled device takes no time.
    let slow = super::FAKE
        .replace("20ms", "3s")
        .replace("backend = \"fake\"\n", "");
    let plan = super::plan(&home, &slow.replacen("[[factor]]", &commands, 1));
    let mut child = start(home.etalon(["run", &plan, ground.name()]));
    crate::common::wait_while(&child, "the set-up", || {
        file("set-up").exists().then_some(())
    });
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(!file("cleaned").exists());
    assert_eq!(home.run(["restore"]).code, Some(0));
    assert!(file("cleaned").exists() && !file("set-up").exists());
    assert!(tokens(&home).is_empty());
}

/// Spread over the time in which levels are set and runs are made.
fn moment(seed: u32) -> Duration {
    let hash = seed.wrapping_add(1).wrapping_mul(0x9E37_79B9);
    Duration::from_millis(50 + u64::from(hash >> 8) * 3_000 / (1 << 24))
}
