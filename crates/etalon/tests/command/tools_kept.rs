//! The tools with lines of their own leave their runs in the store, like every measurement.

use crate::common::{Ground, Home, Image, Loop, Said, root_for};

fn said(home: &Home, ground: &Ground, line: &str) -> Said {
    let line = line.replace("DIR", ground.name());
    home.run(line.split(' '))
}

#[test]
fn iozone_s_figures_are_shown_again_and_compared() {
    let (home, ground) = (Home::new(), Ground::new());
    let line = "iozone -s 256 -r 4 -i 0 -i 1 -f DIR/t --runs 6";
    for experiment in 1..=2 {
        let said = said(&home, &ground, line);
        assert!(matches!(said.code, Some(0 | 3)), "{said:?}");
        let told = format!("etalon: kept as experiment {experiment}:");
        assert!(said.err.contains(&told), "{said:?}");
        assert!(said.err.contains(ground.name()), "{said:?}");
    }
    let kinds: Vec<_> = home
        .experiments()
        .iter()
        .map(|e| e["kind"].clone())
        .collect();
    assert_eq!(kinds, ["iozone", "iozone"]);
    let shown = home.run(["show", "1"]);
    assert!(shown.out.contains("reread 256 KiB/4 KiB"), "{shown:?}");
    let document = home.run(["export", "1", "--json"]).json();
    assert_eq!(
        document["runs"].as_array().unwrap().len(),
        24,
        "4 tests, 6 runs"
    );
    assert_eq!(document["cells"][0]["unit"], "B/s");
    let compared = home.run(["compare", "1", "2", "--json"]);
    assert!(matches!(compared.code, Some(0 | 3)), "{compared:?}");
    assert!(
        compared.out.contains("rewrite 256 KiB/4 KiB"),
        "{compared:?}"
    );
    // Other records are other work, and that is said.
    let cells = ["1/write 256 KiB/4 KiB", "2/reread 256 KiB/4 KiB"];
    let refused = home.run([["compare"].as_slice(), &cells].concat());
    assert!(refused.out.contains("step is write in "), "{refused:?}");
}

#[test]
fn trees_and_repeated_copies_are_kept() {
    let (home, ground) = (Home::new(), Ground::new());
    let tree = said(&home, &ground, "fdtree -d 2 -l 2 -f 3 -s 1 -o DIR --runs 6");
    // So short a run may be one that the hypervisor spoiled.
    assert!(matches!(tree.code, Some(0 | 3)), "{tree:?}");
    let shown = home.run(["show", "1"]);
    assert!(shown.out.contains("directories removed"), "{shown:?}");
    if rustix::process::geteuid().is_root() {
        // The ground is in memory, which the first run says as well as the last.
        let document = home.run(["export", "1", "--json"]).json();
        let runs = document["runs"].as_array().unwrap();
        let told = |run: &&serde_json::Value| {
            let findings = run["findings"].as_array().unwrap();
            findings.iter().any(|found| found["code"] == "in-memory")
        };
        assert_eq!(runs.iter().filter(told).count(), runs.len());
    }
    let copy = "dd if=/dev/zero of=DIR/copy bs=4k count=8";
    let once = said(&home, &ground, copy);
    assert!(
        !once.err.contains("kept"),
        "a copy leaves no trace: {once:?}"
    );
    let often = said(&home, &ground, &format!("{copy} --runs 6"));
    assert!(often.err.contains("kept as experiment 2"), "{often:?}");
    let shown = home.run(["show", "2"]);
    assert!(
        shown.out.contains("bs 4k, count 8, if /dev/zero"),
        "{shown:?}"
    );
}

#[test]
fn a_device_s_readings_are_kept() {
    if !root_for("a_device_s_readings_are_kept") {
        return;
    }
    let home = Home::new();
    let disk = Loop::new(Image::new(64));
    let device = disk.device.to_str().unwrap();
    let read = home.run(["hdparm", "-t", "--direct", "--runs", "2", device]);
    assert!(matches!(read.code, Some(0 | 3)), "{read:?}");
    let document = home.run(["export", "1", "--json"]).json();
    assert_eq!(document["kind"], "hdparm");
    assert_eq!(document["target"]["path"], device);
    let run = &document["runs"][0];
    assert_eq!(run["workload"]["parameters"]["direct"], true);
    assert_eq!(run["measurement"]["reads"]["bytes"], 64 << 20);
}

