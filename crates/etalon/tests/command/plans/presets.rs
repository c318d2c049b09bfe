//! Presets, carried out for real with less time and room, and what is told of them against what their plans take.

use etalon_units::Nanos;
use serde_json::Value;

use super::plan;
use crate::common::{Ground, Home, Image, Loop, Said, root_for, run};

/// The profiles that `raid-layouts` compares, each with the bytes that its disks write for one of data; parity depends on
/// the size of a write.
const PROFILES: [(&str, f64); 5] = [
    ("btrfs-raid0", 1.0),
    ("btrfs-raid1", 2.0),
    ("btrfs-raid10", 2.0),
    ("btrfs-raid5", 1.0),
    ("btrfs-raid6", 1.0),
];

/// A preset with so short runs over so small files that it takes seconds.
fn shortened(home: &Home, name: &str) -> String {
    let mut text = home.run(["presets", name]).out;
    for (whole, part) in [("\"2s\"", "\"50ms\""), ("\"128M\"", "\"8M\"")] {
        assert!(text.contains(whole), "no {whole}: {text}");
        text = text.replace(whole, part);
    }
    plan(home, &text)
}

fn has_btrfs(test: &str) -> bool {
    let known = std::fs::read_to_string("/proc/filesystems").unwrap();
    let is_there = known.lines().any(|line| line.trim() == "btrfs");
    if !is_there {
        etalon_testbed::skip(test, "the kernel has no btrfs");
    }
    root_for(test) && is_there
}

/// What the profile of the run's filesystem costs in copies, as it was read beneath it during the run.
fn copies(run: &Value) -> f64 {
    let copies = &run["circumstances"]["beneath"]["write_copies"];
    copies.as_f64().unwrap_or_else(|| panic!("{run}"))
}

/// Mounts and loop devices that name a place.
fn left(place: &str) -> Vec<String> {
    let mounts = std::fs::read_to_string("/proc/self/mountinfo").unwrap();
    let within = format!("{place}/");
    let mounts = mounts.lines().filter(|line| line.contains(&within));
    let mut left: Vec<String> = mounts.map(str::to_owned).collect();
    for device in std::fs::read_dir("/sys/block").unwrap().flatten() {
        let file = std::fs::read_to_string(device.path().join("loop/backing_file"));
        left.extend(file.ok().filter(|file| file.contains(&within)));
    }
    left
}

/// Every workload is compared, with every level in the place that it has in the plan.
fn compares_all(said: &Said, levels: &[&str]) {
    assert!(matches!(said.code, Some(0 | 3)), "{said:?}");
    let document = said.json();
    let compared = document["comparisons"].as_array().unwrap();
    assert_eq!(compared.len(), 3, "{said:?}");
    for one in compared {
        let refused = &one["verdict"]["refused"];
        assert!(refused.is_null() || one["arms"].as_array().unwrap().is_empty());
        let arms = one["arms"].as_array().unwrap().iter();
        let labels: Vec<&str> = arms.filter_map(|arm| arm["label"].as_str()).collect();
        assert!(labels.is_empty() || labels == levels, "{labels:?}");
    }
}

#[test]
fn profiles_of_btrfs_are_made_on_four_disks_compared_and_taken_away() {
    let test = "profiles_of_btrfs_are_made_on_four_disks_compared_and_taken_away";
    if !has_btrfs(test) {
        return;
    }
    let (home, ground) = (Home::new(), Ground::new());
    let plan = shortened(&home, "raid-layouts");
    let said = home.run(["run", &plan, ground.name(), "--blocks", "2", "--json"]);
    compares_all(&said, &PROFILES.map(|(name, _)| name));
    let document = home.run(["export", "1", "--json"]).json();
    assert_eq!(super::cells(&document).len(), 2 * 3 * PROFILES.len());
    for run in document["runs"].as_array().unwrap() {
        let cell = run["cell"].as_str().unwrap();
        let mut known = PROFILES.iter().filter(|(name, _)| cell.ends_with(name));
        let (_, expected) = known.next().unwrap_or_else(|| panic!("{cell}"));
        assert_eq!(copies(run), *expected, "{cell}");
        let levels = run["circumstances"]["levels"].to_string();
        assert!(levels.contains("created in"), "{cell}: {levels}");
    }
    assert_eq!(left(ground.name()), [""; 0], "LOST: {said:?}");
    assert_eq!(crate::common::left_in(ground.path()), [""; 0]);
}

