//! `kill -9` at random moments while disks, filesystems and arrays are made and undone.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::PathBuf;
use std::process::Stdio;
use std::thread;
use std::time::Duration;

use etalon_factor::{Journal, restore};
use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};
use serde_json::json;

use crate::machine::{Machine, above, apply, ground};

const KILLS: usize = 24;

#[test]
fn nothing_is_left_of_what_was_made() {
    let Some(machine) = Machine::new("nothing_is_left_of_what_was_made") else {
        return;
    };
    let mut random = StdRng::seed_from_u64(15);
    let mut undone = 0;
    for _ in 0..KILLS {
        let mut child = etalon_testbed::ignored_test("kill::make_until_killed")
            .env("PLACE", machine.place.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut told = BufReader::new(child.stdout.take().unwrap())
            .lines()
            .map_while(Result::ok)
            .filter(|line| line.starts_with("stage"));
        let stages = random.random_range(1..9);
        if told.by_ref().take(stages).count() < stages {
            panic!("{:?}", child.wait_with_output());
        }
        thread::sleep(Duration::from_millis(random.random_range(0..60)));
        child.kill().unwrap();
        child.wait().unwrap();
        let report = restore(&machine.ground.journal);
        assert!(
            report.kept.is_empty() && report.in_use.is_empty(),
            "{report:?}"
        );
        undone += report.removed.len();
        assert_eq!(machine.left(), [""; 0]);
        let again = restore(&machine.ground.journal);
        assert!(again.is_empty(), "{again:?}");
    }
    assert!(undone > KILLS / 2, "only {undone} kills left something");
}

#[test]
#[ignore = "the child of nothing_is_left_of_what_was_made"]
fn make_until_killed() {
    let Some(place) = std::env::var_os("PLACE").map(PathBuf::from) else {
        return;
    };
    let ground = ground(&place);
    assert!(Journal::at(ground.journal.directory()).is_ok());
    let stage = |name: &str| {
        println!("stage {name}");
        std::io::stdout().flush().unwrap();
    };
    println!();
    for round in 0..1000 {
        stage("begun");
        let disk = json!({ "value": "loop-memory", "size": "160MiB", "count": 2 });
        let disks = apply(&ground, "disk", &disk).unwrap();
        stage("disks");
        let inner = above(&ground, &*disks);
        let (factor, level) = match round % 3 {
            0 => ("filesystem", json!("ext4")),
            1 => ("array", json!("btrfs-raid1")),
            _ => ("filesystem", json!("btrfs")),
        };
        let made = apply(&inner, factor, &level).unwrap();
        stage("made");
        made.restore().unwrap();
        stage("unmade");
        disks.restore().unwrap();
    }
}
