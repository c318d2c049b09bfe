//! A plan that is gone on with on a machine that is another one by now.

use std::sync::Arc;

use etalon_model::{EnvironmentMark, ExperimentState, Run};
use etalon_store::{Remark, Store};
use serde_json::Value;

use super::later::READS;
use super::plan;
use crate::common::{Ground, Home};

/// The run as it would be had this machine had another kernel, and a device that is none of the machine's own facts.
fn on_another_kernel(run: &mut Run) {
    let mark = run.circumstances.environment.take().unwrap();
    let mut record = (*mark.record.unwrap()).clone();
    for (key, value) in [("kernel.release", "5.4.0-old"), ("layer.loop99.size", "1")] {
        let facts = &mut record.manifest.facts;
        facts.insert(key.to_owned(), value.to_owned());
    }
    record.manifest.hash = "0".repeat(64);
    run.circumstances.environment = Some(EnvironmentMark::of(Arc::new(record)));
}

/// Keeps the first block of a plan in another store, as interrupted on another kernel.
fn begin_on_another_kernel(of: &Home, other: &Home) {
    let store = Store::open(&of.store()).unwrap();
    let mut begun = store.experiment(1).unwrap();
    begun.cells.clear();
    begun.runs.retain(|run| run.block == 0);
    begun.runs.iter_mut().for_each(on_another_kernel);
    begun.header.state = ExperimentState::Interrupted;
    let mut store = Store::open(&other.store()).unwrap();
    store.import(&begun, &Remark::default()).unwrap();
}

#[test]
fn what_has_changed_of_the_machine_is_told_and_spoils_the_runs_that_are_added() {
    let (home, resumed, ground) = (Home::new(), Home::new(), Ground::new());
    let said = home.run(["run", &plan(&home, READS), ground.name()]);
    assert!(matches!(said.code, Some(0 | 3)), "{said:?}");
    begin_on_another_kernel(&home, &resumed);
    let said = resumed.run(["resume", "1"]);
    assert!(matches!(said.code, Some(0 | 3)), "{said:?}");
    let told = "since the first runs changed kernel.release: '5.4.0-old' -> ";
    assert!(said.err.contains(told), "{said:?}");
    assert!(!said.err.contains("loop99"), "{said:?}");
    let document = resumed.run(["export", "1", "--json"]).json();
    let is_told = |run: &Value| {
        let mut findings = run["findings"].as_array().unwrap().iter();
        findings.any(|one| one["code"] == "environment-changed" && one["severity"] == "invalid")
    };
    let runs = document["runs"].as_array().unwrap();
    let of_block: Vec<bool> = runs.iter().map(is_told).collect();
    assert_eq!(of_block, [false, true], "{runs:?}");
}
