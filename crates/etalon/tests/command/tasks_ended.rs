//! Operations on names and real work that did not come to their end.

use etalon_testbed::kept_runs;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

use crate::common::{
    Ground, Home, Mount, finish, left_in, root_for, scratch_in, start, wait_while,
};
use crate::failing_disks::FailingDisk;
use crate::tasks::{exported, names_of, words};

/// The document of a command that was interrupted after so many runs.
fn stopped(home: &Home, ground: &Ground, words: &[&str], after: u64) -> Value {
    let met = kept_runs(&home.store()) + after;
    let child = start(home.etalon_that_hears(words));
    wait_while(&child, "the scratch directory", || {
        scratch_in(ground.path()).pop()
    });
    wait_while(&child, "runs that have ended", || {
        (kept_runs(&home.store()) >= met).then_some(())
    });
    let pid = Pid::from_raw(i32::try_from(child.id()).unwrap()).unwrap();
    kill_process(pid, Signal::INT).unwrap();
    let said = finish(child);
    assert_eq!(said.code, Some(130), "{said:?}");
    assert_eq!(left_in(ground.path()), [""; 0]);
    let document = said.json();
    assert_eq!(document["interrupted"], true);
    document
}

#[test]
fn an_interrupt_keeps_the_passes_that_had_ended() {
    let (home, ground) = (Home::new(), Ground::new());
    let names = words(
        &["metadata", ground.name()],
        "--runs 100000 --files 3 --depth 1 --json",
    );
    let size = "--set size=4M --runs 100000 --json";
    let work = words(&["work", "copy-tree", ground.name()], size);
    for words in [&names, &work] {
        for after in [0, 1, 9] {
            let document = stopped(&home, &ground, words, after);
            let cells = document["cells"].as_array().unwrap().iter();
            let runs: u64 = cells
                .map(|cell| cell["values"].as_array().unwrap().len() as u64)
                .sum();
            match document["experiment"].as_i64() {
                None => assert_eq!((runs, after), (0, 0), "{document}"),
                Some(id) => {
                    let kept = exported(&home, &id.to_string());
                    assert_eq!(kept["state"], "interrupted");
                    let kept = kept["runs"].as_array().unwrap();
                    assert!(kept.len() as u64 >= runs, "{document}");
                }
            }
        }
    }
}

#[test]
fn a_full_disk_is_labelled_and_what_was_done_before_it_is_kept() {
    if !root_for("a_full_disk_is_labelled_and_what_was_done_before_it_is_kept") {
        return;
    }
    let (home, small) = (Home::new(), Mount::tmpfs(16));
    let place = small.path().to_str().unwrap();
    // Grows past the filesystem in its second step, outside of what etalon can foresee.
    let steps = [
        "work",
        "command",
        place,
        "--set",
        "step=true",
        "--set",
        "step=dd if=/dev/zero of=big bs=1M count=64",
        "--runs",
        "6",
    ];
    let said = home.run(steps);
    assert_eq!(said.code, Some(1), "{said:?}");
    assert!(said.out.contains("Ended early: Run 1: "), "{said:?}");
    assert!(said.out.contains("INVALID"), "{said:?}");
    let findings = home.run(["show", "1", "--findings"]);
    assert!(findings.out.contains("[run-failed]"), "{findings:?}");
    let list = home.experiments();
    assert_eq!(
        (&list[0]["state"], &list[0]["runs"]),
        (&"interrupted".into(), &2.into())
    );
    assert_eq!(
        exported(&home, "1")["runs"][1]["measurement"]["ended"],
        "disk-full"
    );
    assert_eq!(left_in(small.path()), [""; 0]);
}

#[test]
fn a_step_that_a_failing_disk_ended_is_labelled() {
    if !root_for("a_step_that_a_failing_disk_ended_is_labelled") {
        return;
    }
    let (home, disk) = (Home::new(), FailingDisk::with(40));
    let place = disk.path().to_str().unwrap();
    let writer = "step=dd if=/dev/zero of=big bs=1M count=60 conv=fsync";
    let steps = ["--set", "step=true", "--set", writer, "--runs", "6"];
    let said = home.run([&["work", "command", place], &steps[..]].concat());
    assert_eq!(said.code, Some(1), "{said:?}");
    assert!(said.out.contains("Ended early: Run 1: "), "{said:?}");
    assert!(said.out.contains("INVALID"), "{said:?}");
    let findings = home.run(["show", "1", "--findings"]);
    assert!(findings.out.contains("[run-failed]"), "{findings:?}");
    assert_eq!(home.experiments()[0]["state"], "interrupted");
}

#[test]
fn the_operations_before_a_failing_disk_are_kept() {
    if !root_for("the_operations_before_a_failing_disk_are_kept") {
        return;
    }
    let (home, disk) = (Home::new(), FailingDisk::with(40));
    let place = disk.path().to_str().unwrap();
    // 60 MiB in 60 files.
    let shape = "--depth 1 --breadth 5 --files 10 --file-size 1M --durability phase --json";
    let said = home.run(words(&["metadata", place], shape));
    assert_eq!(said.code, Some(1), "{said:?}");
    let document = said.json();
    let failure = document["failure"].as_str().unwrap();
    assert!(failure.starts_with("Run 1: write"), "{failure}");
    let cells = document["cells"].as_array().unwrap();
    assert_eq!(names_of(&document["cells"]), ["mkdir", "create", "write"]);
    let failed: Vec<bool> = cells
        .iter()
        .map(|cell| cell["reasons"].to_string().contains("run-failed"))
        .collect();
    assert_eq!(failed, [false, false, true], "{document}");
    assert_eq!(document["records"].as_array().unwrap().len(), 1);
    assert_eq!(home.experiments()[0]["runs"], 3);
}

#[test]
fn what_a_filesystem_lacks_is_said() {
    if !root_for("what_a_filesystem_lacks_is_said") {
        return;
    }
    let (home, mount) = (Home::new(), Mount::ramfs());
    let place = mount.path().to_str().unwrap();
    let some = home.run([
        "metadata",
        place,
        "--operations",
        "create,xattr",
        "--runs",
        "1",
    ]);
    let none = home.run(["metadata", place, "--operations", "setxattr", "--runs", "1"]);
    mount.unmount();
    // One run has no interval, and may be disturbed.
    assert!(matches!(some.code, Some(0 | 3)), "{some:?}");
    assert!(
        some.joined()
            .contains("setxattr: the filesystem does not have it"),
        "{some:?}"
    );
    none.refused(1, &["nothing was measured", "setxattr"]);
}

#[test]
fn a_kill_leaves_nothing_on_either_target_once_restored() {
    let (home, ground, other) = (Home::new(), Ground::new(), Ground::new());
    let target = format!("target={}", other.name());
    let settings = ["--set", &target, "--set", "size=4M", "--runs", "100000"];
    let mut child =
        start(home.etalon([&["work", "copy-tree", ground.name()][..], &settings].concat()));
    wait_while(&child, "a directory on the other target", || {
        scratch_in(other.path()).pop()
    });
    wait_while(&child, "a first run", || {
        (kept_runs(&home.store()) > 0).then_some(())
    });
    child.kill().unwrap();
    child.wait().unwrap();
    let restored = home.run(["restore"]);
    assert_eq!(restored.code, Some(0), "{restored:?}");
    assert_eq!(left_in(ground.path()), [""; 0]);
    assert_eq!(left_in(other.path()), [""; 0]);
}
