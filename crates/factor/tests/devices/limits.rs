//! Limits on devices.

use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::process::Command;

use etalon_factor::condition::GroundDisk;
use etalon_testbed::{ControlGroup, Loop, skip};
use rustix::fs::{major, minor};
use serde_json::{Value, json};

use crate::again::Said;
use crate::machine::Machine;

/// The loop device with a limit on it, where a test runs once more within the group that has this limit.
const LIMITED: &str = "ETALON_TEST_LIMITED";

#[test]
fn a_level_keeps_the_limits_that_the_own_group_has() {
    let name = "a_level_keeps_the_limits_that_the_own_group_has";
    let Some(mut machine) = Machine::new(name) else {
        return;
    };
    if let Some(disk) = std::env::var_os(LIMITED) {
        let name = disk.into_string().unwrap();
        machine.ground.disks = vec![GroundDisk {
            name,
            is_leaf: true,
        }];
        return tell_limits(&machine);
    }
    let image = machine.place.path().join("image");
    fs::File::create(&image).unwrap().set_len(1 << 20).unwrap();
    let Some(device) = Loop::for_test(name, &image, &[]) else {
        return;
    };
    let number = fs::metadata(device.node()).unwrap().rdev();
    let number = format!("{}:{}", major(number), minor(number));
    let Some(group) = limited(&number) else {
        return skip(name, "no control group limits I/O here");
    };
    let disk = device.node().file_name().unwrap();
    let said = Said::within(&group, &format!("limits::{name}"), (LIMITED, disk));
    // Its own beside that of the level, which is for writes.
    let beside = said.line("writes: ");
    assert!(
        beside.contains("1048576") && beside.contains("52428800"),
        "{}",
        said.0
    );
    let looser = said.line("reads: ");
    assert!(looser.contains("52428800', which was set"), "{}", said.0);
}

/// The limits of the group into which each level puts this process, or why it does not.
fn tell_limits(machine: &Machine) {
    for (name, limit) in [("writes", "write_bytes"), ("reads", "read_bytes")] {
        let level = json!({ "value": name, limit: "50M" });
        let told = limits_of(machine, &level).replace('\n', "; ");
        println!("{name}: {told}");
    }
}

/// A group that reads at most 1 MiB a second of the device.
fn limited(number: &str) -> Option<ControlGroup> {
    let first = format!("{number} 1048576");
    let second = format!("{number} rbps=1048576");
    let files = [("blkio.throttle.read_bps_device", first.as_str())];
    ControlGroup::limited(("blkio", &files), &[("io.max", &second)])
}

fn limits_of(machine: &Machine, level: &Value) -> String {
    match machine.apply("io_limit", level) {
        Ok(applied) => {
            let limits = own_limits();
            applied.restore().unwrap();
            limits
        }
        Err(error) => error.to_string(),
    }
}

fn own_limits() -> String {
    let script = "for group in $(sed -n 's/^[^:]*:[^:]*://p' /proc/self/cgroup | grep etalon-); do \
        cat /sys/fs/cgroup/blkio$group/blkio.throttle.*_device /sys/fs/cgroup$group/io.max; done 2>/dev/null";
    let done = Command::new("sh").args(["-c", script]).output().unwrap();
    String::from_utf8_lossy(&done.stdout).into_owned()
}
