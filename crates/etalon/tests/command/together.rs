//! Several workloads at once: their figures, what ran with them, and what is refused.

use serde_json::Value;

use crate::common::{Ground, Home, Image, Loop, left_in, root_for, runs_with_own_places};

/// The words of a line.
fn words(line: &str) -> Vec<&str> {
    line.split(' ').collect()
}

fn cell<'a>(document: &'a Value, name: &str) -> &'a Value {
    let cells = document["cells"].as_array().unwrap();
    let found = cells.iter().find(|cell| cell["name"] == name);
    found.unwrap_or_else(|| panic!("no {name} in {document}"))
}

#[test]
fn a_writer_under_readers_and_each_alone() {
    let (home, ground) = (Home::new(), Ground::new());
    let place = ground.name();
    let line = format!(
        "together --alone --runs 3 --time 200ms --seed 7 --json -- {place} --op randread -s 8M -j 2 --name readers -- {place} --op write -b 64k -s 8M"
    );
    let said = home.run(words(&line));
    assert!(matches!(said.code, Some(0 | 3)), "{said:?}");
    let document = said.json();
    assert_eq!(document["kind"], "together");
    assert_eq!(document["seed"], 7);
    for name in [
        "readers",
        "2 write 64 KiB",
        "readers, alone",
        "2 write 64 KiB, alone",
    ] {
        assert!(cell(&document, name)["runs"].as_u64() >= Some(1), "{name}");
    }
    let comparisons = document["comparisons"].as_array().unwrap();
    assert_eq!(comparisons.len(), 2, "{document}");
    assert_eq!(comparisons[0]["name"], "readers");
    assert_eq!(left_in(ground.path()), [""; 0]);
    // What the store keeps of it: the others for the one, none for the other, every block in full.
    let kept = home.run(["export", "1", "--json"]).json();
    let runs = kept["runs"].as_array().unwrap();
    assert_eq!(runs.len(), 12);
    let mut orders = std::collections::BTreeSet::new();
    for block in 0..3 {
        let of_block: Vec<&Value> = runs.iter().filter(|run| run["block"] == block).collect();
        assert_eq!(of_block.len(), 4);
        orders.insert(
            of_block
                .iter()
                .map(|run| run["cell"].to_string())
                .collect::<Vec<_>>(),
        );
    }
    assert!(orders.len() > 1, "the order is drawn anew: {orders:?}");
    assert_eq!(runs_with_own_places(&kept), 6);
    for run in runs {
        let concurrent = &run["circumstances"]["concurrent"];
        if run["cell"].as_str().unwrap().ends_with("alone") {
            assert!(concurrent.is_null(), "{concurrent}");
        } else {
            assert_eq!(
                concurrent["others"].as_array().unwrap().len(),
                1,
                "{concurrent}"
            );
            assert!(concurrent["shared_ns"].as_u64() <= concurrent["span_ns"].as_u64());
        }
    }
}

#[test]
fn what_ran_at_the_same_time_is_no_plan() {
    let (home, ground) = (Home::new(), Ground::new());
    let place = ground.name();
    let one = "--op randread -s 1M --time 50ms";
    for line in [
        format!("together --runs 2 -- {place} {one} --name a -- {place} {one} --name b"),
        format!("measure {place} {one} --runs 2"),
    ] {
        let said = home.run(words(&line));
        assert!(matches!(said.code, Some(0 | 3)), "{said:?}");
    }
    for line in ["plan from 1", "rerun 1"] {
        let parts = ["experiment 1", "at the same time", "etalon together --seed"];
        home.run(words(line)).refused(2, &parts);
    }
    assert_eq!(home.run(words("plan from 2")).code, Some(0));
}

