//! The quick check on the filesystems that people have.

use std::path::Path;

use crate::common::{
    Ground, Home, Mount, ROWS, SHORT, Said, left_in, measured_or_dropped, root_for,
};

/// What the page calls them.
const LABELS: [&str; 9] = [
    "sequential read",
    "random read 4 KiB QD1",
    "random read 4 KiB QD32",
    "sequential write",
    "random write 4 KiB QD1",
    "random write 4 KiB QD32",
    "create files",
    "stat files",
    "remove files",
];

/// Keys that every cell has.
const KEYS: [&str; 19] = [
    "workload",
    "runs",
    "median",
    "interval",
    "unit",
    "values",
    "iops",
    "bytes_per_second",
    "operations",
    "bytes",
    "duration_ns",
    "cpu_user_ns",
    "cpu_system_ns",
    "latency_ns",
    "device_read_share",
    "device_write_share",
    "verdict",
    "needed_ns",
    "findings",
];

/// A quick check as a document, then the same as a page: both are whole.
fn quick_is_whole(home: &Home, place: &Path, budget: &str) {
    let name = place.to_str().unwrap();
    let said = home.run_in_time(&[
        "quick",
        name,
        "--budget",
        budget,
        "--max-runs",
        "6",
        "--json",
    ]);
    assert!(matches!(said.code, Some(0 | 3)), "{said:?}");
    document_is_whole(&said);
    let measured = said.json()["cells"].as_array().unwrap().clone();
    let id = said.json()["experiment"].to_string();
    let page = home.run(["show", &id]);
    assert_eq!(page.code, Some(0), "{page:?}");
    table_is_whole(&page.out, &measured);
    let details = home.run(["show", &id, "--details"]);
    let heading = details.out.lines().find(|line| line.contains("result"));
    for part in ["±", "95 % interval", "mean", "median", "runs", "verdict"] {
        assert!(heading.unwrap().contains(part), "{part}: {details:?}");
    }
}

fn document_is_whole(said: &Said) {
    let document = said.json();
    assert_eq!(document["format"], "etalon-summary");
    assert_eq!(document["interrupted"], false);
    let cells = document["cells"].as_array().unwrap();
    assert_eq!(measured_or_dropped(&document, &ROWS), ROWS);
    for cell in cells {
        for key in KEYS {
            assert!(cell.get(key).is_some(), "{key} in {cell}");
        }
        for key in ["p50", "p99", "p999", "max"] {
            assert!(cell["latency_ns"].get(key).is_some(), "{key} in {cell}");
        }
        assert!(cell["runs"].as_u64().unwrap() >= 1, "{cell}");
        assert!(cell["median"].as_f64().unwrap() > 0.0, "{cell}");
        assert!(cell["iops"].as_f64().unwrap() > 0.0, "{cell}");
        assert!(cell["latency_ns"]["max"].as_u64().unwrap() > 0, "{cell}");
    }
}

fn table_is_whole(page: &str, measured: &[serde_json::Value]) {
    let is_measured = |name: &str| measured.iter().any(|cell| cell["name"] == name);
    let rows = ROWS.iter().zip(LABELS);
    for (_, row) in rows.filter(|(name, _)| is_measured(name)) {
        let line = page
            .lines()
            .find(|line| {
                let rest = line.trim_start().strip_prefix(row);
                // The answer above the table may name a row too.
                rest.is_some_and(|rest| rest.starts_with("  "))
            })
            .unwrap_or_else(|| panic!("no row {row} in {page}"));
        let columns: Vec<&str> = line
            .trim()
            .split("  ")
            .filter(|c| !c.trim().is_empty())
            .collect();
        // Its name, the result, its interval or what is missing to one, a percentile or the runs.
        assert!(columns.len() >= 4, "{columns:?}");
        let interval = columns[2].trim();
        assert!(
            interval.ends_with('%') || interval.starts_with('?'),
            "{columns:?}"
        );
    }
    let line = page.lines().next().unwrap();
    assert!(line.contains(": ") && line.len() > 10, "{line}");
}

#[test]
fn ext4() {
    if root_for("ext4") {
        let (home, mount) = (Home::new(), Mount::image("ext4", 384, "rw"));
        quick_is_whole(&home, mount.path(), SHORT);
        assert_eq!(left_in(mount.path()), [""; 0]);
    }
}

#[test]
fn xfs() {
    if root_for("xfs") {
        let (home, mount) = (Home::new(), Mount::image("xfs", 512, "rw"));
        quick_is_whole(&home, mount.path(), SHORT);
        assert_eq!(left_in(mount.path()), [""; 0]);
    }
}

#[test]
fn btrfs() {
    if root_for("btrfs") {
        let (home, mount) = (Home::new(), Mount::image("btrfs", 512, "rw"));
        quick_is_whole(&home, mount.path(), SHORT);
        assert_eq!(left_in(mount.path()), [""; 0]);
    }
}

#[test]
fn shared_memory() {
    let ground = Ground::in_memory();
    // Here with time for the runs of an interval.
    quick_is_whole(&Home::new(), ground.path(), "20s");
    assert_eq!(left_in(ground.path()), [""; 0]);
}
