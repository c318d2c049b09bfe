//! Experiments in the store: found, named, copied, removed.

use etalon_factor::ProcessStamp;
use etalon_judge::{Goal, judge_cells};
use etalon_model::{
    ExperimentState, Finding, FsyncPolicy, LatencyHistogram, Operation, Run, Severity,
};
use etalon_store::Store;

use crate::common::{Ground, Home, Said};

/// A home with so many experiments of one run each.
fn with(count: usize) -> (Home, Ground) {
    let (home, ground) = (Home::new(), Ground::new());
    let words = "--op randread --file-size 8M --backend fake --time 100ms --runs 1";
    for _ in 0..count {
        let said = home.run(
            ["measure", ground.name()]
                .into_iter()
                .chain(words.split(' ')),
        );
        assert!(matches!(said.code, Some(0 | 3)), "{said:?}");
    }
    (home, ground)
}

fn ids(said: &Said) -> Vec<i64> {
    let experiments = said.json()["experiments"].clone();
    let ids = experiments.as_array().unwrap().iter();
    ids.map(|experiment| experiment["id"].as_i64().unwrap())
        .collect()
}

#[test]
fn a_list_is_cut_by_target_kind_tag_and_number() {
    let (home, ground) = with(3);
    let list = |words: &str| {
        let words = words.split(' ').map(|word| match word {
            "T" => ground.name(),
            word => word,
        });
        home.run(["list", "--json"].into_iter().chain(words))
    };
    assert_eq!(ids(&list("--last 2")), [2, 3]);
    assert_eq!(ids(&list("--target T --last 1")), [3]);
    assert_eq!(ids(&list("--target /nowhere")), [0; 0]);
    assert_eq!(ids(&list("--kind quick")), [0; 0]);
    assert_eq!(ids(&list("--kind measure")).len(), 3);
    assert_eq!(home.run(["tag", "2", "base"]).code, Some(0));
    let tagged = list("--tag base");
    assert_eq!(ids(&tagged), [2]);
    assert_eq!(tagged.json()["experiments"][0]["tags"][0], "base");
    assert!(tagged.json()["experiments"][0]["figures"][0]["median"].is_number());
    let page = home.run(["list"]).out;
    assert!(page.contains("#base"), "{page}");
    let wrong = home.run(["list", "--kind", "fast"]);
    assert_eq!(wrong.code, Some(2), "{wrong:?}");
}

#[test]
fn a_note_is_shown_and_taken_away() {
    let (home, _ground) = with(1);
    assert_eq!(
        home.run(["note", "1", "before the new firmware"]).code,
        Some(0)
    );
    assert!(
        home.run(["show", "1"])
            .out
            .contains("Note: before the new firmware")
    );
    assert_eq!(home.run(["note", "1", ""]).code, Some(0));
    assert!(!home.run(["show", "1"]).out.contains("Note:"));
    home.run(["note", "9", "x"]).refused(1, &["experiment 9"]);
    home.run(["tag", "1", "two words"])
        .refused(2, &["'two words'"]);
}

#[test]
fn what_is_removed_is_gone() {
    let (home, _ground) = with(3);
    let store = home.store();
    let said = home.run(["rm", "1", "3", "--store", store.to_str().unwrap()]);
    assert_eq!(said.code, Some(0), "{said:?}");
    assert!(said.out.contains("removed experiment 1 ("), "{said:?}");
    assert_eq!(ids(&home.run(["list", "--json"])), [2]);
    home.run(["rm", "2", "1"]).refused(1, &["experiment 1"]);
    assert_eq!(ids(&home.run(["list", "--json"])), [2]);
    home.run(["rm", "0"]).refused(2, &["'0'"]);
}

