//! Two factors at once: one document with every cell, the levels compared, and what one factor does to the other.

use serde_json::{Value, json};

use super::{FAKE, cells, plan};
use crate::common::{Ground, Home};
use crate::documents::check;

/// A second factor beside that of the modelled device.
fn crossed() -> String {
    let second = "[[factor]]\nname = \"cache\"\nlevels = [\"as-found\", \"warm\"]\n[[workload]]";
    FAKE.replace("[[workload]]", second)
}

const LABELS: [&str; 4] = [
    "command one, cache as-found",
    "command one, cache warm",
    "command two, cache as-found",
    "command two, cache warm",
];

fn texts<'v>(items: &'v Value, key: &str) -> Vec<&'v str> {
    let items = items.as_array().unwrap().iter();
    items.map(|item| item[key].as_str().unwrap()).collect()
}

#[test]
fn two_factors_are_one_document_with_cells_comparisons_and_interactions() {
    let (home, ground) = (Home::new(), Ground::new());
    let plan = plan(&home, &crossed());
    let said = home.run(["run", &plan, ground.name(), "--json"]);
    let document = check(&said, "etalon-summary", "plan");
    let names = LABELS.map(|label| format!("reads, {label}"));
    assert_eq!(texts(&document["cells"], "name"), names);
    let compared = &document["comparisons"];
    assert_eq!(texts(compared, "name"), ["reads"], "{compared}");
    assert_eq!(texts(&compared[0]["arms"], "label"), LABELS, "{compared}");
    assert_eq!(compared[0]["in_blocks"], true, "{compared}");
    let [tried] = &document["interactions"].as_array().unwrap()[..] else {
        panic!("{document}")
    };
    let level = |factor: &str, level: &str, baseline: &str| json!({ "factor": factor, "level": level, "baseline": baseline });
    assert_eq!(tried["first"], level("command", "two", "one"), "{tried}");
    assert_eq!(
        tried["second"],
        level("cache", "warm", "as-found"),
        "{tried}"
    );
    assert_eq!(
        (&tried["workload"], &tried["effect"]["runs"]),
        (&json!("reads"), &json!(6))
    );
    // The modelled device is as fast under each of them.
    assert_eq!(tried["is_shown"], false, "{tried}");
    assert!(
        (tried["effect"]["value"].as_f64().unwrap() - 1.0).abs() < 1e-9,
        "{tried}"
    );
}

#[test]
fn blocks_of_two_factors_have_each_cell_once_and_a_combination_that_is_not_listed_never() {
    let (home, ground) = (Home::new(), Ground::new());
    let listed = "[[combination]]\ncommand = { value = \"one\" }\ncache = \"as-found\"\n[[combination]]\ncommand = { value = \"two\" }\ncache = \"warm\"\n[[workload]]";
    let plan = plan(&home, &crossed().replace("[[workload]]", listed));
    let said = home.run(["run", &plan, ground.name(), "--json"]);
    let document = check(&said, "etalon-summary", "plan");
    // What lacks a corner says nothing of the interaction.
    assert_eq!(document["interactions"], json!([]));
    let mut made = cells(&home.run(["export", "1", "--json"]).json());
    made.sort();
    let expected = (0..6).flat_map(|block| {
        let own = [LABELS[0], LABELS[3]];
        own.map(|label| (block, format!("reads, {label}")))
    });
    assert_eq!(made, expected.collect::<Vec<_>>());
}
