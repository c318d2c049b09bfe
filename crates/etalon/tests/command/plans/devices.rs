//! Plans that write to block devices: through the guard, with what is lost told before.

use etalon_testbed::{Zram, mkfs, skip};

use crate::common::{Home, Image, Loop, Said, root_for};

const WRITES: &str = r#"
question = "How fast are writes?"
blocks = 6
seed = 3
[[workload]]
name = "writes"
op = "randwrite"
block_size = "4k"
queue_depth = 4
time = "20ms"
"#;

#[test]
fn a_plan_writes_to_a_device_only_after_the_guard() {
    if !root_for("a_plan_writes_to_a_device_only_after_the_guard") {
        return;
    }
    let (home, disk) = (Home::new(), Loop::new(Image::new(16)));
    let device = disk.device.to_str().unwrap();
    mkfs("ext4", &["-F", device]);
    let bytes = || std::fs::read(&disk.image.file).unwrap();
    let before = bytes();
    let setup = format!("setup = [\"touch {}/begun\"]\n", home.path().display());
    let plan = super::plan(
        &home,
        &WRITES.replace("[[workload]]", &(setup + "[[workload]]")),
    );
    let told = home.run(["run", &plan, device, "--dry-run"]);
    assert_eq!(told.code, Some(0), "{told:?}");
    for part in [
        "Destroyed for good:",
        "16 MiB",
        "carries ext2/3/4",
        "Refused: ",
    ] {
        assert!(told.out.contains(part), "{part}: {told:?}");
    }
    let said = home.run(["run", &plan, device]);
    assert_eq!(said.code, Some(4), "{said:?}");
    assert!(said.err.contains("carries ext2/3/4"), "{said:?}");
    let named = home.run(["run", &plan, device, "--destroy", "another"]);
    assert_eq!(named.code, Some(4), "{named:?}");
    assert!(named.err.contains("'another'"), "{named:?}");
    assert!(bytes() == before, "LOST: the device has changed");
    assert!(
        !home.path().join("begun").exists(),
        "it was refused too late"
    );
}

#[test]
fn an_empty_device_is_written_and_what_is_lost_is_told_before() {
    if !root_for("an_empty_device_is_written_and_what_is_lost_is_told_before") {
        return;
    }
    let (home, disk) = (Home::new(), Loop::new(Image::new(16)));
    let device = disk.device.to_str().unwrap();
    let plan = super::plan(&home, WRITES);
    let said = home.run(["run", &plan, device]);
    assert!(matches!(said.code, Some(0 | 3)), "{said:?}");
    let lost = format!("everything on {device}: 16 MiB");
    assert!(said.err.contains(&lost), "{said:?}");
    assert!(said.err.contains("nothing lies on it"), "{said:?}");
    let runs = home.run(["export", "1", "--json"]).json();
    assert_eq!(super::cells(&runs).len(), 6);
    assert!(
        runs["runs"][5]["device"]["written_bytes"].as_u64() > Some(0),
        "{runs}"
    );
}

fn facts(said: &Said) -> Vec<(String, String)> {
    let level = &said.json()["runs"][0]["circumstances"]["levels"][0];
    assert_eq!(level["factor"], "precondition", "{level}");
    let text = |fact: &serde_json::Value, key: &str| fact[key].as_str().unwrap().to_owned();
    let facts = level["facts"].as_array().unwrap().iter();
    facts
        .map(|fact| (text(fact, "name"), text(fact, "value")))
        .collect()
}

#[test]
fn a_name_that_no_device_of_the_plan_has_is_refused_where_nothing_would_be_lost_too() {
    let test = "a_name_that_no_device_of_the_plan_has_is_refused_where_nothing_would_be_lost_too";
    if !root_for(test) {
        return;
    }
    let (home, disk) = (Home::new(), Loop::new(Image::new(16)));
    let device = disk.device.to_str().unwrap();
    let plan = super::plan(&home, WRITES);
    let said = home.run(["run", &plan, device, "--destroy", "slip"]);
    said.refused(4, &["--destroy 'slip' names no device", device]);
    assert!(!home.store().exists());
}