#[test]
fn another_store_is_merged_once() {
    let (home, _ground) = with(1);
    let (other, _) = with(2);
    other.run(["tag", "2", "far"]);
    let file = other.store();
    let file = file.to_str().unwrap();
    let before = std::fs::read(file).unwrap();
    let said = home.run(["merge", file, "--json"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    let changes = |said: &Said| -> Vec<String> {
        let changed = said.json()["changed"].clone();
        let changed = changed.as_array().unwrap().iter();
        changed
            .map(|one| format!("{} {} {}", one["from"], one["id"], one["change"]))
            .collect()
    };
    assert_eq!(changes(&said), ["1 2 \"merged\"", "2 3 \"merged\""]);
    assert_eq!(ids(&home.run(["list", "--json", "--tag", "far"])), [3]);
    let exported = |home: &Home, id| home.run(["export", id, "--json"]).json()["runs"].clone();
    assert_eq!(exported(&home, "3"), exported(&other, "2"));
    let again = home.run(["merge", file, "--json"]);
    assert_eq!(
        changes(&again),
        ["1 2 \"already-there\"", "2 3 \"already-there\""]
    );
    assert_eq!(ids(&home.run(["list", "--json"])), [1, 2, 3]);
    assert!(
        std::fs::read(file).unwrap() == before,
        "the other store is only read"
    );
    let own = home.store();
    home.run(["merge", own.to_str().unwrap()])
        .refused(2, &["is the store itself"]);
    home.run(["merge", "/nowhere.sqlite"])
        .refused(1, &["/nowhere.sqlite"]);
}

/// Leaves the first experiment as a kill would: running, by a process that is gone.
fn kill_the_first(home: &Home) {
    let own = ProcessStamp::current().unwrap();
    let start_ticks = own.start_ticks + 1;
    let dead = ProcessStamp { start_ticks, ..own };
    let mut store = Store::open(&home.store()).unwrap();
    store.go_on_with(1, 1, Some(&dead.to_string())).unwrap();
}

#[test]
fn what_was_killed_is_exported_merged_and_continued_as_what_has_ended() {
    let (home, _ground) = with(1);
    kill_the_first(&home);
    let document = home.run(["export", "1", "--json"]).json();
    assert_eq!(document["state"], "interrupted");
    let (other, file) = (Home::new(), home.store());
    let said = other.run(["merge", file.to_str().unwrap()]);
    assert_eq!(said.code, Some(0), "{said:?}");
    assert_eq!(other.experiments()[0]["state"], "interrupted");
    let said = home.run(["continue", "1", "--runs", "1"]);
    assert!(matches!(said.code, Some(0 | 3)), "{said:?}");
    assert_eq!(home.experiments()[0]["runs"], 2);
}

#[test]
fn what_was_gone_on_with_since_it_was_merged_is_not_called_already_there() {
    let ((home, _ground), all) = (with(1), Home::new());
    let file = home.store();
    let merge = || all.run(["merge", file.to_str().unwrap(), "--json"]);
    assert_eq!(merge().code, Some(0));
    let go_on = |home: &Home| {
        let said = home.run(["continue", "1", "--runs", "1"]);
        assert!(matches!(said.code, Some(0 | 3)), "{said:?}");
    };
    go_on(&home);
    let said = merge();
    assert_eq!(said.code, Some(1), "{said:?}");
    assert_eq!(said.json()["changed"], serde_json::json!([]));
    for part in ["lacks 1 of its 2 runs", "`etalon rm 1`"] {
        assert!(said.err.contains(part), "{part}: {said:?}");
    }
    assert_eq!(all.experiments()[0]["runs"], 1);
    // As the command says; what has more runs here is there as a whole.
    assert_eq!(all.run(["rm", "1"]).code, Some(0));
    assert_eq!(merge().code, Some(0));
    let said = all.run(["continue", "2", "--runs", "1"]);
    assert!(matches!(said.code, Some(0 | 3)), "{said:?}");
    let said = merge();
    assert_eq!(said.code, Some(0), "{said:?}");
    assert_eq!(said.json()["changed"][0]["change"], "already-there");
    assert_eq!(all.experiments()[0]["runs"], 3);
}

/// A home with one measurement of the modelled device.
fn measured(ground: &Ground, service: &str) -> Home {
    let home = Home::new();
    let line = format!(
        "measure {} --op randread --backend fake --fake-service {service} --rate 5000 --arrival poisson --seed 7 -s 4M --time 50ms --runs 6",
        ground.name()
    );
    let said = home.run(line.split(' '));
    assert!(matches!(said.code, Some(0 | 3)), "{said:?}");
    home
}

#[test]
fn stores_of_several_machines_are_merged_with_labels_and_held_against_each_other() {
    let (all, ground) = (Home::new(), Ground::new());
    let [north, south] = ["100us", "200us"].map(|service| measured(&ground, service));
    let stores = [&north, &south].map(|home| home.store().to_str().unwrap().to_owned());
    let [a, b] = [&stores[0], &stores[1]];
    all.run(["merge", a, b, "--label", "north"])
        .refused(2, &["--label has 1 names and 2 stores"]);
    assert!(!all.store().exists(), "nothing is merged by halves");
    let said = all.run(["merge", a, b, "--label", "north,south"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    assert_eq!(ids(&all.run(["list", "--json"])), [1, 2]);
    let said = all.run(["compare", "--by", "label", "--json"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    let spread = &said.json()["label_spread"][0];
    let labels = [0, 1].map(|at| spread["labels"][at]["label"].clone());
    assert_eq!(labels, ["north", "south"]);
    assert_eq!(spread["labels"][0]["mean"]["runs"], 6);
    let of = |key: &str| spread["components"][key]["value"].as_f64().unwrap();
    assert!(of("between") >= 0.0 && of("within") > 0.0, "{spread}");
    assert!((0.0..=1.0).contains(&of("icc")), "{spread}");
    let page = all.run(["compare", "1", "2", "--by", "label"]);
    for part in [
        "2 labels differ by",
        "runs of one label by",
        "north",
        "south",
    ] {
        assert!(page.out.contains(part), "{part}: {page:?}");
    }
    assert!(
        page.out.lines().all(|line| line.chars().count() <= 80),
        "{page:?}"
    );
    // Behind the dots of the intervals the last column stands where its heading does.
    let page = all.run(["compare", "--by", "label", "--ascii"]);
    let ends = |end: &str| {
        let lines = page.out.lines().filter(|line| line.ends_with(end));
        lines.map(str::len).max()
    };
    assert!(page.out.contains("..."), "{page:?}");
    assert_eq!(ends("runs"), ends("  6"), "{page:?}");
    let [one, other] = [format!("{a}:1"), format!("{b}:1")];
    all.run(["compare", &one, &other, "--by", "label"])
        .refused(2, &["has no label", "--label NAME"]);
}

/// Adds an experiment of so many runs, four of each cell, with an fsync after each write: all like the first in the store.
fn add_many(home: &Home, count: u32) {
    let mut store = Store::open(&home.store()).unwrap();
    let like = store.experiment(1).unwrap();
    let mut latency = LatencyHistogram::default();
    latency.record_n(2_000_000, 500);
    let made = |n: u32| {
        let mut run = Run {
            cell: format!("row {}", n / 4),
            block: n % 4,
            position: n,
            ..like.runs[0].clone()
        };
        let io = run.workload.io_mut().unwrap();
        (io.operation, io.fsync) = (Operation::RandWrite, FsyncPolicy::Every(1));
        if n.is_multiple_of(4) {
            let steal = Finding::new("steal", Severity::Invalid, "Taken.", "Repeat.");
            run.findings.push(steal);
        }
        run.measurement.fsync_latency = Some(latency.clone());
        run.measurement.reads.operations += u64::from(n % 7);
        run
    };
    let runs: Vec<Run> = (0..count).map(made).collect();
    let mut begun = like.header.begun;
    begun.started_unix_ns += 1;
    let id = store.begin_experiment(&begun).unwrap();
    store.append_runs(id, &runs).unwrap();
    store
        .append_cells(id, &judge_cells(&runs, &Goal::default()))
        .unwrap();
    let ended = like.header.ended_unix_ns.unwrap();
    store
        .finish_experiment(id, ended, ExperimentState::Finished)
        .unwrap();
}

#[test]
fn a_large_experiment_has_one_page_whether_its_runs_are_read_or_not() {
    let (home, _ground) = with(1);
    add_many(&home, 600);
    let (other, _) = with(0);
    let file = home.store();
    let merged = other.run(["merge", file.to_str().unwrap()]);
    assert_eq!(merged.code, Some(0), "{merged:?}");
    let unread =
        "The records of its runs were left unread, and so were the checksums that cover\n  them.\n";
    for words in [&["show", "2"][..], &["show", "2", "--findings"]] {
        let (read, gathered) = (home.run(words).out, other.run(words).out);
        assert!(
            read.contains("600 runs") && read.contains("over 300000 calls"),
            "{read}"
        );
        assert!(!read.contains("unread"), "{read}");
        assert!(gathered.contains(unread), "{gathered}");
        assert_eq!(gathered.replace(unread, ""), read);
    }
    assert!(other.run(["show", "2"]).out.contains("1 of 4 was left out"));
    // What single runs say is read.
    for words in [&["show", "2", "--details"][..], &["show", "2", "--json"]] {
        assert_eq!(home.run(words).out, other.run(words).out);
    }
}
