//! The seeds of random places.

use std::collections::BTreeSet;

use serde_json::Value;

/// How many runs of an exported experiment worked on random places. Fails where two of them had the same seed: the later one
/// would find in caches what the earlier one read or wrote.
pub(crate) fn runs_with_own_places(document: &Value) -> usize {
    let workloads = document["runs"].as_array().unwrap().iter();
    let workloads = workloads.map(|run| &run["workload"]);
    let is_random = |of: &&Value| {
        let operation = of["operation"].as_str();
        operation.is_some_and(|name| name.starts_with("rand"))
    };
    let random: Vec<&Value> = workloads.filter(is_random).collect();
    let seeds: BTreeSet<u64> = random
        .iter()
        .map(|of| of["seed"].as_u64().unwrap())
        .collect();
    assert_eq!(
        seeds.len(),
        random.len(),
        "a run works on the places of another"
    );
    random.len()
}