#[test]
fn a_device_is_purged_filled_and_worked_on_until_it_is_steady() {
    let test = "a_device_is_purged_filled_and_worked_on_until_it_is_steady";
    if !root_for(test) {
        return;
    }
    if !std::path::Path::new("/sys/class/zram-control").exists() {
        return skip(test, "the kernel has no zram");
    }
    let (home, disk, other) = (Home::new(), Zram::new("8M"), Zram::new("8M"));
    let state = "[precondition]\npurge = true\nfills = 2\nrounds = 5\n[[workload]]";
    let plan = super::plan(&home, &WRITES.replace("[[workload]]", state));
    let told = home.run(["run", &plan, &disk.node(), "--dry-run"]);
    assert!(
        told.out.contains("purge, 2 x filled, at most 5 rounds"),
        "{told:?}"
    );
    let said = home.run(["run", &plan, &disk.node(), &other.node()]);
    assert!(matches!(said.code, Some(0 | 3)), "{said:?}");
    let exported = home.run(["export", "1", "--json"]);
    assert_eq!(states(&exported), 2, "each disk is brought into its own");
    let facts = facts(&exported);
    let names: Vec<&str> = facts.iter().map(|(name, _)| name.as_str()).collect();
    let rounds = ["round 1", "round 2", "round 3", "round 4", "round 5"];
    let expected = [
        &["discarded", "discarded in", "fill 1", "fill 2"],
        &rounds[..],
        &["steady", "took"],
    ];
    assert_eq!(names, expected.concat());
    assert!(facts[2].1.starts_with("8 MiB in "), "{facts:?}");
    // Whether memory is steady in so short a time is chance; that it is said is not.
    assert!(facts[9].1.contains("the range is"), "{facts:?}");
}

/// How many different states the runs were made in: each has the figures of its own fills and rounds.
fn states(said: &Said) -> usize {
    let document = said.json();
    let runs = document["runs"].as_array().unwrap().iter();
    let states = runs.map(|run| run["circumstances"]["levels"][0].to_string());
    states.collect::<std::collections::HashSet<_>>().len()
}

#[test]
fn no_round_begins_beyond_the_budget() {
    let test = "no_round_begins_beyond_the_budget";
    if !root_for(test) {
        return;
    }
    if !std::path::Path::new("/sys/class/zram-control").exists() {
        return skip(test, "the kernel has no zram");
    }
    let (home, disk) = (Home::new(), Zram::new("8M"));
    let state = "[precondition]\nfills = 1\nrounds = 25\n[[workload]]";
    // Four rounds take longer than that, and five are the fewest that can be steady.
    let text = WRITES
        .replace("[[workload]]", state)
        .replace("20ms", "400ms");
    let plan = super::plan(&home, &format!("budget = \"1500ms\"\n{text}"));
    let told = home.run(["run", &plan, &disk.node(), "--dry-run"]);
    assert!(told.out.contains("a round takes"), "{told:?}");
    let said = home.run(["run", &plan, &disk.node()]);
    assert!(matches!(said.code, Some(0 | 3)), "{said:?}");
    let facts = facts(&home.run(["export", "1", "--json"]));
    let names: Vec<&str> = facts.iter().map(|(name, _)| name.as_str()).collect();
    assert!(
        names.ends_with(&["rounds ended by", "steady", "took"]),
        "{facts:?}"
    );
    assert!(!names.contains(&"round 5"), "{facts:?}");
}

#[test]
fn a_directory_has_no_state_to_bring_about() {
    let (home, ground) = (Home::new(), crate::common::Ground::new());
    let state = "[precondition]\nfills = 1\n[[workload]]\nfile_size = \"1M\"";
    let plan = super::plan(&home, &WRITES.replace("[[workload]]", state));
    home.run(["run", &plan, ground.name()])
        .refused(1, &["precondition takes a block device"]);
    assert!(!home.store().exists());
}

#[test]
fn a_device_of_a_later_level_is_refused_before_anything_is_done() {
    if !root_for("a_device_of_a_later_level_is_refused_before_anything_is_done") {
        return;
    }
    let (home, place) = (Home::new(), crate::common::Ground::new());
    let (blank, taken) = (Loop::new(Image::new(16)), Loop::new(Image::new(16)));
    etalon_testbed::mkfs("ext4", &["-q", taken.device.to_str().unwrap()]);
    let before = std::fs::read(&taken.image.file).unwrap();
    let disks = format!(
        "order = \"listed\"\nsetup = [\"touch {}/begun\"]\n[[factor]]\nname = \"disk\"\nlevels = [{:?}, {:?}]\n[[factor]]\nname = \"filesystem\"\nlevels = [\"ext4\"]\n[[workload]]",
        home.path().display(),
        blank.device,
        taken.device
    );
    let plan = super::plan(&home, &WRITES.replace("[[workload]]", &disks));
    let told = home.run(["run", &plan, place.name(), "--dry-run"]);
    assert!(told.out.contains("Refused: "), "{told:?}");
    let said = home.run(["run", &plan, place.name()]);
    said.refused(4, &["carries ext2/3/4", "--destroy SERIAL"]);
    let said = home.run(["run", &plan, place.name(), "--destroy", "another"]);
    said.refused(
        4,
        &[
            "carries ext2/3/4",
            "--destroy names another, and not this device",
        ],
    );
    assert!(!home.path().join("begun").exists(), "refused too late");
    let is_same = std::fs::read(&taken.image.file).unwrap() == before;
    assert!(is_same, "LOST: the device has changed");
}
