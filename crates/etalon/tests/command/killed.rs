//! `kill -9` at any moment: the next start cleans up, and what the store had acknowledged stays.

use std::thread;
use std::time::Duration;

use rusqlite::{Connection, OpenFlags};

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
        let words = ["quick", ground.name(), "--budget", "4s", "--json"];
        let mut child = start(home.etalon(words));
        if kill == 0 {
            // Else every kill may come before a first run, where the machine is busy.
            wait_for("a first run", || (runs_in_store(&home) > 0).then_some(()));
        }
        thread::sleep(moment(worker * 1000 + kill));
        let acknowledged = runs_in_store(&home);
        child.kill().unwrap();
        child.wait().unwrap();
        let restored = home.run(["restore"]);
        assert_eq!(restored.code, Some(0), "{restored:?}");
        assert_eq!(left_in(ground.path()), [""; 0], "after kill {kill}");
        assert!(runs_in_store(&home) >= acknowledged, "a run is lost");
    }
    let again = home.run(["restore"]);
    assert_eq!(again.out, "nothing was left behind\n", "{again:?}");
    every_run_is_whole(&home)
}

/// Spread evenly over the time in which files are laid out and the first runs are made.
fn moment(seed: u32) -> Duration {
    let hash = seed.wrapping_add(1).wrapping_mul(0x9E37_79B9);
    Duration::from_millis(100 + u64::from(hash >> 8) * 2_400 / (1 << 24))
}

/// Runs that any reader sees at this moment.
fn runs_in_store(home: &Home) -> i64 {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY;
    let Ok(store) = Connection::open_with_flags(home.store(), flags) else {
        return 0;
    };
    store.busy_timeout(Duration::from_secs(5)).unwrap();
    store
        .query_row("SELECT count(*) FROM run", [], |row| row.get(0))
        .unwrap_or(0)
}

fn every_run_is_whole(home: &Home) -> u64 {
    let mut all = 0;
    for experiment in home.experiments() {
        let id = experiment["id"].to_string();
        let runs = experiment["runs"].as_u64().unwrap();
        let export = home.run(["export", &id, "--json"]);
        assert_eq!(export.code, Some(0), "{id}: {}", export.err);
        assert_eq!(export.json()["runs"].as_array().unwrap().len() as u64, runs);
        all += runs;
    }
    all
}
