//! Two at once on one target.

use std::fs;
use std::os::unix::fs::{FileTypeExt as _, MetadataExt as _};

use crate::common::{Ground, Home, Image, Loop, finish, root_for, start, wait_for};

/// Waits until somebody holds the lock of a target: a socket of that name (`unix(7)`).
fn wait_until_held(target: &str) {
    let meta = fs::metadata(target).unwrap();
    let device = match meta.file_type().is_block_device() {
        true => meta.rdev(),
        false => meta.dev(),
    };
    let name = format!("@etalon/target/{device:#x}");
    wait_for("the lock", || {
        let sockets = fs::read_to_string("/proc/net/unix").unwrap();
        sockets
            .lines()
            .any(|line| line.ends_with(&name))
            .then_some(())
    });
}

/// Starts one measurement and tries a second on `other` meanwhile.
fn second_is_refused(target: &str, other: &str) {
    let home = Home::new();
    let op = ["--op", "randread", "--time", "5s"];
    let first = start(home.etalon([&["measure", target], &op[..]].concat()));
    let pid = format!("process {}", first.id());
    wait_until_held(target);
    for words in [
        &["measure", other, "--op", "randread", "--time", "50ms"][..],
        &["quick", other, "--budget", "5s"],
    ] {
        let said = Home::new().run(words);
        said.refused(1, &["another etalon", &pid, "wait for it to end"]);
    }
    let said = finish(first);
    assert!(matches!(said.code, Some(0 | 3)), "{said:?}");
}

#[test]
fn the_second_on_a_filesystem_is_refused_and_told_by_whom() {
    let ground = Ground::new();
    let below = ground.path().join("below");
    fs::create_dir(&below).unwrap();
    second_is_refused(ground.name(), below.to_str().unwrap());
}

#[test]
fn the_second_on_a_device_is_refused_and_told_by_whom() {
    if root_for("the_second_on_a_device_is_refused_and_told_by_whom") {
        let disk = Loop::new(Image::new(32));
        let device = disk.device.to_str().unwrap();
        second_is_refused(device, device);
    }
}
