//! `kill -9` at random moments: every run that was acknowledged is there afterwards.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::PathBuf;
use std::process::Stdio;
use std::thread;
use std::time::Duration;

use crate::common::{new_experiment, run};
use etalon_store::Store;
use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};
use tempfile::TempDir;

const KILLS: usize = 20;

#[test]
fn acknowledged_runs_outlive_a_kill() {
    let home = TempDir::new().unwrap();
    let path = home.path().join("store.sqlite");
    let mut random = StdRng::seed_from_u64(4);
    let mut whole = Vec::new();
    for _ in 0..KILLS {
        let mut child = etalon_testbed::ignored_test("kill::write_until_killed")
            .env("STORE", &path)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        // A number of runs and then a moment within the next ones: however slow the disk, the kills
        // are spread over the whole of the work.
        let mut told = BufReader::new(child.stdout.take().unwrap())
            .lines()
            .map_while(Result::ok)
            .filter_map(|line| acknowledgement(&line));
        let mut acknowledged: Vec<_> = told.by_ref().take(random.random_range(0..6)).collect();
        thread::sleep(Duration::from_micros(random.random_range(0..15_000)));
        child.kill().unwrap();
        child.wait().unwrap();
        acknowledged.extend(told);

        let store = Store::open(&path).unwrap();
        store.check().unwrap();
        if let Some(&(id, last)) = acknowledged.last() {
            let stored = store.experiment(id).unwrap().runs;
            assert!(stored.len() > last as usize, "experiment {id}");
            for (position, found) in (0..).zip(stored) {
                assert_eq!(found, run(position), "experiment {id}");
            }
        }
        whole.extend(acknowledged.last().copied());
    }
    // A later kill took nothing from earlier experiments.
    let list = Store::open_read_only(&path).unwrap().list().unwrap();
    for &(id, last) in &whole {
        let found = list.iter().find(|e| e.id == id).unwrap();
        assert!(found.runs > last, "experiment {id}");
    }
    assert!(!whole.is_empty());
}

/// Experiment and position of the run that a whole line acknowledges.
fn acknowledgement(line: &str) -> Option<(i64, u32)> {
    let (id, position) = line
        .strip_prefix("stored ")?
        .strip_suffix('.')?
        .split_once(' ')?;
    Some((id.parse().ok()?, position.parse().ok()?))
}

#[test]
#[ignore = "the child of acknowledged_runs_outlive_a_kill"]
fn write_until_killed() {
    let Some(path) = std::env::var_os("STORE") else {
        return;
    };
    println!();
    let mut store = Store::open(&PathBuf::from(path)).unwrap();
    let id = store.begin_experiment(&new_experiment()).unwrap();
    for position in 0..100_000 {
        store.append_run(id, &run(position)).unwrap();
        println!("stored {id} {position}.");
        std::io::stdout().flush().unwrap();
    }
}
