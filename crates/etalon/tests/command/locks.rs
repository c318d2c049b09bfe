//! Two at once on one target.

use crate::common::{Ground, Home, Image, Loop, finish, root_for, start, wait_for};

/// Starts one measurement and tries a second until it is refused.
fn second_is_refused(target: &str) {
    let (home, other) = (Home::new(), Home::new());
    let op = ["--op", "randread", "--time", "4s"];
    let first = start(home.etalon([&["measure", target], &op[..]].concat()));
    let pid = format!("process {}", first.id());
    let refused = wait_for("the refusal", || {
        let said = other.run(["measure", target, "--op", "randread", "--time", "50ms"]);
        (said.code == Some(1)).then_some(said)
    });
    refused.refused(1, &["another etalon", &pid, "wait for it to end"]);
    let quick = other.run(["quick", target, "--budget", "5s"]);
    quick.refused(1, &["another etalon", &pid]);
    let said = finish(first);
    assert!(matches!(said.code, Some(0 | 3)), "{said:?}");
}

#[test]
fn the_second_on_a_filesystem_is_refused_and_told_by_whom() {
    let ground = Ground::new();
    second_is_refused(ground.name());
    // Another directory of the same filesystem is the same target.
    let (below, home) = (ground.path().join("below"), Home::new());
    std::fs::create_dir(&below).unwrap();
    let words = [
        "measure",
        ground.name(),
        "--op",
        "randread",
        "--file-size",
        "1M",
        "--time",
        "3s",
    ];
    let first = start(home.etalon(words));
    let below = below.to_str().unwrap();
    wait_for("the refusal", || {
        let said = home.run(["measure", below, "--op", "randread", "--time", "50ms"]);
        (said.code == Some(1)).then_some(said)
    })
    .refused(1, &["another etalon"]);
    finish(first);
}

#[test]
fn the_second_on_a_device_is_refused_and_told_by_whom() {
    if root_for("the_second_on_a_device_is_refused_and_told_by_whom") {
        let disk = Loop::new(Image::new(32));
        second_is_refused(disk.device.to_str().unwrap());
    }
}
