//! What an earlier etalon has kept and exported still opens, and is told in today's form.

use std::path::PathBuf;

use crate::common::{Ground, Home};

/// A file of the golden store's directory, unpacked into the home.
pub(crate) fn unpacked(home: &Home, name: &str) -> PathBuf {
    let place = concat!(env!("CARGO_MANIFEST_DIR"), "/../store/tests/golden/");
    let packed = std::fs::read(format!("{place}{name}.zst")).unwrap();
    let path = home.path().join(name);
    std::fs::write(&path, zstd::decode_all(packed.as_slice()).unwrap()).unwrap();
    path
}

/// iozone, measure, metadata, dd, fdtree and work, two runs each, by etalon 0.1.0 with schema 1.
const KINDS: [&str; 6] = ["iozone", "measure", "metadata", "dd", "fdtree", "work"];

#[test]
fn a_store_of_schema_1_is_listed_shown_exported_and_compared() {
    let home = Home::new();
    let store = unpacked(&home, "schema-1.sqlite");
    let before = std::fs::read(&store).unwrap();
    let store = store.to_str().unwrap();
    let listed = home.run(["list", "--json", "--store", store]).json();
    let kinds = listed["experiments"].as_array().unwrap().iter();
    let kinds: Vec<_> = kinds.map(|e| e["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, KINDS);
    for (id, kind) in (1..).zip(KINDS) {
        let id = id.to_string();
        let shown = home.run(["show", &id, "--store", store]);
        assert_eq!(shown.code, Some(0), "{kind}: {shown:?}");
        let exported = home.run(["export", &id, "--json", "--store", store]).json();
        assert_eq!(exported["schema_version"], 3, "{kind}");
        let workload = &exported["runs"][0]["workload"];
        let is_io = kind == "measure";
        assert_eq!(
            workload["type"],
            if is_io { "io" } else { "task" },
            "{kind}"
        );
        assert_eq!(workload.get("cache").is_some(), is_io, "{kind}: {workload}");
        let table = home.run(["export", &id, "--csv", "--store", store]);
        assert_eq!(table.code, Some(0), "{kind}: {table:?}");
        let told = home.run(["show", &id, "--environment", "--store", store]);
        assert!(told.out.contains("No environment is kept"), "{told:?}");
    }
    let arms = [format!("{store}:1@1"), format!("{store}:1@2")];
    let compared = home.run(["compare", &arms[0], &arms[1]]);
    assert_eq!(
        compared.code,
        Some(3),
        "one run has no interval: {compared:?}"
    );
    assert!(
        compared
            .joined()
            .contains("whether machine and storage stack differ"),
        "{compared:?}"
    );
    assert_eq!(
        std::fs::read(store).unwrap(),
        before,
        "looking changes nothing"
    );
}

#[test]
fn iozone_of_schema_1_has_its_record_and_its_depth() {
    let home = Home::new();
    let store = unpacked(&home, "schema-1.sqlite");
    let store = store.to_str().unwrap();
    let exported = home.run(["export", "1", "--json", "--store", store]).json();
    let workload = &exported["runs"][0]["workload"];
    assert_eq!(workload["block_size_bytes"], 1 << 20);
    assert_eq!(workload["queue_depth"], 32);
    assert_eq!(workload["parameters"]["record"]["bytes"], 1 << 20);
    assert_eq!(workload["parameters"]["queue.records"], 32);
    assert!(
        workload["parameters"].get("sync_reads").is_none(),
        "{workload}"
    );
}

#[test]
fn a_document_of_schema_1_is_an_arm_of_compare() {
    let home = Home::new();
    let document = unpacked(&home, "schema-1.json");
    let store = unpacked(&home, "schema-1.sqlite");
    let arms = [
        format!("{}:1@1", document.to_str().unwrap()),
        format!("{}:1@2", store.to_str().unwrap()),
    ];
    let compared = home.run(["compare", &arms[0], &arms[1], "--json"]);
    assert!(matches!(compared.code, Some(0 | 3)), "{compared:?}");
    let comparisons = compared.json()["comparisons"].as_array().unwrap().len();
    assert_eq!(comparisons, 2, "write and rewrite: {compared:?}");
}

#[test]
fn writing_brings_an_old_store_up_to_date_and_keeps_what_it_holds() {
    let home = Home::new();
    let store = unpacked(&home, "schema-1.sqlite");
    let place = home.path().to_str().unwrap();
    let line = "--op randread --file-size 1M --time 100ms --runs 1 --backend fake --store";
    let words = ["measure", place].into_iter().chain(line.split(' '));
    let said = home.run(words.chain([store.to_str().unwrap()]));
    assert!(matches!(said.code, Some(0 | 3)), "{said:?}");
    let store = store.to_str().unwrap();
    let listed = home.run(["list", "--json", "--store", store]).json();
    assert_eq!(listed["experiments"].as_array().unwrap().len(), 7);
    for id in ["1", "7"] {
        let shown = home.run(["show", id, "--store", store]);
        assert_eq!(shown.code, Some(0), "{shown:?}");
    }
}

/// What the engine of that day did to names: create by two jobs, stat and unlink by `measure`, and
/// create beside a reader by `together`, by etalon 0.1.0 with schema 2.
const NAMES: [(&str, &str, &str); 4] = [
    ("1", "create 50 files", "create"),
    ("2", "stat 1200 files", "stat"),
    ("3", "unlink 50 files", "unlink"),
    ("4", "maker", "create"),
];

#[test]
fn operations_on_names_of_the_engine_are_told_as_metadata_operations() {
    let home = Home::new();
    let store = unpacked(&home, "schema-2-names.sqlite");
    let store = store.to_str().unwrap();
    for (id, cell, step) in NAMES {
        let shown = home.run(["show", id, "--store", store]);
        assert_eq!(shown.code, Some(0), "{shown:?}");
        let row = shown.out.lines().find(|line| line.starts_with(cell));
        assert!(row.is_some_and(|row| row.contains("/s")), "{shown:?}");
        let exported = home.run(["export", id, "--json", "--store", store]).json();
        let mut runs = exported["runs"].as_array().unwrap().iter();
        let workload = &runs.find(|run| run["cell"] == cell).unwrap()["workload"];
        let is = (&workload["type"], &workload["work"], &workload["step"]);
        assert_eq!(is, (&"task".into(), &"metadata".into(), &step.into()));
        let table = home.run(["export", id, "--csv", "--store", store]);
        let is_row = |line: &str| line.contains(cell) && line.contains("metadata");
        assert!(table.out.lines().any(is_row), "{table:?}");
    }
    let exported = home.run(["export", "1", "--json", "--store", store]).json();
    let workload = &exported["cells"][0]["workload"];
    assert_eq!(workload["jobs"], 2, "{workload}");
    assert_eq!(workload["parameters"]["files_in_all"], 50, "{workload}");
}

#[test]
fn a_document_with_names_of_the_engine_is_an_arm_beside_one_of_today() {
    let (home, ground) = (Home::new(), Ground::new());
    let document = unpacked(&home, "schema-2-names.json");
    let line = "--op create --files 50 -j 2 --runs 6";
    let words = ["measure", ground.name()]
        .into_iter()
        .chain(line.split(' '));
    let said = home.run(words);
    assert!(matches!(said.code, Some(0 | 3)), "{said:?}");
    let by = "--by=target,beneath,etalon";
    let compared = home.run(["compare", document.to_str().unwrap(), "1", by, "--json"]);
    assert!(matches!(compared.code, Some(0 | 3)), "{compared:?}");
    let comparison = &compared.json()["comparisons"][0];
    let text = comparison.to_string();
    for option in ["jobs is", "files is", "work is", "step is", "operation is"] {
        assert!(!text.contains(option), "{text}");
    }
}
