//! Plans that are gone on with after the machine was started anew: the boot is exchanged in the store.

use std::fs::File;
use std::process::Command;

use etalon_testbed::{Loop, Mount, mkfs};
use rusqlite::Connection;

use super::manual::{PAUSED, assert_stops, without_terminal};
use crate::common::{Ground, Home, root_for};

/// As if the machine had been started anew since the experiments were begun.
fn started_anew(home: &Home) {
    let boot = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap();
    let store = Connection::open(home.store()).unwrap();
    let sql = "UPDATE experiment SET owner = replace(owner, ?1, 'an-earlier-boot')";
    assert_eq!(store.execute(sql, [boot.trim()]).unwrap(), 1);
}

#[test]
fn only_a_plan_of_an_earlier_boot_is_gone_on_with_after_a_reboot() {
    let (home, ground) = (Home::new(), Ground::new());
    let plan = super::plan(&home, PAUSED);
    let said = without_terminal(&home, &["run", &plan, ground.name(), "--done"]);
    assert_stops(&said, "plug in cable B");
    let said = without_terminal(&home, &["resume", "--after-reboot", "--done"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    assert!(
        said.out.contains("no plan was interrupted before"),
        "{said:?}"
    );
    started_anew(&home);
    let said = without_terminal(&home, &["resume", "--after-reboot", "--done"]);
    assert_stops(&said, "bring about: cable A");
    assert_eq!(home.experiments().len(), 1);
    let document = home.run(["export", "1", "--json"]).json();
    assert_eq!(super::cells(&document).len(), 2);
}

#[test]
fn the_unit_goes_on_with_the_same_words() {
    let home = Home::new();
    let said = home.run([
        "resume",
        "--print-unit",
        "--done",
        "--wait=quiet:2h",
        "--store",
        "my store",
    ]);
    assert_eq!(said.code, Some(0), "{said:?}");
    let command = said
        .out
        .lines()
        .find(|line| line.starts_with("ExecStart="))
        .unwrap();
    for part in [
        "\"resume\" \"--after-reboot\"",
        "\"--done\"",
        "\"--wait=quiet:7200s\"",
        "/my store\"",
    ] {
        assert!(command.contains(part), "{part}: {command}");
    }
    for part in [
        "XDG_STATE_HOME=",
        "WantedBy=multi-user.target",
        "systemctl enable",
    ] {
        assert!(said.out.contains(part), "{part}: {said:?}");
    }
}

/// What systemd says of the unit itself; it is asked of a file, and starts nothing.
#[test]
fn systemd_takes_the_unit_as_it_is_printed() {
    let test = "systemd_takes_the_unit_as_it_is_printed";
    let home = Home::new();
    for store in ["store.sqlite", "a \"b\" $HOME %n \\x/store.sqlite"] {
        let said = home.run(["resume", "--print-unit", "--wait=quiet", "--store", store]);
        assert_eq!(said.code, Some(0), "{said:?}");
        let unit = home.path().join("etalon-resume.service");
        std::fs::write(&unit, &said.out).unwrap();
        let mut verify = Command::new("systemd-analyze");
        verify.args(["verify", "--man=no"]).arg(&unit);
        let Ok(judged) = verify.output() else {
            return etalon_testbed::skip(test, "needs systemd-analyze");
        };
        let complaints = String::from_utf8_lossy(&judged.stderr);
        let of_the_unit = complaints.lines().filter(|line| line.contains("etalon"));
        let of_the_unit: Vec<&str> = of_the_unit.collect();
        assert_eq!(of_the_unit, [""; 0], "{}", said.out);
        assert!(judged.status.success(), "{complaints}{}", said.out);
    }
}

#[test]
fn another_filesystem_under_the_name_of_the_target_is_not_gone_on_with() {
    if !root_for("another_filesystem_under_the_name_of_the_target_is_not_gone_on_with") {
        return;
    }
    let (home, place) = (Home::new(), Ground::new());
    let device = |name: &str| {
        let path = place.path().join(name);
        File::create(&path).unwrap().set_len(32 << 20).unwrap();
        let device = Loop::over(&path, &[]);
        mkfs("ext4", &["-q", device.name()]);
        device
    };
    let (first, second) = (device("first"), device("second"));
    let point = place.path().join("point");
    std::fs::create_dir(&point).unwrap();
    let at = |device: &Loop| Mount::at(&point, &["-t", "ext4", device.name()]);
    let plan = super::plan(&home, PAUSED);
    let mount = at(&first);
    let target = point.to_str().unwrap();
    assert_stops(
        &without_terminal(&home, &["run", &plan, target, "--done"]),
        "plug in cable B",
    );
    mount.unmount();
    let mount = at(&second);
    let said = without_terminal(&home, &["resume", "--done"]);
    said.refused(4, &["was ext4 with the UUID", "see whether it is mounted"]);
    mount.unmount();
    let _mount = at(&first);
    assert_stops(&without_terminal(&home, &["resume", "--done"]), "cable A");
}
