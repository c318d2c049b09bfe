//! What other work on the machine does to figures, which no test can rule out.

use std::thread;
use std::time::Duration;

use etalon_testbed::OF_THE_MACHINE;
use serde_json::Value;

/// Checks that speak of other work on the storage around a run.
const OF_THE_STORAGE: [&str; 3] = ["background-work", "environment-changed", "foreign-io"];
/// Says that workloads which should be under way together were not, which a stall of one of them brings about.
const APART: &str = "not-together";
const ATTEMPTS: u32 = 5;

/// Whether this cell of a document is invalid, or lacks runs for an interval, by nothing but the
/// machine around it.
pub(crate) fn is_disturbed(cell: &Value) -> bool {
    match cell["verdict"].as_str() {
        Some("invalid") => is_excused(cell),
        Some("undecided") => lost_a_run(cell),
        _ => false,
    }
}

/// Whether all that made this cell invalid is the machine's doing: that it was not together with the others is where the
/// machine is known to have held up one of them.
fn is_excused(cell: &Value) -> bool {
    let findings = cell["findings"].as_array().into_iter().flatten();
    let mut codes = findings.filter_map(|finding| finding["code"].as_str());
    let was_held_up = codes.any(|code| OF_THE_MACHINE.contains(&code));
    let mut reasons = strings(&cell["reasons"]).peekable();
    reasons.peek().is_some()
        && reasons.all(|code| is_around(code) || (code == APART && was_held_up))
}

/// Whether runs of this cell were left out of its figures by nothing but the machine around them.
pub(crate) fn lost_a_run(cell: &Value) -> bool {
    all_around(left_out(cell))
}

/// How many of the runs that were made are in this cell's figures: all but those that the machine around them spoilt.
pub(crate) fn counted_runs(cell: &Value, made: usize) -> usize {
    let counted = cell["values"].as_array().unwrap().len();
    assert!(counted == made || lost_a_run(cell), "{cell}");
    counted
}

/// The checks by which runs of this cell were left out of its figures.
fn left_out(cell: &Value) -> impl Iterator<Item = &str> {
    let findings = cell["findings"].as_array().into_iter().flatten();
    findings
        .filter(|finding| finding["affected"]["left_out"] == true)
        .filter_map(|finding| finding["code"].as_str())
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
    for number in 1..ATTEMPTS {
        if !is_disturbed(&tried) {
            break;
        }
        // A burst of other work is over sooner or later.
        thread::sleep(Duration::from_secs(1) * number);
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

fn is_around(code: &str) -> bool {
    OF_THE_MACHINE.contains(&code) || OF_THE_STORAGE.contains(&code)
}

fn all_around(codes: impl Iterator<Item = impl AsRef<str>>) -> bool {
    let mut codes = codes.peekable();
    codes.peek().is_some() && codes.all(|code| is_around(code.as_ref()))
}

#[test]
fn only_the_machine_around_a_run_excuses_it() {
    let cell = |codes: &[&str]| serde_json::json!({ "verdict": "invalid", "reasons": codes });
    assert!(is_disturbed(&cell(&["steal", "foreign-io"])));
    assert!(!is_disturbed(&cell(&["steal", "page-cache"])));
    assert!(!is_disturbed(&cell(&[])));
    let apart = |code: &str| {
        let findings = [serde_json::json!({ "code": code })];
        serde_json::json!({ "verdict": "invalid", "reasons": [APART], "findings": findings })
    };
    assert!(is_disturbed(&apart("stalled")) && !is_disturbed(&apart("page-cache")));
    assert!(!is_disturbed(&cell(&[APART])));
    let short = |code: &str| {
        let finding = serde_json::json!({ "code": code, "affected": { "left_out": true } });
        serde_json::json!({ "verdict": "undecided", "findings": [finding] })
    };
    assert!(is_disturbed(&short("steal")) && !is_disturbed(&short("page-cache")));
    assert!(!is_disturbed(
        &serde_json::json!({ "verdict": "undecided" })
    ));
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
