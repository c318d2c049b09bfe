//! Plans whose workloads are real work: settings of a database are varied, set, read back and compared step by step.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::common::{Ground, Home, left_in};

/// SQLite, small, with and without waiting for the disk.
const PLAN: &str = r#"
question = "What does waiting cost?"
blocks = 2
seed = 5
[[factor]]
name = "synchronous"
levels = ["full", "off"]
[[workload]]
name = "rows"
work = "sqlite"
steps = ["load", "insert, one commit each"]
rows = 1000
inserts = 10
commits = 3
transactions = 8
"#;

fn of_each_run(document: &Value, of: impl Fn(&Value) -> Option<String>) -> Vec<String> {
    let runs = document["runs"].as_array().unwrap().iter();
    runs.map(|run| of(run).unwrap()).collect()
}

#[test]
fn a_setting_of_a_database_is_a_factor_and_stands_in_every_run_as_the_database_shows_it() {
    let (home, ground) = (Home::new(), Ground::new());
    let plan = super::plan(&home, PLAN);
    let said = home.run(["run", &plan, ground.name()]);
    assert!(matches!(said.code, Some(0 | 3)), "{said:?}");
    for row in ["rows: load", "rows: insert, one commit each"] {
        assert!(said.out.contains(row), "{said:?}");
    }
    let document = home.run(["export", "1", "--json"]).json();
    let cells = of_each_run(&document, |run| Some(run["cell"].as_str()?.to_owned()));
    assert_eq!(cells.len(), 8, "{cells:?}");
    let names: BTreeSet<&str> = cells.iter().map(String::as_str).collect();
    let expected = [
        "rows: insert, one commit each, synchronous full",
        "rows: insert, one commit each, synchronous off",
        "rows: load, synchronous full",
        "rows: load, synchronous off",
    ];
    assert_eq!(names, BTreeSet::from(expected));
    let shown = of_each_run(&document, |run| {
        let level = run["circumstances"]["levels"][0]["level"].as_str()?;
        let shown = run["measurement"]["service"]["settings"]["synchronous"].as_str()?;
        Some(format!("{level}={shown}"))
    });
    let shown: BTreeSet<String> = shown.into_iter().collect();
    assert_eq!(shown, ["full=2", "off=0"].map(str::to_owned).into());
    assert!(left_in(ground.path()).is_empty());
}

#[test]
fn a_plan_of_real_work_is_repeated_and_what_stands_of_it_is_not_made_again() {
    let (home, ground) = (Home::new(), Ground::new());
    let plan = super::plan(&home, PLAN);
    assert!(matches!(
        home.run(["run", &plan, ground.name()]).code,
        Some(0 | 3)
    ));
    let said = home.run(["rerun", "1", "--json"]);
    assert!(matches!(said.code, Some(0 | 3)), "{said:?}");
    let rows = said.json()["comparisons"].as_array().unwrap().len();
    assert_eq!(rows, 2, "one for each step");
    let document = |id| home.run(["export", id, "--json"]).json();
    let cells = |id| of_each_run(&document(id), |run| Some(run["cell"].as_str()?.to_owned()));
    assert_eq!(cells("1"), cells("2"));
}

#[test]
fn a_step_that_the_work_does_not_have_ends_the_plan_with_those_that_it_has() {
    let (home, ground) = (Home::new(), Ground::new());
    let plan = super::plan(
        &home,
        &PLAN.replace("\"load\", ", "").replace("each", "all"),
    );
    let said = home.run(["run", &plan, ground.name()]);
    assert_eq!(said.code, Some(1), "{said:?}");
    for part in [
        "no step is called insert, one commit all",
        "load; count cold",
    ] {
        assert!(said.err.contains(part), "{said:?}");
    }
    assert!(left_in(ground.path()).is_empty());
}
