//! What means nothing of the work that was done is absent from its record, and never a default.

use serde_json::Value;

use crate::common::{Ground, Home};

/// Work that is no I/O of the engine; `DIR` is a place to measure on.
const TASKS: [&str; 5] = [
    "dd if=/dev/zero of=DIR/c bs=4k count=8 --runs 2",
    "iozone -s 256 -r 4 -i 0 -f DIR/t --runs 1",
    "fdtree -d 1 -l 1 -f 1 -s 1 -o DIR --runs 1",
    "metadata DIR --files 20 --runs 1",
    "work command DIR --set step=true --runs 1",
];

/// What is said of processors by tasks whose processor time is counted.
const COUNTED: [&str; 2] = ["metadata", "work"];

/// Whether a key that may be absent is there, in the run's record, its cell and its row alike.
fn is_there(home: &Home, id: &str, key: &str) -> bool {
    let exported = home.run(["export", id, "--json"]).json();
    let (run, cell) = (&exported["runs"][0]["measurement"], &exported["cells"][0]);
    let table = home.run(["export", id, "--csv"]).out;
    let mut rows = csv::Reader::from_reader(table.as_bytes());
    let column = rows.headers().unwrap().iter().position(|name| name == key);
    let row = rows.records().next().unwrap().unwrap();
    let in_row = !row[column.unwrap()].is_empty();
    assert_eq!(run.get(key).is_some(), in_row, "{key}: {run} {row:?}");
    assert_eq!(cell.get(key).is_some(), in_row, "{key}: {cell} {row:?}");
    in_row
}

#[test]
fn a_task_has_no_backend_and_only_what_was_counted() {
    let (home, ground) = (Home::new(), Ground::new());
    for (line, id) in TASKS.into_iter().zip(1..) {
        let words = line.replace("DIR", ground.name());
        let made = home.run(words.split(' '));
        assert!(matches!(made.code, Some(0 | 3)), "{made:?}");
        let (id, tool) = (id.to_string(), line.split(' ').next().unwrap());
        assert!(!is_there(&home, &id, "backend"), "{line}");
        let opens_its_own = COUNTED.contains(&tool) || tool == "fdtree";
        assert_eq!(is_there(&home, &id, "direct"), !opens_its_own, "{line}");
        for key in ["cpu_user_ns", "cpu_system_ns"] {
            let is_counted = COUNTED.contains(&tool);
            assert_eq!(is_there(&home, &id, key), is_counted, "{line}");
        }
    }
    let store = rusqlite::Connection::open(home.store()).unwrap();
    let none = "SELECT count(*) FROM run WHERE backend IS NOT NULL";
    let count: i64 = store.query_row(none, [], |row| row.get(0)).unwrap();
    assert_eq!(count, 0, "of a task the store has no backend either");
}

#[test]
fn a_workload_has_no_key_that_means_nothing_in_it() {
    let (home, ground) = (Home::new(), Ground::new());
    let line = "measure DIR --op read --file-size 1M --time 50ms --runs 1 --backend BACKEND";
    let idle = ["stride", "read_percent", "sync", "fsync", "distribution"];
    for (backend, is_queue) in [("sync", false), ("fake", true)] {
        let line = line.replace("DIR", ground.name());
        let made = home.run(line.replace("BACKEND", backend).split(' '));
        assert!(matches!(made.code, Some(0 | 3)), "{made:?}");
        let id = if is_queue { "2" } else { "1" };
        let exported = home.run(["export", id, "--json"]).json();
        let workload = &exported["runs"][0]["workload"];
        let has = |key: &str| !matches!(workload[key], Value::Null);
        assert!(idle.iter().all(|key| !has(key)), "{workload}");
        assert_eq!(has("queue_depth"), is_queue, "{workload}");
        assert_eq!(has("fake"), is_queue, "{workload}");
    }
}
