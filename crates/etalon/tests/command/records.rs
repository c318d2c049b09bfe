//! What was measured can be looked at again.

use crate::common::{Ground, Home, lost_a_run};

const WORDS: [&str; 8] = [
    "--op",
    "randread",
    "--file-size",
    "8M",
    "--time",
    "200ms",
    "--seed",
    "7",
];

#[test]
fn a_measurement_is_one_object_with_every_key() {
    let (home, ground) = (Home::new(), Ground::new());
    let said = home.run(
        [
            &[
                "measure",
                ground.name(),
                "--json",
                "--verify",
                "--runs",
                "1",
            ],
            &WORDS[..],
        ]
        .concat(),
    );
    assert!(matches!(said.code, Some(0 | 3)), "{said:?}");
    let document = said.json();
    let cell = document["cells"][0].clone();
    for key in [
        "schema_version",
        "workload",
        "runs",
        "median",
        "interval",
        "iops",
        "bytes_per_second",
        "operations",
        "bytes",
        "duration_ns",
        "cpu_user_ns",
        "cpu_system_ns",
        "latency_ns",
        "device_read_share",
        "verdict",
        "findings",
        "backend",
        "direct",
    ] {
        assert!(cell.get(key).is_some(), "{key} in {said:?}");
    }
    for key in ["p50", "p99", "p999", "max"] {
        assert!(cell["latency_ns"].get(key).is_some(), "{key} in {said:?}");
    }
    assert_eq!(document["seed"], 7);
    assert_eq!(cell["workload"]["seed"], 8, "that of its first run");
    assert_eq!(cell["workload"]["operation"], "randread");
    let operations = cell["operations"].as_u64().unwrap();
    assert!(operations > 0);
    assert_eq!(cell["bytes"].as_u64().unwrap(), operations * 4096);
    // What was laid out comes back as it was written.
    let findings = cell["findings"].as_array().unwrap();
    assert!(
        findings.iter().all(|f| f["code"] != "verify-failed"),
        "{said:?}"
    );
    assert_eq!(cell["workload"]["verify"], true);
}

#[test]
fn list_show_and_export_agree_with_what_was_printed() {
    let (home, ground) = (Home::new(), Ground::new());
    let first = ["measure", ground.name(), "--runs", "3", "--json"];
    let words = [&first[..], &WORDS[..]].concat();
    let cell = home.run(words).json()["cells"][0].clone();
    let listed = home.experiments();
    assert_eq!(listed.len(), 1);
    assert_eq!(listed[0]["runs"], 3);
    assert_eq!(listed[0]["kind"], "measure");
    assert_eq!(
        listed[0]["target_path"],
        ground.path().canonicalize().unwrap().to_str().unwrap()
    );
    let line = home.run(["list"]);
    assert!(
        line.out.contains("measure") && line.out.contains("  3  "),
        "{line:?}"
    );
    let page = home.run(["show", "1"]);
    assert!(
        page.out.contains("random read 4 KiB") && page.out.contains("seed 7"),
        "{page:?}"
    );
    let export = home.run(["export", "1", "--json"]).json();
    let runs = export["runs"].as_array().unwrap();
    assert_eq!(runs.len(), 3);
    let measurement = &runs[0]["measurement"];
    assert!(measurement["reads"]["latency"].is_string(), "{measurement}");
    assert!(
        measurement["series"].is_object() || measurement["series"].is_array(),
        "{measurement}"
    );
    let rates: Vec<f64> = cell["values"]
        .as_array()
        .unwrap()
        .iter()
        .map(|v| v.as_f64().unwrap())
        .collect();
    // Only a run that the machine disturbed is left out.
    assert!(rates.len() == 3 || lost_a_run(&cell), "{cell}");
    assert_eq!(cell["runs"], rates.len(), "{cell}");
    let csv = home.run(["export", "1", "--csv"]);
    assert_eq!(csv.out.lines().count(), 4, "{csv:?}");
    let columns = csv.out.lines().next().unwrap().split(',').count();
    assert!(columns > 10, "{csv:?}");
    home.run(["show", "99"])
        .refused(1, &["experiment 99", "etalon list"]);
    home.run(["export", "99", "--csv"])
        .refused(1, &["experiment 99"]);
}

#[test]
fn before_the_first_measurement_there_is_nothing_to_list() {
    let home = Home::new();
    let mut list = home.etalon(["list"]);
    list.env_remove("ETALON_STORE");
    let said = crate::common::run(list);
    assert_eq!(said.code, Some(0), "{said:?}");
    assert!(
        said.out.contains("nothing has been measured yet"),
        "{said:?}"
    );
    let mut list = home.etalon(["list"]);
    list.env("ETALON_STORE", "");
    let empty = crate::common::run(list);
    assert_eq!((empty.code, empty.out), (said.code, said.out));
    // A store that was named must be there.
    home.run(["list"])
        .refused(1, &["store.sqlite'", "no store"]);
    home.run(["show", "1"]).refused(1, &["store.sqlite'"]);
    assert!(!home.store().exists());
}

#[test]
fn percentiles_by_choice_stand_beside_both_rates() {
    let (home, ground) = (Home::new(), Ground::new());
    let words = ["measure", ground.name(), "--op", "randread", "-s", "1M"];
    let made = home.run([&words[..], &["--runs", "2", "--time", "50ms"]].concat());
    assert!(matches!(made.code, Some(0 | 3)), "{made:?}");
    let shown = home.run(["show", "1", "--percentiles", "50,90", "--si"]);
    assert_eq!(shown.code, Some(0), "{shown:?}");
    for part in ["p50", "p90", "IOPS", "B/s", "runs"] {
        assert!(shown.out.contains(part), "{shown:?}");
    }
    assert!(!shown.out.contains("iB/s"), "one unit: {shown:?}");
    let wrong = home.run(["show", "1", "--percentiles", "50,100"]);
    wrong.refused(2, &["'100'", "below 100"]);
}
