//! The check of a device that a limit makes slow: every row of data has a figure, and those without an interval
//! are named with the time that they take.

use std::thread;

use serde_json::Value;

use crate::common::{
    Cap, Home, Image, Limit, Loop, Mount, ROWS, left_in, measured_or_dropped, root_for, run,
};

/// Fewest runs with an interval.
const FEWEST: u64 = 6;
/// Rows that read and write; metadata operations follow.
const DATA: usize = 6;

fn every_row_is_told(limit: Limit) {
    let (home, device) = (Home::new(), Loop::new(Image::new(512)));
    let mount = Mount::of_device("ext4", &device.device);
    let cap = Cap::new(&device.device, limit);
    let name = mount.path().to_str().unwrap();
    let words = ["quick", name, "--budget", "20s", "--json"];
    let program = std::path::Path::new(env!("CARGO_BIN_EXE_etalon"));
    let said = run(home.in_home(cap.around(program), words));
    assert!(matches!(said.code, Some(0 | 3)), "{said:?}");
    let document = said.json();
    assert_eq!(measured_or_dropped(&document, &ROWS), ROWS);
    let cells = document["cells"].as_array().unwrap();
    assert!(!cells.is_empty(), "{said:?}");
    for row in &ROWS[..DATA] {
        let is_row = |cell: &&Value| cell["name"] == **row;
        assert!(cells.iter().any(|cell| is_row(&cell)), "no {row}: {said:?}");
    }
    let lacking = document["dropped"].as_array().unwrap();
    for cell in cells {
        let runs = cell["runs"].as_u64().unwrap();
        // Another run does not make true what is invalid: such a row gets no more of them for one that was left out.
        let is_told = lacking.contains(&cell["name"]) || cell["verdict"] == "invalid";
        assert!(runs >= FEWEST || is_told, "{cell}");
    }
    let told = document["choices"].as_array().unwrap().iter();
    let told = told
        .filter_map(Value::as_str)
        .find(|choice| choice.starts_with("Too few runs"));
    // What was said while it ran and what stands at its end is one and the same.
    let last = said
        .err
        .lines()
        .rev()
        .find(|line| line.contains("Too few runs"));
    assert_eq!(told.is_some(), !lacking.is_empty(), "{said:?}");
    assert!(
        told.is_none_or(|told| last.is_some_and(|last| last.contains(told))),
        "{said:?}"
    );
    let page = home.run(["show", &document["experiment"].to_string()]);
    let widest = page.out.lines().map(|line| line.chars().count()).max();
    assert!(widest <= Some(80), "{page:?}");
    assert_eq!(left_in(mount.path()), [""; 0]);
}

#[test]
fn a_hundred_operations_and_two_megabytes_a_second() {
    if !root_for("a_hundred_operations_and_two_megabytes_a_second") {
        return;
    }
    // Both wait for their devices nearly all the time.
    thread::scope(|scope| {
        for limit in [Limit::Iops(100), Limit::BytesPerSecond(2_000_000)] {
            scope.spawn(move || every_row_is_told(limit));
        }
    });
}
