//! What is counted of a run whose page cache is limited, in the control group that limits it.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on must fail")]

use std::fs;
use std::process::Command;
use std::thread::{scope, sleep};
use std::time::Duration;

use etalon_engine::{Control, TargetPlace};
use etalon_experiment::Site;
use etalon_experiment::run::{BegunPass, Observer};
use etalon_factor::{CacheLimit, Journal};
use etalon_model::{CacheMode, End, IoWorkload, Operation, Run};
use etalon_testbed::{root_for, skip};
use etalon_units::{Bytes, Nanos};
use etalon_workload::{Measurable as _, PlainIo, measurable::Pass};

const LIMIT: u64 = 64 << 20;

#[test]
fn what_is_killed_in_the_group_of_a_limited_cache_is_the_runs() {
    let name = "what_is_killed_in_the_group_of_a_limited_cache_is_the_runs";
    if !root_for(name) {
        return;
    }
    let mut again = Command::new(std::env::current_exe().unwrap());
    again.args(["--ignored", "--exact", "--nocapture", "in_the_group"]);
    let done = again.output().unwrap();
    let said = String::from_utf8_lossy(&done.stdout);
    assert!(done.status.success(), "{said}");
    if said.contains("no group") {
        skip(name, "no control group limits memory here");
    }
}

#[test]
#[ignore = "run in a process of its own by what_is_killed_in_the_group_of_a_limited_cache_is_the_runs"]
fn in_the_group() {
    let directory = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let journal = Journal::at(&directory.path().join("journal")).unwrap();
    let Ok(limit) = CacheLimit::create(&journal, LIMIT) else {
        return println!("no group");
    };
    let run = scope(|scope| {
        scope.spawn(take_too_much);
        read_under(&limit, directory.path())
    });
    let machine = run.circumstances.machine.as_ref().unwrap();
    assert_eq!(machine.own_oom_kills, Some(1), "{machine:?}");
    // The limit is the run's own, and no change of the machine.
    let environment = run.circumstances.environment.as_ref().unwrap();
    let changed = environment.changes.iter().map(|change| &change.key);
    let groups: Vec<&String> = changed.filter(|key| key.starts_with("cgroup.")).collect();
    assert!(groups.is_empty(), "{groups:?}");
}

fn read_under(limit: &CacheLimit, directory: &std::path::Path) -> Run {
    let control = Control::default();
    let site = Site::look(directory).unwrap();
    let workload = IoWorkload {
        operation: Operation::RandRead,
        file_size: Bytes::mib(2),
        direct: false,
        cache: CacheMode::Limited(Bytes(LIMIT)),
        end: End::Time(Nanos::secs(3)),
        ..IoWorkload::default()
    };
    let place = TargetPlace::Directory(directory.to_owned());
    let mut work = PlainIo::new("", workload, place, &control);
    work.get_ready(Pass::default()).unwrap();
    let observer = Observer::new([&site], true);
    let begun = BegunPass::now(Pass::default());
    let runs = observer
        .observe(&mut work, begun, Some(limit))
        .unwrap()
        .runs;
    runs.into_iter().next().unwrap()
}

/// A program that takes more memory than the group has, as soon as this process is in it.
fn take_too_much() {
    let is_inside = || {
        let groups = fs::read_to_string("/proc/self/cgroup").unwrap();
        groups.contains("/etalon-")
    };
    while !is_inside() {
        sleep(Duration::from_millis(5));
    }
    // The counters before the run are read once the process is inside.
    sleep(Duration::from_secs(1));
    // The kernel is to end this program, and not the one that waits for it.
    let script = "echo 1000 >/proc/self/oom_score_adj && exec tail /dev/zero";
    let done = Command::new("sh").args(["-c", script]).status().unwrap();
    assert!(!done.success());
}