#[test]
fn the_page_tells_each_and_the_ratio() {
    let (home, ground) = (Home::new(), Ground::new());
    let place = ground.name();
    let line = format!(
        "together --alone --runs 2 --time 100ms -- {place} --op read -b 1M -s 8M -- {place} --op read -b 1M -s 8M"
    );
    let said = home.run(words(&line));
    assert!(matches!(said.code, Some(0 | 3)), "{said:?}");
    for part in [
        "1 read 1 MiB",
        "2 read 1 MiB, alone",
        "together against alone",
        "Kept as experiment 1",
    ] {
        assert!(said.out.contains(part), "{part} in {}", said.out);
    }
    assert!(home.run(["list"]).out.contains("together"));
    assert!(home.run(["show", "1"]).out.contains("2 read 1 MiB, alone"));
}

#[test]
fn who_goes_on_alone_is_told() {
    let (home, ground) = (Home::new(), Ground::new());
    let place = ground.name();
    let line = format!(
        "together --runs 1 --json -- {place} --op randread -s 8M --time 1s --name long -- {place} --op randread -s 8M --bytes 64k --name short"
    );
    let said = home.run(words(&line));
    let findings = |name: &str| -> Vec<String> {
        let document = said.json();
        let list = cell(&document, name)["findings"]
            .as_array()
            .unwrap()
            .clone();
        list.iter()
            .map(|f| f["code"].as_str().unwrap().to_owned())
            .collect()
    };
    assert!(matches!(said.code, Some(0 | 3)), "{said:?}");
    assert!(
        findings("long").contains(&"not-together".to_owned()),
        "{said:?}"
    );
}

/// Two readers of one disk: neither's bytes are the other's foreign traffic or cached.
#[test]
fn what_one_disk_moved_is_divided() {
    if !root_for("what_one_disk_moved_is_divided") {
        return;
    }
    // In memory, so that no other user of a disk is foreign traffic.
    let (home, ground) = (Home::new(), Ground::new());
    let device = Loop::new(Image::full_in(ground.path(), 32));
    let name = device.device.display();
    let line = format!(
        "together --runs 1 --time 400ms --json -- {name} --op randread --range 16M --name low -- {name} --op randread --offset 16M --name high"
    );
    let said = home.run(words(&line));
    let document = said.json();
    for name in ["low", "high"] {
        let cell = cell(&document, name);
        let share = cell["device_read_share"].as_f64().unwrap();
        assert!((0.9..1.1).contains(&share), "{name}: {share} in {document}");
        let findings = cell["findings"].to_string();
        for code in ["foreign-io", "page-cache"] {
            assert!(!findings.contains(code), "{name}: {findings}");
        }
    }
}

#[test]
fn what_makes_no_sense_is_refused_in_one_line() {
    let (home, ground) = (Home::new(), Ground::new());
    let place = ground.name();
    for (line, code, parts) in [
        ("together -- HERE --op read", 2, &["at least two"][..]),
        (
            "together -- HERE --op reed -- HERE --op read",
            2,
            &["workload 1", "'reed'"],
        ),
        (
            "together -- HERE --op read -- HERE --opp read",
            2,
            &["workload 2", "'--opp'"],
        ),
        ("together -- HERE --op read --", 2, &["workload 2"]),
        (
            "together -- HERE --op read --name a -- HERE --op write --name a",
            2,
            &["'a'", "--name"],
        ),
        (
            "together -- HERE --op read --cache limited:64M -- HERE --op read",
            2,
            &["workload 1", "limited"],
        ),
        (
            "together -- HERE --op read -- /no/such --op read",
            1,
            &["'/no/such'"],
        ),
        (
            "together -- HERE --op read -- HERE --op read -b 4k -s 1k",
            2,
            &[""],
        ),
    ] {
        let line = line.replace("HERE", place);
        let said = home.run(words(&line));
        said.refused(code, parts);
        assert_eq!(left_in(ground.path()), [""; 0], "{line}");
    }
    assert_eq!(
        home.run(["list", "--json"]).json()["experiments"],
        serde_json::json!([])
    );
    let help = home.run(words("together -- --help"));
    assert!(
        help.code == Some(0) && help.out.contains("--block-size"),
        "{help:?}"
    );
}
