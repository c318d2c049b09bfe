//! A store that is locked, damaged, or from the future: refused before anything is measured.

use std::fs::{self, OpenOptions};

use rusqlite::Connection;

use crate::common::{Ground, Home, Said, left_in};

/// A store with one experiment in it.
fn filled(home: &Home, ground: &Ground) {
    let words = [
        "measure",
        ground.name(),
        "--op",
        "randread",
        "--backend",
        "null",
        "--file-size",
        "1M",
        "--time",
        "50ms",
    ];
    let said = home.run(words);
    assert!(matches!(said.code, Some(0 | 3)), "{said:?}");
}

/// Every command that uses the store, which must leave its bytes as they are.
fn refused_everywhere(home: &Home, ground: &Ground, parts: &[&str]) {
    let before = fs::read(home.store()).unwrap();
    let check = |said: Said| said.refused(1, &[&[home.store().to_str().unwrap()], parts].concat());
    check(home.run(["quick", ground.name(), "--budget", "5s"]));
    check(home.run(["measure", ground.name(), "--op", "read", "--time", "100ms"]));
    check(home.run(["list"]));
    check(home.run(["show", "1"]));
    check(home.run(["export", "1", "--json"]));
    assert!(
        fs::read(home.store()).unwrap() == before,
        "the store has changed"
    );
    assert_eq!(left_in(ground.path()), [""; 0]);
}

#[test]
fn a_store_of_a_newer_version_is_left_alone() {
    let (home, ground) = (Home::new(), Ground::new());
    filled(&home, &ground);
    let store = Connection::open(home.store()).unwrap();
    store.pragma_update(None, "user_version", 999).unwrap();
    drop(store);
    refused_everywhere(&home, &ground, &["format 999", "newer"]);
}

#[test]
fn a_store_of_garbage_is_left_alone() {
    let (home, ground) = (Home::new(), Ground::new());
    fs::write(home.store(), "no database at all\n".repeat(1000)).unwrap();
    refused_everywhere(&home, &ground, &["damaged"]);
}

#[test]
fn a_database_of_something_else_is_left_alone() {
    let (home, ground) = (Home::new(), Ground::new());
    let other = Connection::open(home.store()).unwrap();
    other.execute_batch("CREATE TABLE mail (text)").unwrap();
    drop(other);
    refused_everywhere(&home, &ground, &["not a store of etalon"]);
}

#[test]
fn a_store_cut_short_is_called_damaged() {
    let (home, ground) = (Home::new(), Ground::new());
    filled(&home, &ground);
    let file = OpenOptions::new().write(true).open(home.store()).unwrap();
    file.set_len(file.metadata().unwrap().len() / 2).unwrap();
    let said = home.run(["quick", ground.name(), "--budget", "5s"]);
    said.refused(1, &[home.store().to_str().unwrap(), "damaged"]);
    assert_eq!(left_in(ground.path()), [""; 0]);
}

#[test]
fn a_locked_store_is_refused_and_the_holder_named() {
    let (home, ground) = (Home::new(), Ground::new());
    filled(&home, &ground);
    let holder = Connection::open(home.store()).unwrap();
    holder.execute_batch("BEGIN EXCLUSIVE").unwrap();
    let pid = format!("process {}", std::process::id());
    let said = home.run(["quick", ground.name(), "--budget", "5s"]);
    said.refused(1, &[home.store().to_str().unwrap(), "locked by", &pid]);
    drop(holder);
    assert_eq!(home.experiments().len(), 1);
}

#[test]
fn a_directory_is_no_store() {
    let (home, ground) = (Home::new(), Ground::new());
    let words = [
        "quick",
        ground.name(),
        "--store",
        home.path().to_str().unwrap(),
    ];
    home.run(words).refused(1, &[home.path().to_str().unwrap()]);
    let words = ["quick", ground.name(), "--store", "/proc/none/store.sqlite"];
    home.run(words).refused(1, &["'/proc/none'"]);
}
