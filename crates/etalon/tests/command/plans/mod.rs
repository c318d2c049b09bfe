//! Plans: told, carried out, killed, gone on with, repeated, and refused with a line and a column.

mod changed;
mod crossed;
mod devices;
mod killed;
mod later;
mod learnt;
mod manual;
mod open;
mod presets;
mod real_work;
mod rebooted;
mod shares;
mod two_at_once;
mod wrong;

use std::fs;
use std::path::PathBuf;

use serde_json::Value;

use crate::common::{Ground, Home, runs_with_own_places};

/// A modelled device whose second workload is made twice as slow.
pub(super) const FAKE: &str = r#"
question = "Is the slower one found?"
expect = "It is."
blocks = 6
seed = 5
[[factor]]
name = "command"
levels = [{ value = "one" }, { value = "two" }]
[[workload]]
name = "reads"
op = "randread"
backend = "fake"
file_size = "8M"
time = "20ms"
"#;

pub(super) fn plan(home: &Home, text: &str) -> String {
    let path: PathBuf = home.path().join("plan.toml");
    fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

fn cells(document: &Value) -> Vec<(u64, String)> {
    let runs = document["runs"].as_array().unwrap().iter();
    // What a signal cut short is kept as cut, and made anew.
    let whole = runs.filter(|run| run["measurement"]["ended"] != "interrupted");
    whole
        .map(|run| {
            let cell = run["cell"].as_str().unwrap().to_owned();
            (run["block"].as_u64().unwrap(), cell)
        })
        .collect()
}

#[test]
fn blocks_are_complete_and_their_order_comes_from_the_seed() {
    let (home, ground) = (Home::new(), Ground::new());
    let plan = plan(&home, FAKE);
    for _ in 0..2 {
        let said = home.run(["run", &plan, ground.name()]);
        assert!(matches!(said.code, Some(0 | 3)), "{said:?}");
        assert!(
            said.out
                .starts_with("Is the slower one found?\nExpected: It is.\n"),
            "{said:?}"
        );
    }
    let said = home.run(["run", &plan, ground.name(), "--seed", "6"]);
    assert!(matches!(said.code, Some(0 | 3)), "{said:?}");
    let kept = ["1", "2", "3"].map(|id| home.run(["export", id, "--json"]).json());
    for document in &kept {
        assert_eq!(runs_with_own_places(document), 12);
    }
    let orders = kept.map(|document| cells(&document));
    assert_eq!(orders[0], orders[1]);
    assert_ne!(orders[0], orders[2]);
    for block in orders[0].chunks(2) {
        assert_eq!(block[0].0, block[1].0);
        assert_ne!(block[0].1, block[1].1);
    }
    assert_eq!(orders[0].len(), 12);
    let said = home.run(["rerun", "1", "--json"]);
    assert!(matches!(said.code, Some(0 | 3)), "{said:?}");
    assert_eq!(said.json()["comparisons"][0]["in_blocks"], true);
    assert_eq!(said.json()["comparisons"][0]["margin"], 0.02);
    let again = cells(&home.run(["export", "4", "--json"]).json());
    assert_eq!(orders[0], again);
}

#[test]
fn a_dry_run_tells_everything_and_leaves_nothing() {
    let (home, ground) = (Home::new(), Ground::new());
    let levels =
        r#"levels = [{ value = "one", set = "touch made", reset = "rm made" }, { value = "two" }]"#;
    let text = FAKE.replace(r#"levels = [{ value = "one" }, { value = "two" }]"#, levels);
    let plan = plan(&home, &text);
    let said = home.run(["run", &plan, ground.name(), "--dry-run"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    for part in [
        "2 cells in 1 plot, 6 blocks, seed 5",
        "reads, two",
        "command: touch made",
    ] {
        assert!(said.out.contains(part), "{part}: {said:?}");
    }
    assert!(
        said.out.lines().all(|line| line.chars().count() <= 80),
        "{said:?}"
    );
    assert!(!home.path().join("made").exists() && !home.store().exists());
    let said = home.run(["run", &plan, ground.name()]);
    assert!(matches!(said.code, Some(0 | 3)), "{said:?}");
    assert!(!home.path().join("made").exists());
}

#[test]
fn a_dry_run_tells_the_memory_of_virtual_disks_and_refuses_more_than_there_is() {
    let (home, ground) = (Home::new(), Ground::new());
    let told = |level: &str| {
        let disks = format!("name = \"disk\"\nlevels = [{{ {level} }}]");
        let levels = "name = \"command\"\nlevels = [{ value = \"one\" }, { value = \"two\" }]";
        let plan = plan(&home, &FAKE.replace(levels, &disks));
        let said = home.run(["run", &plan, ground.name(), "--dry-run"]);
        assert_eq!(said.code, Some(0), "{said:?}");
        said.joined()
    };
    let page = told("value = \"loop-memory\", size = \"64MiB\", count = 2");
    assert!(
        page.contains("128 MiB of memory at the most for virtual disks"),
        "{page}"
    );
    let page = told("value = \"zram\", size = \"32TiB\", count = 2");
    assert!(
        page.contains("Missing: the disks may take 64 TiB of memory"),
        "{page}"
    );
}

#[test]
fn a_dry_run_counts_files_that_have_no_size_and_says_what_it_does_not_know() {
    let (home, ground) = (Home::new(), Ground::new());
    let text = FAKE.replace(
        "backend = \"fake\"\nfile_size = \"8M\"\ntime = \"20ms\"",
        "one_pass = true",
    );
    let plan = plan(&home, &text);
    let said = home.run(["run", &plan, ground.name(), "--dry-run"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    assert!(!said.out.contains(", 0 B of files"), "{said:?}");
    assert!(
        said.out.contains("Not known, and taken for 10 s: reads"),
        "{said:?}"
    );
    let sized = sized(&home, &text);
    let said = home.run(["run", &sized, ground.name(), "--dry-run", "--pilot"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    assert!(said.out.contains("A pilot run of reads took "), "{said:?}");
    assert!(!home.store().exists() && crate::common::left_in(ground.path()).is_empty());
}

fn sized(home: &Home, text: &str) -> String {
    plan(
        home,
        &text.replace("one_pass", "file_size = \"1M\"\none_pass"),
    )
}

#[test]
fn what_was_measured_by_hand_has_a_plan_that_repeats_it() {
    let (home, ground) = (Home::new(), Ground::new());
    let line = format!(
        "measure {} --op randread -b 8k --queue-depth 2 -s 4M --backend fake --time 20ms --runs 6",
        ground.name()
    );
    assert!(matches!(home.run(line.split(' ')).code, Some(0 | 3)));
    let said = home.run(["plan", "from", "1"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    let written = plan(&home, &said.out);
    let said = home.run(["run", &written]);
    assert!(matches!(said.code, Some(0 | 3)), "{said:?}");
    let workload =
        |id: &str| home.run(["export", id, "--json"]).json()["runs"][0]["workload"].take();
    let (mut by_hand, mut planned) = (workload("1"), workload("2"));
    for workload in [&mut by_hand, &mut planned] {
        workload["seed"].take();
    }
    assert_eq!(by_hand, planned);
}

#[test]
fn presets_are_plans_and_satisfy_the_schema_of_plans() {
    let (home, ground) = (Home::new(), Ground::new());
    let said = home.run(["presets"]);
    let names = said.out.lines().filter(|line| !line.starts_with(' '));
    let names: Vec<&str> = names
        .filter_map(|line| Some(line.split_once(':')?.0))
        .collect();
    assert!(
        names.contains(&"scheduler-duel") && names.contains(&"classroom"),
        "{said:?}"
    );
    for name in names {
        let said = home.run(["run", name, ground.name(), "--dry-run"]);
        assert_eq!(said.code, Some(0), "{name}: {said:?}");
        let text = home.run(["presets", name]).out;
        assert!(text.starts_with("question = "), "{text}");
    }
    let schema = home.run(["schema", "plan"]).json();
    let checker = jsonschema::validator_for(&schema).unwrap();
    let plan = serde_json::json!({
        "question": "Which?",
        "workload": [{ "op": "randread", "queue_depth": [1, 4] }],
        "factor": [{ "name": "scheduler", "levels": ["none", { "value": "bfq", "low_latency": 0 }] }]
    });
    assert!(checker.is_valid(&plan));
    assert!(!checker.is_valid(&serde_json::json!({ "questions": "Which?" })));
}

#[test]
fn a_row_that_a_level_has_no_runs_of_is_named() {
    let (home, ground) = (Home::new(), Ground::new());
    let plan = plan(&home, FAKE);
    let said = home.run(["run", &plan, ground.name()]);
    assert!(matches!(said.code, Some(0 | 3)), "{said:?}");
    let missing = "Not compared, as not every arm has it: reads.";
    assert!(!said.joined().contains(missing), "{said:?}");
    // As if it had been ended before the first run of the second level.
    let store = rusqlite::Connection::open(home.store()).unwrap();
    for (table, column, rows) in [("run", "cell", 6), ("cell", "name", 1)] {
        let gone = format!("DELETE FROM {table} WHERE {column} LIKE '%two%'");
        assert_eq!(store.execute(&gone, []).unwrap(), rows);
    }
    let said = home.run(["show", "1"]);
    assert!(said.joined().contains(missing), "{said:?}");
    let file = home.path().join("report.html");
    let report = home.run(["report", "1", "-o", file.to_str().unwrap()]);
    assert!(matches!(report.code, Some(0 | 3)), "{report:?}");
    assert!(fs::read_to_string(&file).unwrap().contains(missing));
}
