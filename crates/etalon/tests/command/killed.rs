//! `kill -9` at any moment: the next start cleans up, and what the store had acknowledged stays.

use std::fs::File;
use std::thread;
use std::time::Duration;

use etalon_testbed::kept_runs;

use crate::common::{Ground, Home, finish, left_in, root_for, start, wait_while};

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
            wait_while(&child, "a first run", || {
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

/// Kills a command once the store has so many runs; gives how many it has then.
fn killed_after(home: &Home, words: Vec<&str>, runs: u64) -> u64 {
    let mut child = start(home.etalon(words));
    wait_while(&child, "some runs", || {
        (kept_runs(&home.store()) >= runs).then_some(())
    });
    child.kill().unwrap();
    child.wait().unwrap();
    kept_runs(&home.store())
}

/// The runs that the figures of experiment 1 cover, by its document and by its page.
fn judged_runs(home: &Home) -> u64 {
    let page = home.run(["show", "1"]);
    assert!(page.out.contains("random read 4 KiB"), "{page:?}");
    let document = home.run(["show", "1", "--json"]).json();
    let cells = document["cells"].as_array().unwrap();
    let listed = &home.experiments()[0];
    assert_eq!(listed["cells"], cells.len(), "{listed}");
    let figure = &listed["figures"][0]["median"];
    assert_eq!(*figure, cells[0]["median"], "{listed}");
    cells
        .iter()
        .map(|cell| cell["runs"].as_u64().unwrap())
        .sum()
}

#[test]
fn what_a_killed_measurement_had_made_is_judged_by_whoever_looks_and_by_the_next() {
    let (home, ground) = (Home::new(), Ground::new());
    let fake = [
        "--op",
        "randread",
        "--backend",
        "fake",
        "--file-size",
        "8M",
        "--time",
        "20ms",
    ];
    let measure = [&["measure", ground.name()], &fake[..]].concat();
    let kept = killed_after(&home, [&measure[..], &["--runs", "1000"]].concat(), 8);
    assert_eq!(judged_runs(&home), kept);
    // The next command that measures writes down what became of it.
    let next = home.run([&measure[..], &["--runs", "1"]].concat());
    assert_eq!(next.code, Some(0), "{next:?}");
    assert_eq!(home.experiments()[0]["state"], "interrupted");
    assert_eq!(judged_runs(&home), kept);
    let more = vec!["continue", "1", "--runs", "1000"];
    let more = killed_after(&home, more, kept + 1 + 8) - 1;
    assert!(more > kept, "{more}");
    assert_eq!(judged_runs(&home), more);
}

#[test]
fn a_check_that_cannot_go_on_shows_what_had_ended() {
    if !root_for("a_check_that_cannot_go_on_shows_what_had_ended") {
        return;
    }
    let home = Home::new();
    let mount = etalon_testbed::Mount::tmpfs("size=64m,nr_inodes=2000,mode=755");
    let place = mount.path().to_str().unwrap();
    let words = ["quick", place, "--file-size", "4M", "--budget", "20s"];
    let child = start(home.etalon(words));
    // Past the first block.
    wait_while(&child, "twelve runs", || {
        (kept_runs(&home.store()) >= 12).then_some(())
    });
    let mut others = (0..).map(|n| File::create_new(mount.path().join(format!("other-{n}"))));
    assert!(others.any(|made| made.is_err()));
    let said = finish(child);
    assert_eq!(said.code, Some(1), "{said:?}");
    assert!(said.joined().contains("Ended early: "), "{said:?}");
    for page in [&said, &home.run(["show", "1"])] {
        assert!(page.out.contains("sequential read"), "{page:?}");
        assert!(page.out.contains("create files"), "{page:?}");
    }
    // What was chosen at its begin is kept with it.
    let document = home.run(["show", "1", "--json"]).json();
    assert!(!document["choices"].as_array().unwrap().is_empty());
}
