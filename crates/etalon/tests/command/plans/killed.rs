//! Kills at random moments of a plan that changes the machine: it is put back, and the plan is gone on
//! with, no run lost or doubled.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

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
        .collect()
}

#[test]
fn a_plan_that_is_killed_leaves_the_machine_as_it_was_and_is_gone_on_with() {
    if !root_for("a_plan_that_is_killed_leaves_the_machine_as_it_was_and_is_gone_on_with") {
        return;
    }
    let kills = std::env::var("ETALON_PLAN_KILLS").ok();
    let kills: u32 = kills.and_then(|text| text.parse().ok()).unwrap_or(KILLS);
    let (home, mount) = (Home::new(), Mount::image("ext4", 64, "rw"));
    let plan = super::plan(&home, PLAN);
    let place = mount.path().to_str().unwrap().to_owned();
    let before = state(&mount);
    let empty = left_in(mount.path());
    for number in 0..kills {
        let resumes = home.store().exists()
            && home
                .experiments()
                .last()
                .is_some_and(|e| e["state"] != "finished");
        let words = match resumes {
            true => vec!["resume"],
            false => vec!["run", &plan, &place],
        };
        let mut child = start(home.etalon(words));
        std::thread::sleep(moment(number));
        let pid = Pid::from_child(&child);
        let signal = [Signal::KILL, Signal::TERM, Signal::INT][number as usize % 3];
        let _ = kill_process(pid, signal);
        child.wait().unwrap();
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
    if home
        .experiments()
        .last()
        .is_none_or(|e| e["state"] == "finished")
    {
        let said = home.run(["run", &plan, &place]);
        assert!(matches!(said.code, Some(0 | 3)), "{said:?}");
    } else {
        let said = home.run(["resume"]);
        assert!(matches!(said.code, Some(0 | 3)), "{said:?}");
    }
    let last = home.experiments().last().unwrap()["id"].to_string();
    let mut made = super::cells(&home.run(["export", &last, "--json"]).json());
    assert_eq!(made.len(), 4 * BLOCKS, "LOST: runs, or doubled: {made:?}");
    made.sort();
    made.dedup();
    assert_eq!(made.len(), 4 * BLOCKS, "LOST: runs, or doubled: {made:?}");
    assert_eq!(state(&mount), before);
}

#[test]
fn a_plan_that_was_changed_meanwhile_is_noticed() {
    let (home, ground) = (Home::new(), crate::common::Ground::new());
    let slow = super::FAKE.replace("20ms", "300ms");
    let plan = super::plan(&home, &slow);
    let mut child = start(home.etalon(["run", &plan, ground.name()]));
    crate::common::wait_for("a first run", || {
        let kept = home.store().exists() && !home.experiments().is_empty();
        kept.then_some(())
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

/// Spread over the time in which levels are set and runs are made.
fn moment(seed: u32) -> Duration {
    let hash = seed.wrapping_add(1).wrapping_mul(0x9E37_79B9);
    Duration::from_millis(50 + u64::from(hash >> 8) * 3_000 / (1 << 24))
}
