//! Every kind of experiment sees what lies beneath its target, because all of them make their runs in
//! one way.

use std::collections::BTreeSet;
use std::process::Command;

use crate::common::{Home, Mount, root_for, runs_with_own_places};

/// What checks say of the devices beneath a target, whatever is done to it.
const OF_DEVICES: [&str; 5] = [
    "cache-below",
    "in-memory",
    "no-device",
    "reducing-layer",
    "sparse-loop",
];

const KINDS: [&str; 10] = [
    "quick DIR --budget 3s",
    "measure DIR --op write --block-size 64k --file-size 4M --fsync end --time 300ms --runs 1",
    "together --runs 1 -- DIR --op read -s 4M --bytes 4M -- DIR --op write -s 4M --bytes 4M",
    "metadata DIR --runs 1 --depth 1 --breadth 2 --files 5",
    "work copy-tree DIR --set files=mail --set size=1M --runs 1",
    "dd if=/dev/zero of=DIR/copy bs=64k count=40 conv=fsync --runs 1",
    "fdtree -d 2 -l 1 -f 3 -s 1 -o DIR --runs 1",
    "hdparm -t --runs 1 DEVICE",
    "iozone -i 0 -i 1 -s 4m -r 64 -f DIR/file --runs 1",
    "run PLAN DIR",
];

const PLAN: &str = r#"
question = "What do small records cost?"
blocks = 2

[[workload]]
op = "write"
block_size = ["4k", "64k"]
file_size = "4M"
time = "100ms"
"#;

