//! A store that is locked, damaged, or from the future: refused before anything is measured.

use std::fs::{self, OpenOptions};

use etalon_factor::ProcessStamp;
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
    refused_everywhere(
        &home,
        &ground,
        &["is not a store of etalon", "--store FILE"],
    );
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
fn a_store_that_is_begun_in_an_empty_file_is_told() {
    let (home, ground) = (Home::new(), Ground::new());
    let words = "--op read --backend null --file-size 1M --time 20ms".split(' ');
    let words: Vec<&str> = ["measure", ground.name()]
        .into_iter()
        .chain(words)
        .collect();
    let told = |said: &Said| {
        let line = format!(
            "'{}' was empty; a store is begun in it",
            home.store().display()
        );
        said.err.contains(&line)
    };
    assert!(!told(&home.run(&words)), "it was made anew");
    // Nothing at all, or a database without a table, as a killed start may leave it.
    for empty in [&b""[..], &{
        fs::remove_file(home.store()).unwrap();
        Connection::open(home.store())
            .unwrap()
            .execute_batch("VACUUM")
            .unwrap();
        fs::read(home.store()).unwrap()
    }] {
        fs::write(home.store(), empty).unwrap();
        home.run(["list"]).refused(1, &["there is no store at"]);
        let said = home.run(&words);
        assert!(told(&said) && matches!(said.code, Some(0 | 3)), "{said:?}");
        assert!(!told(&home.run(&words)), "only at the beginning");
        assert_eq!(home.experiments().len(), 2);
    }
}

/// Alters what is stored, as a bit that has changed on the disk would.
pub(crate) fn alter(home: &Home, statement: &str) {
    let store = Connection::open(home.store()).unwrap();
    assert!(store.execute(statement, []).unwrap() > 0, "{statement}");
}

#[test]
fn a_damaged_record_is_told_and_the_others_are_shown() {
    for (statement, what) in [
        (
            "UPDATE run SET record_crc32 = record_crc32 + 1 WHERE id = 2",
            "run 2",
        ),
        (
            "UPDATE run SET record_json = CAST(x'7b22ff223a317d' AS TEXT) WHERE id = 2",
            "run 2",
        ),
        ("UPDATE run SET series = x'01' WHERE id = 2", "run 2"),
        (
            "UPDATE cell SET record_json = CAST(x'ff' AS TEXT) WHERE id = 1",
            "cell 1",
        ),
    ] {
        let (home, ground) = (Home::new(), Ground::new());
        let words = "--op randread --backend null --file-size 1M --time 20ms --runs 3";
        let words = ["measure", ground.name()]
            .into_iter()
            .chain(words.split(' '));
        let words: Vec<&str> = words.collect();
        home.run(&words);
        home.run(&words);
        alter(&home, statement);
        let shown = home.run(["show", "1"]);
        assert_eq!(shown.code, Some(1), "{statement}: {shown:?}");
        for part in ["experiment 1", what, "damaged", "backup"] {
            assert!(shown.err.contains(part), "{part}: {shown:?}");
        }
        assert!(shown.joined().contains("experiment 1)"), "{shown:?}");
        // What would be judged or passed on with a part missing is refused.
        for words in [&["export", "1", "--json"][..], &["compare", "1", "2"]] {
            home.run(words)
                .refused(1, &["experiment 1", what, "damaged"]);
        }
        assert_eq!(home.run(["show", "2"]).code, Some(0));
        assert_eq!(home.experiments().len(), 2);
    }
}

#[test]
fn a_damaged_experiment_is_told_and_the_others_are_listed() {
    for statement in [
        "UPDATE experiment SET kind = 'measurf' WHERE id = 1",
        "UPDATE experiment SET target_path = CAST(x'ff' AS TEXT) WHERE id = 1",
    ] {
        let (home, ground) = (Home::new(), Ground::new());
        filled(&home, &ground);
        filled(&home, &ground);
        alter(&home, statement);
        for words in [&["list"][..], &["list", "--json"]] {
            let list = home.run(words);
            assert_eq!(list.code, Some(1), "{list:?}");
            assert!(
                list.err.contains("experiment 1") && list.err.contains("damaged"),
                "{list:?}"
            );
            assert!(list.out.contains(ground.name()), "{list:?}");
        }
        // It is no obstacle for what is measured next.
        filled(&home, &ground);
        assert_eq!(home.run(["show", "3"]).code, Some(0));
    }
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

#[test]
fn what_another_machine_left_running_is_interrupted_wherever_it_is_told() {
    let (home, ground) = (Home::new(), Ground::new());
    filled(&home, &ground);
    let elsewhere = ProcessStamp {
        machine: "another".to_owned(),
        ..ProcessStamp::current().unwrap()
    };
    let store = Connection::open(home.store()).unwrap();
    let left = "UPDATE experiment SET state = 'running', ended_unix_ns = NULL, owner = ?";
    store.execute(left, [elsewhere.to_string()]).unwrap();
    let listed = home.run(["list", "--json"]).json();
    assert_eq!(listed["experiments"][0]["state"], "interrupted");
    let exported = home.run(["export", "1", "--json"]).json();
    assert_eq!(exported["state"], "interrupted");
}
