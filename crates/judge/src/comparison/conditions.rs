//! In what two arms differ beyond what the comparison is about.

use std::collections::BTreeMap;

use etalon_model::CacheMode;
use serde_json::Value;

use super::Arm;

/// Fields of a workload that do not change what is measured: the length of a run, the random
/// choices, and the model of a device that was not used.
const FREE: [&str; 6] = ["seed", "end", "warm_up", "files", "batch", "fake"];

/// A sentence for each condition that differs and is not among the declared ones.
pub(super) fn undeclared(base: &Arm<'_>, arm: &Arm<'_>, declared: &[String]) -> Vec<String> {
    let (left, right) = (conditions(base), conditions(arm));
    let is_declared = |name: &str| {
        // Another target has another stack beneath it.
        let implied = name == "beneath" && declared.iter().any(|by| by == "target");
        implied || declared.iter().any(|by| by == name)
    };
    left.iter()
        .filter(|(name, _)| !is_declared(name))
        .filter_map(|(name, value)| {
            let other = right.get(name)?;
            (other != value).then(|| {
                format!("{name} is {value} here and {other} there; declare it with --by {name} if that is what you compare.")
            })
        })
        .collect()
}

/// What must agree, by name.
fn conditions(arm: &Arm<'_>) -> BTreeMap<String, String> {
    let mut conditions = BTreeMap::new();
    if let Ok(Value::Object(workload)) = serde_json::to_value(&arm.cell.workload) {
        for (name, value) in workload {
            if !FREE.contains(&name.as_str()) {
                conditions.insert(name, plain(&value));
            }
        }
    }
    if let Some(run) = arm.runs.first() {
        let m = &run.measurement;
        let cache = match (m.direct, run.workload.cache) {
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

fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}
