//! Stores that are empty, cut short, or in which bits have rotted.

use std::fs;
use std::path::PathBuf;

use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};

use crate::common::{Ground, Home};
use crate::dangers::none;

/// A store with one experiment in it.
fn store() -> (Home, Ground, Vec<u8>) {
    let (home, ground) = (Home::new(), Ground::new());
    let place = ground.name();
    let said = home.run([
        "measure", place, "--op", "read", "-s", "64k", "--time", "50ms", "--runs", "3",
    ]);
    assert!(said.ended(&[0, 3]), "{said:?}");
    let bytes = fs::read(home.store()).unwrap();
    (home, ground, bytes)
}

/// What reads a store.
const READERS: &[&[&str]] = &[
    &["list"],
    &["list", "--json"],
    &["show", "1"],
    &["export", "1", "--json"],
    &["export", "1", "--csv"],
    &["compare", "1@1-2", "1@3"],
];

#[test]
fn an_empty_file_is_no_store() {
    let (home, ground) = (Home::new(), Ground::new());
    let file: PathBuf = ground.file("notes", b"");
    let name = file.to_str().unwrap();
    let mut faults = Vec::new();
    for words in [
        &["list", "--store", name][..],
        &["show", "1", "--store", name],
        &[
            "measure",
            ground.name(),
            "--op",
            "read",
            "-s",
            "64k",
            "--time",
            "20ms",
            "--store",
            name,
        ],
    ] {
        let said = home.run(words);
        // Refused, or taken with a word about it.
        if said.ended(&[0, 3]) && !said.err().contains("empty") {
            faults.push(format!("{words:?}: {said:?}"));
        }
        if !said.is_orderly() {
            faults.push(format!("{words:?}: {said:?}"));
        }
        fs::write(&file, b"").unwrap();
    }
    none(&faults);
}

#[test]
fn rotten_bits_are_told_and_never_a_panic() {
    let (home, _ground, good) = store();
    let mut random = StdRng::seed_from_u64(11);
    let mut faults = Vec::new();
    for round in 0..60 {
        let mut bytes = good.clone();
        for _ in 0..random.random_range(1..20) {
            // Behind the header of the file, so that it is one of SQLite.
            let at = random.random_range(100..bytes.len());
            bytes[at] ^= 1 << random.random_range(0..8);
        }
        fs::write(home.store(), &bytes).unwrap();
        let words = READERS[round % READERS.len()];
        let said = home.run(words);
        if !said.ended(&[0, 1, 2, 3]) || (said.code == Some(1) && said.err().is_empty()) {
            faults.push(format!("round {round}: {words:?}: {said:?}"));
        }
    }
    none(&faults);
}

#[test]
fn a_store_cut_short_is_told() {
    let (home, _ground, good) = store();
    let mut faults = Vec::new();
    for share in 1..10 {
        let length = good.len() * share / 10;
        for words in [READERS[0], READERS[2]] {
            fs::write(home.store(), &good[..length]).unwrap();
            let said = home.run(words);
            if !said.ended(&[0, 1]) || (said.code == Some(1) && said.err().is_empty()) {
                faults.push(format!("{length} bytes: {words:?}: {said:?}"));
            }
        }
    }
    none(&faults);
}

/// The middle of a text or blob of a run is changed, which SQLite itself cannot notice.
#[test]
fn a_rotten_record_is_told_as_damaged() {
    let (home, _ground, good) = store();
    let columns = columns(&rusqlite::Connection::open(home.store()).unwrap());
    let mut faults = Vec::new();
    let mut told = 0;
    for column in &columns {
        fs::write(home.store(), &good).unwrap();
        let store = rusqlite::Connection::open(home.store()).unwrap();
        let rot = format!(
            "UPDATE run SET {column} = CAST(substr({column}, 1, length({column}) / 2) || x'00ff' || \
             substr({column}, length({column}) / 2 + 3) AS BLOB) \
             WHERE typeof({column}) IN ('text', 'blob') AND length({column}) > 8"
        );
        let rotten = store.execute(&rot, []).unwrap_or(0);
        drop(store);
        for words in &READERS[2..5] {
            let said = home.run(*words);
            if !said.ended(&[0, 1, 3]) {
                faults.push(format!("{column}: {words:?}: {said:?}"));
            }
            told += u32::from(rotten > 0 && said.err().contains("damaged"));
        }
    }
    assert!(told > 0, "nothing was told as damaged: {columns:?}");
    none(&faults);
}

fn columns(store: &rusqlite::Connection) -> Vec<String> {
    let mut asked = store
        .prepare("SELECT name FROM pragma_table_info('run')")
        .unwrap();
    let names = asked.query_map([], |row| row.get::<_, String>(0)).unwrap();
    names
        .map(Result::unwrap)
        .filter(|name| name != "id" && name != "experiment")
        .collect()
}
