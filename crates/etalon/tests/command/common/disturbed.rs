//! What other work on the machine does to figures, which no test can rule out.

use serde_json::Value;

/// Checks that speak of the machine around a run.
const AROUND: [&str; 5] = [
    "background-work",
    "environment-changed",
    "foreign-io",
    "memory-pressure",
    "steal",
];
const ATTEMPTS: usize = 5;

/// Whether this cell of a document is invalid by nothing but the machine around it.
pub(crate) fn is_disturbed(cell: &Value) -> bool {
    cell["verdict"] == "invalid" && all_around(strings(&cell["reasons"]))
}

/// Whether this comparison was refused by nothing but the machine around its runs.
pub(crate) fn is_refused_as_disturbed(comparison: &Value) -> bool {
    let verdict = &comparison["verdict"];
    let codes = strings(&verdict["reasons"]).flat_map(|reason| match reason.split_once('(') {
        Some((before, codes)) if before.ends_with("is invalid ") => codes
            .trim_end_matches([')', '.'])
            .split(", ")
            .map(str::to_owned)
            .collect(),
        _ => vec![reason.to_owned()],
    });
    verdict["verdict"] == "refused" && all_around(codes.collect::<Vec<_>>().iter())
}

/// Attempts until one was undisturbed, and of as many that all were disturbed the last.
pub(crate) fn undisturbed<T>(attempt: impl Fn() -> T, is_disturbed: impl Fn(&T) -> bool) -> T {
    let mut tried = attempt();
    for _ in 1..ATTEMPTS {
        if !is_disturbed(&tried) {
            break;
        }
        tried = attempt();
    }
    tried
}

fn strings(list: &Value) -> impl Iterator<Item = &str> {
    list.as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
}

fn all_around(codes: impl Iterator<Item = impl AsRef<str>>) -> bool {
    let mut codes = codes.peekable();
    codes.peek().is_some() && codes.all(|code| AROUND.contains(&code.as_ref()))
}

#[test]
fn only_the_machine_around_a_run_excuses_it() {
    let cell = |codes: &[&str]| serde_json::json!({ "verdict": "invalid", "reasons": codes });
    assert!(is_disturbed(&cell(&["steal", "foreign-io"])));
    assert!(!is_disturbed(&cell(&["steal", "page-cache"])));
    assert!(!is_disturbed(&cell(&[])));
    let refused = |reason: &str| {
        let verdict = serde_json::json!({ "verdict": "refused", "reasons": [reason] });
        serde_json::json!({ "verdict": verdict })
    };
    assert!(is_refused_as_disturbed(&refused(
        "2 is invalid (steal, environment-changed)."
    )));
    assert!(!is_refused_as_disturbed(&refused(
        "2 is invalid (page-cache)."
    )));
    assert!(!is_refused_as_disturbed(&refused("size differs (steal).")));
}