fn output(program: &str, words: &[&str]) -> String {
    let output = Command::new(program).args(words).output().unwrap();
    assert!(output.status.success(), "{program}: {output:?}");
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

fn carried_out(home: &Home, mount: &Mount, line: &str) {
    let place = mount.path().to_str().unwrap();
    let device = output("findmnt", &["-n", "-o", "SOURCE", place]);
    let plan = home.path().join("plan.toml");
    std::fs::write(&plan, PLAN).unwrap();
    let words = line.split(' ').map(|word| match word {
        "DEVICE" => device.clone(),
        "PLAN" => plan.display().to_string(),
        word => word.replace("DIR", place),
    });
    let said = home.run_in_time(&words.collect::<Vec<_>>());
    assert!(matches!(said.code, Some(0 | 3)), "{line}: {said:?}");
}

/// What one kind of experiment found beneath the mount.
fn found(mount: &Mount, line: &str) -> BTreeSet<String> {
    let home = Home::new();
    carried_out(&home, mount, line);
    let document = home.run(["export", "1", "--json"]).json();
    let mut found = BTreeSet::new();
    let runs = document["runs"].as_array().unwrap();
    assert!(!runs.is_empty(), "{line}");
    let random = runs_with_own_places(&document);
    assert!(random > 0 || !line.starts_with("quick"), "{line}");
    for run in runs {
        let counters = &run["circumstances"]["counters"]["layers"];
        assert!(
            counters.as_array().is_some_and(|all| !all.is_empty()),
            "{line}"
        );
        assert!(run["circumstances"]["machine"].is_object(), "{line}: {run}");
        for finding in run["findings"].as_array().unwrap() {
            let code = finding["code"].as_str().unwrap();
            found.extend(OF_DEVICES.contains(&code).then(|| code.to_owned()));
        }
    }
    comes_along(&home, line);
    found
}

/// The machine and the storage stack of an experiment are the same in the store of another machine, to which it went in a
/// bundle.
fn comes_along(home: &Home, line: &str) {
    let elsewhere = Home::new();
    let bundle = elsewhere.path().join("one.etalon");
    let bundle = bundle.to_str().unwrap();
    home.run(["export", "1", "--bundle", "-o", bundle]);
    let taken = elsewhere.run(["import", bundle]);
    assert_eq!(taken.code, Some(0), "{line}: {taken:?}");
    for words in [
        &["show", "1", "--environment", "--json"][..],
        &["show", "1", "--stack"],
    ] {
        let (here, there) = (home.run(words), elsewhere.run(words));
        assert_eq!(here.out, there.out, "{line}");
        assert!(here.out.contains("loop"), "{line}: {here:?}");
    }
    let environment = home.run(["show", "1", "--environment"]).out;
    for fact in ["kernel.release = ", "layer.loop"] {
        assert!(environment.contains(fact), "{line}: {environment}");
    }
}

/// Fails where one kind finds beneath the mount what another does not.
fn all_find(mount: &Mount, wanted: &str) {
    let all = KINDS.map(|line| (line, found(mount, line)));
    let (_, first) = &all[0];
    assert!(first.contains(wanted), "{first:?}");
    for (line, found) in &all {
        assert_eq!(found, first, "{line}");
    }
}

#[test]
fn every_kind_finds_a_sparse_loop_file() {
    if !root_for("every_kind_finds_a_sparse_loop_file") {
        return;
    }
    let mount = Mount::image("ext4", 192, "rw");
    all_find(&mount, "sparse-loop");
}

#[test]
fn every_kind_finds_a_loop_in_memory() {
    if !root_for("every_kind_finds_a_loop_in_memory") {
        return;
    }
    let memory = Mount::tmpfs(256);
    let file = memory.path().join("image");
    let name = file.to_str().unwrap();
    std::fs::File::create(&file)
        .unwrap()
        .set_len(192 << 20)
        .unwrap();
    etalon_testbed::mkfs("ext4", &["-F", name]);
    let mount = Mount::of_file(&file);
    all_find(&mount, "cache-below");
}

#[test]
fn what_a_copy_left_in_memory_is_no_figure_of_the_disk() {
    if !root_for("what_a_copy_left_in_memory_is_no_figure_of_the_disk") {
        return;
    }
    let (home, mount) = (Home::new(), Mount::image("ext4", 192, "rw"));
    let of = |name: &str| format!("of={}", mount.path().join(name).display());
    let copy = ["dd", "if=/dev/zero", "bs=64k", "count=200", "--runs", "2"];
    for (experiment, last) in [("1", "conv=notrunc"), ("2", "conv=fsync")] {
        home.run([&copy[..], &[&of("copy"), last]].concat());
        let document = home.run(["export", experiment, "--json"]).json();
        let findings = document["cells"][0]["findings"].as_array().unwrap();
        let left = findings
            .iter()
            .any(|finding| finding["code"] == "not-durable");
        assert_eq!(left, experiment == "1", "{findings:?}");
    }
    let read = ["dd", "of=/dev/null", "bs=64k", "--runs", "2"];
    let file = format!("if={}", mount.path().join("copy").display());
    home.run([&read[..], &[&file]].concat());
    let document = home.run(["export", "3", "--json"]).json();
    let codes = document["cells"][0]["findings"].to_string();
    assert!(codes.contains("page-cache"), "{codes}");
    assert_eq!(document["cells"][0]["verdict"], "invalid");
}

/// The findings of one of iozone's cells, and its verdict.
fn cell_of_iozone(mount: &Mount, line: &str, name: &str) -> (String, String) {
    let home = Home::new();
    let line = line.replace("DIR", mount.path().to_str().unwrap());
    let said = home.run(line.split(' '));
    assert!(matches!(said.code, Some(0 | 3)), "{line}: {said:?}");
    let document = home.run(["export", "1", "--json"]).json();
    let cells = document["cells"].as_array().unwrap();
    let named = |cell: &&serde_json::Value| cell["name"].as_str().unwrap().starts_with(name);
    let cell = cells.iter().find(named).unwrap();
    let verdict = cell["verdict"].to_string();
    (cell["findings"].to_string(), verdict)
}

#[test]
fn what_iozone_left_in_memory_is_no_figure_of_the_disk_however_small() {
    let name = "what_iozone_left_in_memory_is_no_figure_of_the_disk_however_small";
    if !root_for(name) {
        return;
    }
    let mount = Mount::image("ext4", 192, "rw");
    // Files of 64 KiB are too small to be counted around, unless a test waits for the disk.
    for size in ["64", "4m"] {
        let line = format!("iozone -i 0 -i 1 -s {size} -r 4 -f DIR/file --runs 2");
        for (test, code) in [("write", "not-durable"), ("reread", "page-cache")] {
            let (findings, verdict) = cell_of_iozone(&mount, &line, test);
            assert!(findings.contains(code), "{line}: {test}: {findings}");
            assert!(!findings.contains("no-device"), "{line}: {findings}");
            assert!(verdict.contains("invalid"), "{line}: {test}: {verdict}");
        }
        let (findings, _) = cell_of_iozone(&mount, &format!("{line} -e"), "write");
        assert!(!findings.contains("not-durable"), "{line} -e: {findings}");
    }
}

/// Kinds whose runs follow one another behind writes; the check itself has rows enough.
const REPEATED: [&str; 5] = [
    "measure DIR --op write,randread --block-size 64k --file-size 4M --time 100ms --runs 2",
    "together --runs 2 -- DIR --op read -s 4M --bytes 4M -- DIR --op write -s 4M --bytes 4M",
    "metadata DIR --runs 2 --depth 1 --breadth 2 --files 5",
    "work copy-tree DIR --set files=mail --set size=1M --runs 2",
    "run PLAN DIR",
];

#[test]
fn every_kind_lets_the_devices_come_to_rest_behind_what_writes() {
    if !root_for("every_kind_lets_the_devices_come_to_rest_behind_what_writes") {
        return;
    }
    let mount = Mount::image("ext4", 192, "rw");
    for line in REPEATED {
        let home = Home::new();
        carried_out(&home, &mount, line);
        let document = home.run(["export", "1", "--json"]).json();
        let runs = document["runs"].as_array().unwrap().iter();
        let waited = |run: &serde_json::Value| {
            let aftermath = &run["circumstances"]["aftermath"];
            aftermath["waited_ns"].as_u64().is_some_and(|ns| ns > 0)
        };
        let waited: Vec<bool> = runs.map(waited).collect();
        // Nothing of this session was written before its first run.
        assert!(!waited[0] && waited.contains(&true), "{line}: {waited:?}");
    }
}
