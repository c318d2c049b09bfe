//! In what two arms differ beyond what the comparison is about.

use std::collections::{BTreeMap, BTreeSet};

use etalon_model::{CacheMode, IoWorkload, TaskFigure, TaskWorkload, Workload};
use serde_json::Value;

use super::Arm;

/// Fields of a workload that do not change what is measured: the length of a run, the random
/// choices, and the model of a device that was not used.
const FREE: [&str; 6] = ["seed", "end", "warm_up", "files", "batch", "fake"];

/// Conditions of every cell, whatever was done.
const OF_EVERY_CELL: [&str; 3] = ["target", "beneath", "etalon"];

/// A sentence for each condition that differs and is not among the declared ones.
pub(super) fn undeclared(base: &Arm<'_>, arm: &Arm<'_>, declared: &[String]) -> Vec<String> {
    let (left, right) = (conditions(base), conditions(arm));
    let is_declared = |name: &str| {
        // Another target has another stack beneath it.
        let implied = name == "beneath" && declared.iter().any(|by| by == "target");
        implied || declared.iter().any(|by| by == name)
    };
    let both_tasks = base.cell.workload.task().is_some() && arm.cell.workload.task().is_some();
    // A parameter that is off is absent; an option of I/O that a task has not says nothing.
    let off = both_tasks.then(|| "none".to_owned());
    let names: BTreeSet<&String> = left.keys().chain(right.keys()).collect();
    names
        .into_iter()
        .filter(|name| !is_declared(name))
        .filter_map(|name| {
            let value = left.get(name).or(off.as_ref())?;
            let other = right.get(name).or(off.as_ref())?;
            (other != value).then(|| {
                format!("{name} is {value} here and {other} there; declare it with --by {name} if that is what you compare.")
            })
        })
        .collect()
}

/// What must agree, by name.
fn conditions(arm: &Arm<'_>) -> BTreeMap<String, String> {
    let mut conditions = match &arm.cell.workload {
        Workload::Task(task) => of_task(task),
        Workload::Io(io) => of_io(io),
    };
    let first = arm.runs.first();
    if let Some((run, declared)) = first.and_then(|run| Some((run, run.workload.cache()?))) {
        let m = &run.measurement;
        let cache = match (m.direct, declared) {
            (true, _) => "O_DIRECT".to_owned(),
            (false, CacheMode::AsFound | CacheMode::Direct) => "page cache".to_owned(),
            (false, state) => format!("page cache, {state}"),
        };
        conditions.insert("cache".to_owned(), cache);
        conditions.insert("backend".to_owned(), m.backend.to_string());
    }
    conditions.insert("target".to_owned(), arm.target.path.clone());
    conditions.insert("beneath".to_owned(), arm.target.beneath.clone());
    conditions.insert("etalon".to_owned(), arm.tool_version.to_owned());
    conditions
}

fn of_io(io: &IoWorkload) -> BTreeMap<String, String> {
    let Ok(Value::Object(workload)) = serde_json::to_value(io) else {
        return BTreeMap::new();
    };
    let counted = workload.into_iter();
    let counted = counted.filter(|(name, _)| !FREE.contains(&name.as_str()));
    counted.map(|(name, value)| (name, plain(&value))).collect()
}

/// Of a task only what it says of itself counts: the options of I/O are not used.
fn of_task(task: &TaskWorkload) -> BTreeMap<String, String> {
    let unit = match task.figure {
        TaskFigure::Rate => "a rate",
        TaskFigure::Throughput => "a throughput",
        TaskFigure::Time => "a time",
    };
    let mut conditions = BTreeMap::from([
        ("work".to_owned(), task.work.clone()),
        ("step".to_owned(), task.step.clone()),
        ("figure".to_owned(), unit.to_owned()),
    ]);
    for (name, value) in &task.parameters {
        // Real work may have a parameter that is called like a condition of every cell.
        let name = match conditions.contains_key(name) || OF_EVERY_CELL.contains(&name.as_str()) {
            true => format!("set-{name}"),
            false => name.clone(),
        };
        conditions.insert(name, value.to_string());
    }
    conditions
}

fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}