#[test]
fn the_parts_of_a_device_are_a_curve_of_the_report() {
    if !root_for("the_parts_of_a_device_are_a_curve_of_the_report") {
        return;
    }
    let (home, disk) = (Home::new(), Loop::new(Image::new(64)));
    let text = home.run(["presets", "position-profile"]).out;
    let plan = plan(&home, &text.replace("\"2s\"", "\"20ms\""));
    let device = disk.device.to_str().unwrap();
    let said = home.run(["run", &plan, device, "--blocks", "2", "--json"]);
    assert!(matches!(said.code, Some(0 | 3)), "{said:?}");
    let offsets = offsets(&home.run(["export", "1", "--json"]).json());
    let part = (64 << 20) as f64 / 100.0;
    // Parts begin at whole MiB.
    let expected = [0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 95].map(|percent| {
        let bytes = (part * f64::from(percent)) as u64;
        bytes - bytes % (1 << 20)
    });
    assert_eq!(offsets, expected);
    let [page, charts] = ["report.html", "charts"].map(|name| home.path().join(name));
    for (option, place) in [("-o", &page), ("--charts", &charts)] {
        let said = home.run(["report", "1", option, place.to_str().unwrap()]);
        assert_eq!(said.code, Some(0), "{said:?}");
    }
    let page = std::fs::read_to_string(page).unwrap();
    // Without its figures where what a loop device answers from memory is invalid.
    for part in ["read along the device", "one of 11 parts of the device"] {
        assert!(page.contains(part), "no {part:?}");
    }
    let drawn = crate::common::left_in(&charts);
    assert!(
        drawn.iter().any(|name| name.contains("position")),
        "{drawn:?}"
    );
}

/// Where the work of the runs begins, each place once.
fn offsets(document: &Value) -> Vec<u64> {
    let runs = document["runs"].as_array().unwrap().iter();
    let mut found: Vec<u64> = runs
        .map(|run| run["workload"]["offset_bytes"].as_u64().unwrap())
        .collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// The time that a dry run tells, and the space of files or the memory of disks.
fn told(said: &Said) -> (Nanos, Option<String>) {
    let text = said.joined();
    let (_, rest) = text.split_once(": about ").unwrap();
    let (sentence, _) = rest.split_once(". ").unwrap();
    let mut parts = sentence.split(", ");
    let time = parts.next().unwrap().parse().unwrap();
    let taken = parts.next();
    (
        time,
        taken.map(|taken| taken.replace(" at the most for virtual disks", "")),
    )
}

/// What is told of a preset and what its plan takes, where that is known before: no rounds until a device is steady, no
/// blocks until an interval is narrow, no work that ends by itself.
#[test]
fn time_and_space_of_presets_are_those_of_their_plans() {
    let (home, ground) = (Home::new(), Ground::new());
    let presets = home.run(["presets", "--json"]).json()["presets"].take();
    let mut known = 0;
    for preset in presets.as_array().unwrap() {
        let text = |key: &str| preset[key].as_str().unwrap();
        let said = home.run(["run", text("name"), ground.name(), "--dry-run"]);
        let open = ["Not known", "Precision asked", "Before the first run"];
        if open.iter().any(|part| said.out.contains(part)) {
            continue;
        }
        known += 1;
        let (plan, files) = told(&said);
        let time: Nanos = text("time").parse().unwrap();
        let share = time.as_secs_f64() / plan.as_secs_f64();
        assert!((0.8..2.0).contains(&share), "{time} and {plan}: {preset}");
        if said.out.contains("Missing: ") {
            continue;
        }
        let is_taken = [" of files", " of memory"];
        let is_taken = is_taken.iter().any(|what| text("space").ends_with(what));
        assert_eq!(
            files.as_deref(),
            is_taken.then(|| text("space")),
            "{preset}"
        );
    }
    assert!(known >= 10, "{known}");
}

#[test]
fn whoever_may_carry_a_preset_out_is_told_with_it() {
    if !root_for("whoever_may_carry_a_preset_out_is_told_with_it") {
        return;
    }
    let (home, ground) = (Home::of_nobody(), Ground::new());
    let presets = home.run(["presets", "--json"]).json()["presets"].take();
    for preset in presets.as_array().unwrap() {
        let text = |key: &str| preset[key].as_str().unwrap();
        let words = ["run", text("name"), ground.name(), "--dry-run"];
        let said = run(home.etalon_of_nobody(words));
        assert_eq!(said.code, Some(0), "{said:?}");
        // Whether a device may be opened is known of the device alone.
        if !said.out.contains("block device") {
            let needs_root = said.joined().contains("needs root");
            assert_eq!(needs_root, text("rights") == "root", "{preset}: {said:?}");
        }
    }
}

#[test]
fn a_region_of_what_is_no_device_is_refused_before_anything_is_done() {
    let (home, ground) = (Home::new(), Ground::new());
    let said = home.run(["run", "position-profile", ground.name()]);
    said.refused(1, &["a region is part of a block device", ground.name()]);
    assert!(!home.store().exists());
}
