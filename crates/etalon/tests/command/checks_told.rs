//! Whether a check was done, could not be, or does not apply is told apart.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::common::{Ground, Home};

/// The state and the reason of each check of the experiment's first cell, in which every finding is
/// of a check that was done.
fn checks(home: &Home, id: &str) -> BTreeMap<String, (String, String)> {
    let document = home.run(["show", id, "--findings", "--json"]).json();
    let cell = &document["cells"][0];
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let told = cell["checks"].as_array().unwrap().iter();
    let told: BTreeMap<_, _> = told
        .map(|one| {
            (
                text(&one["code"]),
                (text(&one["state"]), text(&one["reason"])),
            )
        })
        .collect();
    for finding in cell["findings"].as_array().unwrap() {
        let code = finding["code"].as_str().unwrap();
        assert_eq!(told[code].0, "done", "{code}: {cell}");
    }
    for (code, (state, reason)) in &told {
        assert_eq!(state == "done", reason.is_empty(), "{code}: {reason}");
    }
    told
}

#[test]
fn each_check_is_done_or_has_a_reason() {
    let (home, ground) = (Home::new(), Ground::new());
    let lines = [
        "measure DIR --op randread --file-size 1M --time 50ms --runs 1 --backend fake",
        "measure DIR --op write --file-size 1M --time 50ms --runs 1",
        "dd if=/dev/zero of=DIR/c bs=4k count=8 --runs 2",
        "metadata DIR --files 20 --runs 1",
    ];
    for line in lines {
        let made = home.run(line.replace("DIR", ground.name()).split(' '));
        assert!(matches!(made.code, Some(0 | 3)), "{made:?}");
    }
    let (modelled, written) = (checks(&home, "1"), checks(&home, "2"));
    let (copied, names) = (checks(&home, "3"), checks(&home, "4"));
    let listed = home.run(["checks", "--json"]).json();
    assert_eq!(modelled.len(), listed["checks"].as_array().unwrap().len());
    for (told, code, state) in [
        (&modelled, "in-memory", "does-not-apply"),
        (&modelled, "page-cache", "does-not-apply"),
        (&modelled, "run-failed", "done"),
        (&written, "page-cache", "does-not-apply"),
        (&written, "in-memory", "done"),
        (&written, "failed-requests", "does-not-apply"),
        (&copied, "cpu-bound", "not-possible"),
        (&names, "warm-up", "does-not-apply"),
    ] {
        assert_eq!(told[code].0, state, "{code}: {:?}", told[code]);
    }
    let plain = home.run(["show", "1", "--json"]).json();
    assert!(plain["cells"][0].get("checks").is_none(), "{plain}");
}

#[test]
fn the_page_counts_the_checks_and_says_where_they_are_listed() {
    let (home, ground) = (Home::new(), Ground::new());
    let line = "DIR --op randread --file-size 1M --time 50ms --runs 1 --backend fake";
    let words = line.replace("DIR", ground.name());
    let made = home.run(["measure"].into_iter().chain(words.split(' ')));
    assert!(matches!(made.code, Some(0 | 3)), "{made:?}");
    let page = home.run(["show", "1"]).joined();
    let all = checks(&home, "1");
    let count = |state: &str| all.values().filter(|(own, _)| own == state).count();
    let told = format!(
        "Checks: {} done, {} not possible here, {} do not apply; see `etalon show 1 --findings --json`.",
        count("done"),
        count("not-possible"),
        count("does-not-apply"),
    );
    assert!(page.contains(&told), "{page}");
    let whole = home.run(["show", "1", "--findings"]).joined();
    let is_told = count("not-possible") == 0 || whole.contains("Not checked: ");
    assert!(is_told, "{whole}");
}