#[test]
fn a_store_that_cannot_be_had_stops_no_tool() {
    let (home, ground) = (Home::new(), Ground::new());
    let target = ground.path().join("t");
    let words = [
        "iozone",
        "-s",
        "64",
        "-i",
        "0",
        "--runs",
        "2",
        "-f",
        target.to_str().unwrap(),
    ];
    let mut command = home.etalon(words);
    command.env("ETALON_STORE", "/proc/no/store.sqlite");
    let said = crate::common::run(command);
    assert!(matches!(said.code, Some(0 | 3)), "{said:?}");
    assert!(said.out.contains("iozone test complete."), "{said:?}");
    assert!(said.err.contains("not all runs are kept: "), "{said:?}");
    assert!(said.err.contains("/proc/no"), "{said:?}");
}

#[test]
fn the_store_of_a_tool_is_named_before_or_behind_it() {
    let (home, ground) = (Home::new(), Ground::new());
    let store = home.path().join("named store.sqlite");
    let store = store.to_str().unwrap();
    let tree = ["fdtree", "-d", "1", "-l", "1", "-f", "1", "-s", "1", "-o"];
    let tree = [tree.as_slice(), &[ground.name()]].concat();
    let told = format!("etalon show 1 --store '{store}'`");
    let first = home.run([&["--store", store], tree.as_slice()].concat());
    assert!(
        first.err.replace("\netalon:  ", "").contains(&told),
        "{first:?}"
    );
    let behind = format!("--store={store}");
    home.run([tree.as_slice(), &[behind.as_str()]].concat());
    let listed = home.run(["list", "--store", store]);
    assert_eq!(listed.out.matches("fdtree").count(), 2, "{listed:?}");
    assert!(home.run(["list"]).err.contains("no store"));
    let words = ["hdparm", "--store"];
    home.run(words).refused(2, &["--store needs the file"]);
}

#[test]
fn record_and_depth_of_iozone_stand_in_both_exports() {
    let (home, ground) = (Home::new(), Ground::new());
    let said = said(
        &home,
        &ground,
        "iozone -H 32 -r 1m -s 4m -i 0 -f DIR/t --runs 1",
    );
    assert!(matches!(said.code, Some(0 | 3)), "{said:?}");
    let document = home.run(["export", "1", "--json"]).json();
    let workload = &document["runs"][0]["workload"];
    assert_eq!(workload["type"], "task");
    assert_eq!(workload["block_size_bytes"], 1 << 20);
    assert_eq!(workload["queue_depth"], 32);
    for inapplicable in ["operation", "read_percent", "fake", "stride", "seed"] {
        assert!(workload.get(inapplicable).is_none(), "{workload}");
    }
    let table = home.run(["export", "1", "--csv"]).out;
    let mut lines = table
        .lines()
        .map(|line| line.split(',').collect::<Vec<_>>());
    let (header, first) = (lines.next().unwrap(), lines.next().unwrap());
    let field = |name: &str| first[header.iter().position(|column| *column == name).unwrap()];
    assert_eq!((field("operation"), field("task")), ("", "iozone"));
    assert_eq!((field("step"), field("seed")), ("write", ""));
    assert_eq!(
        (field("block_size_bytes"), field("queue_depth")),
        ("1048576", "32")
    );
    assert!(field("parameters").contains("record=1 MiB"), "{first:?}");
}

#[test]
fn a_group_of_iozone_has_one_figure_in_its_lines_and_in_its_verdict() {
    let (home, ground) = (Home::new(), Ground::new());
    let said = said(
        &home,
        &ground,
        "iozone -t 2 -i 0 -s 4m -r 64 -F DIR/a DIR/b --runs 5",
    );
    assert!(matches!(said.code, Some(0 | 3)), "{said:?}");
    let above = said.out.lines().find(|line| line.contains("Children see"));
    let kib: f64 = above
        .and_then(|line| {
            line.split('=')
                .nth(1)?
                .split_whitespace()
                .next()?
                .parse()
                .ok()
        })
        .unwrap();
    let document = home.run(["export", "1", "--json"]).json();
    let kept = document["cells"][0]["median"].as_f64().unwrap();
    assert!(
        (kib * 1024.0 / kept - 1.0).abs() < 1e-4,
        "{kib} kB/s and {kept} B/s: {said:?}"
    );
}
