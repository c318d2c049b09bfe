//! `kill -9` at random moments of every kind of command that writes.
//!
//! The moments come from a fixed seed; what a kill meets there may differ, what must hold does not:
//! no run that the store had is lost, nothing is left after `restore`, and the store opens.

use std::fs;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use etalon_testbed::{HANG, kept_runs};
use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};

use crate::common::{Ground, Home, names_in, start};

/// What is killed. `out` is what its user asked dd for, and stays.
#[rustfmt::skip]
const KINDS: &[&str] = &[
    "quick {} --budget 60s --json",
    "measure {} --op randwrite -s 4M --time 150ms --runs 8 -j 2",
    "measure {} --op create --files 300 --runs 8",
    "metadata {} --files 10 --depth 1 --breadth 3 --runs 8",
    "work archive {} --set size=2M --runs 3",
    "work copy-tree {} --set size=2M --runs 3",
    "together --runs 4 --time 100ms -- {} --op randread -s 2M -- {} --op write -s 2M",
    "passport {} --budget 60s",
    "dd if=/dev/zero of={}/out bs=64k count=64 conv=fsync --runs 20",
    "iozone -a -n 64 -g 1024 -f {}/file --runs 3",
    // So many runs that it never ends: what a whole iozone leaves with -w, stays.
    "iozone -w -t 2 -i 0 -i 1 -s 2m -r 64 -F {}/one {}/two --runs 2000",
    "iozone -T -t 2 -i 0 -i 2 -s 2m -r 64 -F {}/one {}/two --runs 8",
    "fdtree -o {} -l 2 -d 4 -f 8 -s 2 --runs 20",
];
/// How many are killed at once.
const WORKERS: usize = 4;
/// The longest life of one, in milliseconds.
const LIFE_MS: u64 = 1500;

fn kills() -> usize {
    let asked = std::env::var("ETALON_ATTACK_KILLS");
    asked.map_or(60, |text| text.parse().unwrap())
}

#[test]
fn a_storm_of_kills_loses_no_run_and_leaves_nothing() {
    let kills = kills();
    let kept: u64 = thread::scope(|scope| {
        let all: Vec<_> = (0..WORKERS)
            .map(|worker| scope.spawn(move || one_worker(worker, kills)))
            .collect();
        all.into_iter().map(|worker| worker.join().unwrap()).sum()
    });
    // Else every kill came before the first run, and nothing was shown.
    assert!(kept > 0, "no run had ended before any kill");
}

/// A share of the kills, in a place of its own; gives how many runs were kept.
fn one_worker(worker: usize, kills: usize) -> u64 {
    let (home, ground) = (Home::new(), Ground::new());
    let mut random = StdRng::seed_from_u64(worker as u64);
    for kill in (worker..kills).step_by(WORKERS) {
        let line = KINDS[kill % KINDS.len()];
        let moment = Duration::from_millis(random.random_range(0..LIFE_MS));
        one_kill(&home, &ground, line, moment);
    }
    let again = home.run(["restore"]);
    assert_eq!(again.out(), "nothing was left behind\n", "{again:?}");
    every_run_is_whole(&home)
}

fn one_kill(home: &Home, ground: &Ground, line: &str, moment: Duration) {
    let words = line
        .split(' ')
        .map(|word| word.replace("{}", ground.name()));
    let words: Vec<String> = words.collect();
    let mut child = start(home.etalon(&words));
    thread::sleep(moment);
    let acknowledged = kept_runs(&home.store());
    child.kill().unwrap();
    child.wait().unwrap();
    helpers_are_gone(home);
    let restored = home.run(["restore"]);
    assert!(
        restored.ended(&[0]),
        "{line} after {moment:?}: {restored:?}"
    );
    let mut left = names_in(ground.path());
    // What its user asked for stays.
    left.retain(|name| name != "out");
    assert_eq!(left, [""; 0], "{line} after {moment:?}: {restored:?}");
    for name in ["out", "one", "two"] {
        let _ = fs::remove_file(ground.path().join(name));
    }
    assert!(
        kept_runs(&home.store()) >= acknowledged,
        "LOST: a run: {line}"
    );
}

/// Waits for the worker processes of iozone, which end when they see that their parent is gone.
fn helpers_are_gone(home: &Home) {
    let begun = Instant::now();
    while works_in(home) && begun.elapsed() < HANG {
        thread::sleep(Duration::from_millis(5));
    }
    assert!(!works_in(home), "a worker outlives its parent");
}

/// Whether a process has this home in its environment.
fn works_in(home: &Home) -> bool {
    let mark = home.store();
    let mark = mark.as_os_str().as_encoded_bytes();
    let processes = names_in(Path::new("/proc")).into_iter();
    let environments = processes.map(|id| Path::new("/proc").join(id).join("environ"));
    let texts = environments.filter_map(|path| fs::read(path).ok());
    texts
        .into_iter()
        .any(|text| text.windows(mark.len()).any(|part| part == mark))
}

fn every_run_is_whole(home: &Home) -> u64 {
    let listed = home.run(["list", "--json"]);
    assert!(listed.ended(&[0]), "{listed:?}");
    let listed: serde_json::Value = serde_json::from_slice(&listed.out).unwrap();
    let mut all = 0;
    for experiment in listed["experiments"].as_array().unwrap() {
        let runs = experiment["runs"].as_u64().unwrap();
        let export = home.run(["export", &experiment["id"].to_string(), "--json"]);
        assert!(export.ended(&[0]), "{experiment}: {export:?}");
        let document: serde_json::Value = serde_json::from_slice(&export.out).unwrap();
        let whole = document["runs"].as_array().unwrap().len() as u64;
        assert_eq!(whole, runs, "LOST: runs");
        all += runs;
    }
    all
}
