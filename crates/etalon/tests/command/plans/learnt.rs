//! What is learnt of a level when it is set and before each run stands in the record, on the page and in the table.

use serde_json::Value;

use super::plan;
use crate::common::{Ground, Home, root_for};

const MADE: &str = r#"
question = "What does it take to make it?"
blocks = 2
seed = 3
[[factor]]
name = "disk"
levels = [{ value = "loop-memory", size = "64MiB" }]
[[factor]]
name = "filesystem"
levels = ["ext2", "ext4"]
[[factor]]
name = "discard"
levels = ["fstrim"]
[[workload]]
name = "r"
op = "randread"
file_size = "1M"
time = "20ms"
"#;

/// The levels of a run as `factor level`, and the names of what was learnt of them.
fn levels(run: &Value) -> Vec<(String, Vec<String>)> {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let levels = run["circumstances"]["levels"].as_array().unwrap().iter();
    levels
        .map(|level| {
            let facts = level["facts"].as_array().unwrap().iter();
            let facts = facts.map(|fact| text(&fact["name"])).collect();
            let name = format!("{} {}", text(&level["factor"]), text(&level["level"]));
            (name, facts)
        })
        .collect()
}

#[test]
fn what_is_learnt_of_levels_is_kept_shown_and_exported() {
    if !root_for("what_is_learnt_of_levels_is_kept_shown_and_exported") {
        return;
    }
    let (home, ground) = (Home::new(), Ground::new());
    let plan = plan(&home, MADE);
    let said = home.run(["run", &plan, ground.name()]);
    assert!(matches!(said.code, Some(0 | 3)), "{said:?}");
    let joined = said.out.split_whitespace().collect::<Vec<_>>().join(" ");
    for part in [
        "filesystem ext2: mkfs ",
        "filesystem ext4: mkfs ",
        "discard fstrim: discarded ",
    ] {
        assert!(joined.contains(part), "no {part:?}: {said:?}");
    }
    let document = home.run(["export", "1", "--json"]).json();
    let runs = document["runs"].as_array().unwrap();
    assert_eq!(runs.len(), 4, "{said:?}");
    for run in runs {
        let found = levels(run);
        let names: Vec<&str> = found.iter().map(|(name, _)| name.as_str()).collect();
        let filesystem = match run["cell"].as_str().unwrap().ends_with("ext2") {
            true => "filesystem ext2",
            false => "filesystem ext4",
        };
        assert_eq!(
            names,
            ["disk loop-memory 1 x 64 MiB", filesystem, "discard fstrim"]
        );
        assert!(found[1].1.contains(&"mkfs".to_owned()), "{found:?}");
        assert!(found[2].1.contains(&"discarded".to_owned()), "{found:?}");
    }
    let table = home.run(["export", "1", "--csv"]).out;
    let mut reader = csv::Reader::from_reader(table.as_bytes());
    let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    let facts = rows.iter().filter_map(|row| row.iter().next_back());
    assert!(
        facts
            .clone()
            .all(|facts| facts.contains("filesystem mkfs=")),
        "{table}"
    );
    let shown = home.run(["show", "1"]).out;
    assert!(shown.contains("filesystem ext4: mkfs "), "{shown}");
}
