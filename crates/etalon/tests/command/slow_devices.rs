//! The check of a device that a limit makes slow: every row has its runs or is named as dropped.

use crate::common::{
    Cap, Home, Image, Limit, Loop, Mount, ROWS, left_in, measured_or_dropped, root_for, run,
};

/// Fewest runs with an interval.
const FEWEST: u64 = 6;

fn every_row_is_told(limit: Limit) {
    let (home, device) = (Home::new(), Loop::new(Image::new(512)));
    let mount = Mount::of_device("ext4", &device.device);
    let cap = Cap::new(&device.device, limit);
    let name = mount.path().to_str().unwrap();
    let words = ["quick", name, "--budget", "40s", "--json"];
    let program = std::path::Path::new(env!("CARGO_BIN_EXE_etalon"));
    let said = run(home.in_home(cap.around(program), words));
    assert!(matches!(said.code, Some(0 | 3)), "{said:?}");
    let document = said.json();
    assert_eq!(measured_or_dropped(&document, &ROWS), ROWS);
    let cells = document["cells"].as_array().unwrap();
    assert!(!cells.is_empty(), "{said:?}");
    // Where nothing at all could be repeated often enough, everything that was measured is shown.
    let is_named = said.out.contains("Dropped: ");
    for cell in cells {
        let runs = cell["runs"].as_u64().unwrap();
        assert!(runs >= FEWEST || !is_named, "{cell}");
    }
    let page = home.run(["show", &document["experiment"].to_string()]);
    let widest = page.out.lines().map(|line| line.chars().count()).max();
    assert!(widest <= Some(80), "{page:?}");
    assert_eq!(left_in(mount.path()), [""; 0]);
}

#[test]
fn a_hundred_operations_a_second() {
    if root_for("a_hundred_operations_a_second") {
        every_row_is_told(Limit::Iops(100));
    }
}

#[test]
fn two_megabytes_a_second() {
    if root_for("two_megabytes_a_second") {
        every_row_is_told(Limit::BytesPerSecond(2_000_000));
    }
}
