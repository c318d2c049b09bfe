//! Operations on names and real work: kept, shown, compared and exported like everything else.

use std::process::Command;
use std::thread;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

use crate::common::{
    Ground, Home, Mount, Said, finish, left_in, root_for, scratch_in, start, wait_for,
};

/// Few enough names that a pass takes no time, and enough for thirty operations of each kind.
const NAMES: &str = "--operations mkdir,create,stat,unlink --depth 1 --breadth 40 --files 2";

fn words<'a>(first: &[&'a str], rest: &'a str) -> Vec<&'a str> {
    let mut words = first.to_vec();
    words.extend(rest.split(' '));
    words
}

fn metadata(home: &Home, place: &str, rest: &str) -> Said {
    let mut all = words(&["metadata", place], NAMES);
    all.extend(rest.split(' '));
    home.run(all)
}

fn copy(home: &Home, place: &str, rest: &str) -> Said {
    home.run(words(
        &["work", "copy-tree", place, "--set", "files=mail"],
        rest,
    ))
}

fn names_of(cells: &Value) -> Vec<String> {
    let cells = cells.as_array().unwrap().iter();
    cells
        .map(|cell| cell["name"].as_str().unwrap().to_owned())
        .collect()
}

/// The one experiment of the store, as `export` gives it.
fn exported(home: &Home, id: &str) -> Value {
    let said = home.run(["export", id, "--json"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    said.json()
}

#[test]
fn operations_on_names_are_kept_shown_and_exported() {
    let (home, ground) = (Home::new(), Ground::new());
    let said = metadata(&home, ground.name(), "--runs 6");
    for part in ["operation", "p99.9", "95 % interval", "op/s", "Kept as"] {
        assert!(said.out.contains(part), "no {part}: {said:?}");
    }
    assert!(said.out.starts_with(ground.name()), "{said:?}");
    assert!(said.out.contains("\nmetadata: "), "{said:?}");
    let list = home.experiments();
    assert_eq!((list.len(), &list[0]["kind"]), (1, &"metadata".into()));
    assert_eq!(list[0]["state"], "finished");
    assert_eq!(list[0]["cells"], 4);
    let valid = list[0]["valid_cells"] == 4;
    assert_eq!(said.code, Some(if valid { 0 } else { 3 }), "{said:?}");
    let document = exported(&home, "1");
    let cells = &document["cells"];
    assert_eq!(names_of(cells), ["mkdir", "create", "stat", "unlink"]);
    assert_eq!(cells[1]["unit"], "op/s");
    assert_eq!(cells[1]["operations"], 6 * 82);
    assert_eq!(cells[1]["workload"]["operation"], "task");
    assert_eq!(cells[1]["workload"]["task"]["figure"], "rate");
    assert_eq!(document["runs"].as_array().unwrap().len(), 24);
    assert!(document["runs"][3]["circumstances"]["machine"].is_object());
    let shown = home.run(["show", "1"]);
    assert_eq!(shown.code, Some(0), "{shown:?}");
    let table = |said: &Said| -> Vec<String> {
        let rows = said.out.lines().filter(|line| line.contains("op/s"));
        rows.map(str::to_owned).collect()
    };
    assert_eq!(table(&shown), table(&said));
    let csv = home.run(["export", "1", "--csv"]);
    assert_eq!(csv.out.lines().count(), 25, "{csv:?}");
    assert_eq!(left_in(ground.path()), [""; 0]);
}

#[test]
fn one_run_gives_no_interval_and_is_not_valid() {
    let (home, ground) = (Home::new(), Ground::new());
    let said = metadata(&home, ground.name(), "--runs 1 --seed 5 --json");
    assert_eq!(said.code, Some(3), "{said:?}");
    let document = said.json();
    assert_eq!(document["format"], "etalon-summary");
    assert_eq!(document["kind"], "metadata");
    assert_eq!(document["cells"][0]["verdict"], "undecided");
    assert_eq!(document["cells"][0]["interval"], Value::Null);
    let records = document["records"].as_array().unwrap();
    assert_eq!(records.len(), 1);
    assert_eq!(records[0]["workload"]["seed"], 5);
    assert_eq!(records[0]["phases"][1]["count"], 82);
}

#[test]
fn left_to_itself_it_repeats_until_there_is_an_interval() {
    let (home, ground) = (Home::new(), Ground::new());
    let said = metadata(&home, ground.name(), "--precision 99% --json");
    let passes = said.json()["records"].as_array().unwrap().len();
    assert!([6, 8, 10, 13, 16, 20, 25, 30].contains(&passes), "{said:?}");
    let said = metadata(&home, ground.name(), "--precision 0.0001% --json");
    assert_eq!(said.code, Some(3), "{said:?}");
    assert_eq!(said.json()["records"].as_array().unwrap().len(), 30);
}

#[test]
fn steps_of_real_work_are_seconds_until_durable() {
    let (home, ground) = (Home::new(), Ground::new());
    let said = copy(&home, ground.name(), "--set size=1M --runs 6");
    assert!(matches!(said.code, Some(0 | 3)), "{said:?}");
    for part in [
        "step, until durable",
        "returned",
        "wait",
        "\ncopy-tree: ",
        "\nInput: generated: mail ",
        "files mail",
    ] {
        assert!(said.out.contains(part), "no {part}: {said:?}");
    }
    assert_eq!(home.experiments()[0]["kind"], "work");
    let document = exported(&home, "1");
    let cell = &document["cells"][0];
    assert_eq!(
        (&cell["name"], &cell["unit"]),
        (&"copy".into(), &"s".into())
    );
    for run in document["runs"].as_array().unwrap() {
        let m = &run["measurement"];
        assert!(m["duration"].as_u64() >= m["final_fsync"].as_u64(), "{m}");
        assert!(m["metadata"]["operations"].as_u64() > Some(0), "{m}");
    }
    let row = |said: &Said| {
        said.out
            .lines()
            .find(|l| l.contains("copy  "))
            .map(str::to_owned)
    };
    let shown = home.run(["show", "1"]);
    assert_eq!(row(&shown), row(&said), "{shown:?}");
    assert_eq!(left_in(ground.path()), [""; 0]);
}

#[test]
fn of_two_times_the_shorter_is_the_faster() {
    let (home, ground) = (Home::new(), Ground::new());
    for size in ["100K", "40M"] {
        let rest = format!("--set size={size} --set verify=no --runs 6");
        let said = copy(&home, ground.name(), &rest);
        assert!(matches!(said.code, Some(0 | 3)), "{said:?}");
    }
    let refused = home.run(["compare", "1", "2"]);
    assert_eq!(refused.code, Some(3), "{refused:?}");
    assert!(
        refused.out.contains("declare it with --by size"),
        "{refused:?}"
    );
    let said = home.run(["compare", "1", "2", "--by", "size", "--json"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    let comparison = said.json()["comparisons"][0].clone();
    assert_eq!(comparison["unit"], "s");
    assert_eq!(comparison["verdict"]["greater"], "2");
    assert_eq!(comparison["arms"][0]["is_best"], true);
    assert_eq!(comparison["arms"][1]["is_best"], false);
    let said = home.run(["compare", "1", "2", "--by", "size"]);
    assert!(
        said.out.contains("verdict: 1 is faster than 2 ("),
        "{said:?}"
    );
}

#[test]
fn operations_on_names_are_compared_one_by_one() {
    let (home, ground) = (Home::new(), Ground::new());
    for jobs in ["1", "2"] {
        metadata(&home, ground.name(), &format!("--runs 6 --jobs {jobs}"));
    }
    let said = home.run(["compare", "1", "2", "--by", "jobs", "--json"]);
    assert!(matches!(said.code, Some(0 | 3)), "{said:?}");
    let comparisons = said.json()["comparisons"].clone();
    assert_eq!(
        names_of(&comparisons),
        ["mkdir", "create", "stat", "unlink"]
    );
    for comparison in comparisons.as_array().unwrap() {
        assert_ne!(comparison["verdict"]["verdict"], "refused", "{said:?}");
    }
    let refused = home.run(["compare", "1/mkdir", "2/stat", "--by", "jobs"]);
    assert!(
        refused.out.contains("step is mkdir here and stat there"),
        "{refused:?}"
    );
}

/// What the document says of the runs is what the store has.
fn stopped(home: &Home, ground: &Ground, words: &[&str], wait: Duration) -> Value {
    let child = start(home.etalon(words));
    wait_for("the scratch directory", || scratch_in(ground.path()).pop());
    thread::sleep(wait);
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
        for wait in [0, 400, 1500] {
            let document = stopped(&home, &ground, words, Duration::from_millis(wait));
            let cells = document["cells"].as_array().unwrap().iter();
            let runs: u64 = cells
                .map(|cell| cell["values"].as_array().unwrap().len() as u64)
                .sum();
            match document["experiment"].as_i64() {
                None => assert_eq!(runs, 0, "{document}"),
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
    assert!(said.out.contains("invalid: run-failed"), "{said:?}");
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

/// An ext4 filesystem that has room for what the file beneath it has not; the mounts are undone in
/// this order.
fn failing_disk() -> (Mount, Mount) {
    let beneath = Mount::tmpfs(40);
    let image = beneath.path().join("image");
    std::fs::File::create(&image)
        .unwrap()
        .set_len(256 << 20)
        .unwrap();
    let made = Command::new("mkfs.ext4")
        .args(["-q", "-F", "-O", "^has_journal", "-E", "nodiscard"])
        .arg(&image)
        .status();
    assert!(made.unwrap().success());
    (Mount::of_file(&image), beneath)
}

#[test]
fn a_step_that_a_failing_disk_ended_is_labelled() {
    if !root_for("a_step_that_a_failing_disk_ended_is_labelled") {
        return;
    }
    let (home, (disk, _beneath)) = (Home::new(), failing_disk());
    let place = disk.path().to_str().unwrap();
    let writer = "step=dd if=/dev/zero of=big bs=1M count=60 conv=fsync";
    let steps = ["--set", "step=true", "--set", writer, "--runs", "6"];
    let said = home.run([&["work", "command", place], &steps[..]].concat());
    assert_eq!(said.code, Some(1), "{said:?}");
    assert!(said.out.contains("Ended early: Run 1: "), "{said:?}");
    assert!(said.out.contains("invalid: run-failed"), "{said:?}");
    assert_eq!(home.experiments()[0]["state"], "interrupted");
}

#[test]
fn the_operations_before_a_failing_disk_are_kept() {
    if !root_for("the_operations_before_a_failing_disk_are_kept") {
        return;
    }
    let (home, (disk, _beneath)) = (Home::new(), failing_disk());
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
    let home = Home::new();
    let directory = tempfile::tempdir().unwrap();
    let place = directory.path().to_str().unwrap();
    let mount = |words: &[&str]| Command::new(words[0]).args(&words[1..]).status().unwrap();
    assert!(mount(&["mount", "-t", "ramfs", "none", place]).success());
    let some = home.run([
        "metadata",
        place,
        "--operations",
        "create,xattr",
        "--runs",
        "1",
    ]);
    let none = home.run(["metadata", place, "--operations", "setxattr", "--runs", "1"]);
    assert!(mount(&["umount", place]).success());
    assert_eq!(some.code, Some(3), "{some:?}");
    assert!(
        some.out
            .contains("setxattr: the filesystem does not have it"),
        "{some:?}"
    );
    none.refused(1, &["nothing was measured", "setxattr"]);
}
