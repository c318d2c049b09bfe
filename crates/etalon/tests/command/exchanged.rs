//! A private directory in a place that everybody may write, exchanged for a link by another user.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Child, Command};

use etalon_testbed::kept_runs;
use rustix::process::{Pid, Signal, kill_process};

use crate::common::{Ground, Home, finish, left_in, root_for, scratch_in, start, wait_while};

/// The user `nobody` moves the private directory aside as soon as it is whole, and puts a link to
/// somebody's directory in its place.
fn exchange(child: &Child, place: &Path, victim: &Path) {
    let private = wait_while(child, "a private directory", || {
        let name = scratch_in(place).pop()?;
        Some(place.join(name)).filter(|path| path.join(".etalon-marker").exists())
    });
    let mut command = Command::new("setpriv");
    let swap = "mv \"$0\" \"$1/aside\" && ln -s \"$2\" \"$0\"";
    command
        .args(["--reuid=65534", "--regid=65534", "--clear-groups"])
        .args(["sh", "-c", swap])
        .args([&private, place, victim]);
    assert!(command.status().unwrap().success());
}

fn attacked(line: &str) {
    if !root_for("exchanged: a private directory is used where it was made") {
        return;
    }
    let (home, ground) = (Home::new(), Ground::new());
    let (place, victim) = (ground.path().join("place"), ground.path().join("victim"));
    for (path, mode) in [(ground.path(), 0o755), (&place, 0o777), (&victim, 0o700)] {
        let _ = fs::create_dir(path);
        fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
    }
    // Whatever is made in it or removed from it leaves its trace here.
    let changed = || fs::metadata(&victim).unwrap().modified().unwrap();
    let before = changed();
    let line = line.replace("PLACE", place.to_str().unwrap());
    let child = start(home.etalon_that_hears(line.split(' ')));
    exchange(&child, &place, &victim);
    // Whatever comes now finds the link; two runs later it has been met.
    let met = kept_runs(&home.store()) + 2;
    wait_while(&child, "two more runs", || {
        (kept_runs(&home.store()) >= met).then_some(())
    });
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    let said = finish(child);
    assert_eq!(said.code, Some(130), "{said:?}");
    assert_eq!(
        changed(),
        before,
        "LOST: the other one was written: {said:?}"
    );
    assert_eq!(
        left_in(&place.join("aside")),
        [".etalon-marker"],
        "{said:?}"
    );
    assert!(
        !said.out.contains("/proc/") && !said.err.contains("/proc/"),
        "{said:?}"
    );
}

#[test]
fn a_measurement_stays_where_it_was_made() {
    attacked("measure PLACE --op write -s 1m --time 200ms --runs 600");
}

#[test]
fn a_quick_check_stays_where_it_was_made() {
    attacked("quick PLACE --budget 90s");
}

#[test]
fn several_workloads_stay_where_they_were_made() {
    attacked(
        "together --runs 600 --time 200ms -- PLACE --op randread -s 1M -- PLACE --op write -s 1M",
    );
}

#[test]
fn operations_on_names_stay_where_they_were_made() {
    attacked("metadata PLACE --files 200 --depth 2 --breadth 10 --runs 600");
}

#[test]
fn real_work_stays_where_it_was_made() {
    attacked("work copy-tree PLACE --set files=mail --set size=4M --runs 600");
}
