//! The text of events.

use serde_json::Value;

/// An event of HTML, each line of which is a line of data.
pub(super) fn html(text: &str) -> String {
    let lines = text.lines().map(|line| format!("data: {line}\n"));
    lines.collect::<String>() + "\n"
}

/// An event of the type `stale`, with what is said above the part that changes.
pub(super) fn stale(sentence: &str) -> String {
    format!("event: stale\ndata: {sentence}\n\n")
}

/// An event of the type `sample`.
pub(super) fn sample(value: &Value) -> String {
    format!("event: sample\ndata: {value}\n\n")
}
