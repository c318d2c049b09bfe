//! The rows of a quick check.

use serde_json::Value;

use super::SHORT;

/// What the quick check measures, in the order of its table.
pub(crate) const ROWS: [&str; 9] = [
    "streaming read",
    "random read 4 KiB, depth 1",
    "random read 4 KiB, depth 32",
    "streaming write",
    "random write 4 KiB, depth 1",
    "random write 4 KiB, depth 32",
    "create files",
    "stat files",
    "remove files",
];

/// The row that a check has only where there is time for it, after all others.
pub(crate) const WHERE_TIME_ALLOWS: &str = "create files with fsync";

/// The words of a quick check of `place` that has its intervals after a short time.
pub(crate) fn short_check(place: &str) -> [&str; 5] {
    ["quick", place, "--budget", SHORT, "--json"]
}

/// Those of `rows` that a quick check has a figure of, or names as dropped: where the machine has
/// other work to do, the time may not suffice for all of them. What has a figure stands in the order of
/// the table.
pub(crate) fn measured_or_dropped(document: &Value, rows: &[&'static str]) -> Vec<&'static str> {
    let texts = |key: &str| document[key].as_array().unwrap().clone();
    let cells = texts("cells");
    let names = cells.iter().map(|cell| cell["name"].as_str().unwrap());
    let names = names.filter(|name| *name != WHERE_TIME_ALLOWS);
    let places = names.map(|name| rows.iter().position(|row| *row == name).unwrap());
    let places: Vec<usize> = places.collect();
    assert!(places.is_sorted(), "{places:?}");
    let dropped = texts("dropped");
    let is_told = |row: &str| dropped.iter().any(|name| name == row);
    let rows = rows.iter().enumerate();
    rows.filter(|(place, row)| places.contains(place) || is_told(row))
        .map(|(_, row)| *row)
        .collect()
}
