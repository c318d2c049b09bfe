//! `kill -9` at any moment: the next start cleans up, and what the store had acknowledged stays.

use std::thread;
use std::time::Duration;

use etalon_testbed::kept_runs;

use crate::common::{Ground, Home, left_in, start, wait_for};

const KILLS: u32 = 50;
const WORKERS: u32 = 5;

#[test]
fn fifty_kills_leave_no_file_and_lose_no_run() {
    let kept: u64 = thread::scope(|scope| {
        let workers: Vec<_> = (0..WORKERS)
            .map(|worker| scope.spawn(move || one_worker(worker)))
            .collect();
        workers.into_iter().map(|w| w.join().unwrap()).sum()
    });
    assert!(kept > 0, "no run had ended before any kill");
}

/// Kills a share of the checks on a ground of its own; gives how many runs were kept.
fn one_worker(worker: u32) -> u64 {
    let (home, ground) = (Home::new(), Ground::new());
    for kill in 0..KILLS / WORKERS {
        // Files that are laid out within the moments: later ones come in runs.
        let more = ["--file-size", "64M", "--budget", "60s", "--json"];
        let words = [&["quick", ground.name()], &more[..]].concat();
        let mut child = start(home.etalon(words));
        if kill == 0 {
            // Else every kill may come before a first run, where the machine is busy.
            wait_for("a first run", || {
                (kept_runs(&home.store()) > 0).then_some(())
            });
        }
        thread::sleep(moment(worker * 1000 + kill));
        let acknowledged = kept_runs(&home.store());
        child.kill().unwrap();
        child.wait().unwrap();
        let restored = home.run(["restore"]);
        assert_eq!(restored.code, Some(0), "{restored:?}");
        assert_eq!(left_in(ground.path()), [""; 0], "after kill {kill}");
        assert!(kept_runs(&home.store()) >= acknowledged, "LOST: a run");
    }
    let again = home.run(["restore"]);
    assert_eq!(again.out, "nothing was left behind\n", "{again:?}");
    every_run_is_whole(&home)
}

/// Spread evenly over the time in which files are laid out and the first runs are made.
fn moment(seed: u32) -> Duration {
    let hash = seed.wrapping_add(1).wrapping_mul(0x9E37_79B9);
    Duration::from_millis(50 + u64::from(hash >> 8) * 1_500 / (1 << 24))
}

fn every_run_is_whole(home: &Home) -> u64 {
    let mut all = 0;
    for experiment in home.experiments() {
        let id = experiment["id"].to_string();
        assert_ne!(experiment["state"], "running", "{experiment}");
        let runs = experiment["runs"].as_u64().unwrap();
        let export = home.run(["export", &id, "--json"]);
        assert_eq!(export.code, Some(0), "{id}: {}", export.err);
        let whole = export.json()["runs"].as_array().unwrap().len() as u64;
        assert_eq!(whole, runs, "LOST: runs");
        all += runs;
    }
    all
}
