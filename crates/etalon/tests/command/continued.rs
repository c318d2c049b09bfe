//! Runs that are added to an experiment that stands.

use std::fs;
use std::path::PathBuf;

use serde_json::Value;

use crate::common::{Ground, Home, Image, Loop, SHORT, Said, left_in, root_for};
use crate::stores::alter;

fn ran(home: &Home, line: &str) -> Said {
    let said = home.run(line.split(' '));
    assert!(matches!(said.code, Some(0 | 3)), "{line}: {said:?}");
    said
}

/// Block and position of every run of experiment 1.
fn places(home: &Home) -> Vec<(u64, u64)> {
    let document: Value = ran(home, "export 1 --json").json();
    let runs = document["runs"].as_array().unwrap().iter();
    let number = |value: &Value| value.as_u64().unwrap();
    runs.map(|run| (number(&run["block"]), number(&run["position"])))
        .collect()
}

#[test]
fn runs_are_added_to_the_same_experiment_and_counted_with_the_others() {
    let (home, ground) = (Home::new(), Ground::new());
    let fake = "--op randread,read --file-size 8M --backend fake --time 50ms --runs 6";
    ran(&home, &format!("measure {} {fake}", ground.name()));
    let document = ran(&home, "continue 1 --runs 3 --json").json();
    assert_eq!(document["experiment"], 1);
    for cell in document["cells"].as_array().unwrap() {
        assert_eq!(cell["runs"], 9, "{cell}");
    }
    let places = places(&home);
    let position = places.iter().map(|(_, position)| *position);
    assert_eq!(position.collect::<Vec<_>>(), (0..18).collect::<Vec<_>>());
    let block = places.iter().map(|(block, _)| *block);
    assert_eq!(
        block.collect::<Vec<_>>(),
        (0..18).map(|at| at / 2).collect::<Vec<_>>()
    );
    let kept = home.experiments();
    assert_eq!(kept.len(), 1);
    assert_eq!(kept[0]["state"], "finished");
}

#[test]
fn what_lies_between_two_sessions_is_no_part_of_the_time_that_it_took() {
    let (home, ground) = (Home::new(), Ground::new());
    let fake = "--op randread --file-size 8M --backend fake --time 50ms --runs 12";
    let took = |words: &str| ran(&home, words).json()["elapsed_ns"].as_u64().unwrap();
    let first = took(&format!("measure {} {fake} --json", ground.name()));
    assert_eq!(took("show 1 --json"), first);
    let both = took("continue 1 --runs 1 --json");
    assert!(both > first, "{both} after {first}");
    // As of a session that was killed, which ends when a command sees it.
    alter(
        &home,
        "UPDATE experiment SET ended_unix_ns = ended_unix_ns + 86400000000000",
    );
    assert_eq!(took("show 1 --json"), both);
    let page = ran(&home, "show 1").out;
    assert!(!page.contains(" h "), "{page}");
}

#[test]
fn a_check_goes_on_where_it_stood() {
    let (home, ground) = (Home::new(), Ground::in_memory());
    let ran = |words: &[&str]| {
        let said = home.run_in_time(words);
        assert!(matches!(said.code, Some(0 | 3)), "{words:?}: {said:?}");
        said.json()
    };
    let before = ran(&["quick", ground.name(), "--budget", SHORT, "--json"]);
    let made = places(&home).len();
    let after = ran(&["continue", "1", "--budget", SHORT, "--json"]);
    assert!(places(&home).len() > made, "{after}");
    let sizes = |document: &Value| {
        let cells = document["cells"].as_array().unwrap().iter();
        let sizes = cells.filter_map(|cell| cell["workload"]["file_size_bytes"].as_u64());
        sizes.collect::<std::collections::BTreeSet<_>>()
    };
    assert_eq!(sizes(&before), sizes(&after));
    assert_eq!(home.experiments().len(), 1);
    assert_eq!(left_in(ground.path()), [""; 0]);
}

#[test]
fn what_has_changed_is_named_and_nothing_is_added() {
    if !root_for("what_has_changed_is_named_and_nothing_is_added") {
        return;
    }
    let (home, device) = (Home::new(), Loop::new(Image::new(16)));
    let node = device.device.to_str().unwrap();
    ran(
        &home,
        &format!("measure {node} --op randread --time 50ms --runs 2"),
    );
    let setting: PathBuf = format!(
        "/sys/block/{}/queue/read_ahead_kb",
        node.trim_start_matches("/dev/")
    )
    .into();
    let before = fs::read_to_string(&setting).unwrap();
    fs::write(&setting, "4096").unwrap();
    let refused = home.run(["continue", "1", "--runs", "1"]);
    refused.refused(1, &["since the last run changed", "read_ahead", "4194304"]);
    assert_eq!(
        (places(&home).len(), &home.experiments()[0]["state"]),
        (2, &"finished".into())
    );
    fs::write(&setting, before.trim()).unwrap();
    ran(&home, "continue 1 --runs 1");
    assert_eq!(places(&home).len(), 3);
}

#[test]
fn what_is_repeated_as_a_whole_is_not_continued() {
    let (home, ground) = (Home::new(), Ground::new());
    ran(
        &home,
        &format!(
            "metadata {} --files 5 --depth 1 --breadth 1 --runs 1",
            ground.name()
        ),
    );
    ran(
        &home,
        &format!("measure {} --op create --files 5 --runs 1", ground.name()),
    );
    for (line, part) in [
        ("continue 1", "kind 'metadata'"),
        ("continue 2", "metadata operations"),
        ("continue 2 --budget 5s", "give --runs"),
    ] {
        home.run(line.split(' ')).refused(2, &[part]);
    }
    home.run(["continue", "9"]).refused(1, &["9"]);
}
