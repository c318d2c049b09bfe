//! `kill -9` at random moments of a process that fills its scratch directory.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::os::unix::fs::symlink;
use std::path::PathBuf;
use std::process::Stdio;
use std::thread;
use std::time::Duration;

use etalon_factor::{Journal, Scratch, restore};
use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};

use crate::place::{Place, names};

const KILLS: usize = 50;

#[test]
fn nothing_is_left_after_a_kill() {
    let place = Place::new();
    let mut random = StdRng::seed_from_u64(9);
    let mut removed = 0;
    for _ in 0..KILLS {
        let mut child = etalon_testbed::ignored_test("kill::fill_until_killed")
            .env("TARGET", &place.target)
            .env("JOURNAL", place.journal.directory())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        // A stage and then a moment within what follows: however slow the machine, the kills are
        // spread over entry, directory, marker, files and removal.
        let mut told = BufReader::new(child.stdout.take().unwrap())
            .lines()
            .map_while(Result::ok)
            .filter(|line| line.starts_with("stage"));
        let stages = random.random_range(0..8);
        assert_eq!(told.by_ref().take(stages).count(), stages);
        thread::sleep(Duration::from_micros(random.random_range(0..6_000)));
        let in_use = restore(&place.journal).in_use.len();
        assert!(in_use <= 1, "a living process was disturbed");
        child.kill().unwrap();
        child.wait().unwrap();

        let report = restore(&place.journal);
        assert!(
            report.kept.is_empty() && report.in_use.is_empty(),
            "{report:?}"
        );
        removed += report.removed.len();
        assert_eq!(names(&place.target), [""; 0]);
        assert_eq!(place.entries(), 0);
    }
    assert!(removed > KILLS / 2, "only {removed} kills left something");
}

#[test]
#[ignore = "the child of nothing_is_left_after_a_kill"]
fn fill_until_killed() {
    let Some(target) = std::env::var_os("TARGET").map(PathBuf::from) else {
        return;
    };
    let journal = Journal::at(&PathBuf::from(std::env::var_os("JOURNAL").unwrap())).unwrap();
    let stage = |name: &str| {
        println!("stage {name}");
        std::io::stdout().flush().unwrap();
    };
    println!();
    for _ in 0..1000 {
        stage("begun");
        let scratch = Scratch::create(&journal, &target).unwrap();
        stage("made");
        for n in 0..20 {
            let directory = scratch.path().join(format!("{n}/a/b"));
            fs::create_dir_all(&directory).unwrap();
            fs::write(directory.join("file"), [0; 5000]).unwrap();
            symlink(&target, directory.join("link")).unwrap();
        }
        stage("filled");
        scratch.close().unwrap();
    }
}
