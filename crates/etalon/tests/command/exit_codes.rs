//! One judge and one table of exit codes for all commands and tools: what each outcome ends with.

use std::process::Command;

use rustix::process::{Pid, Signal, kill_process};

use crate::common::{
    Home, Image, Loop, Mount, Said, finish, is_disturbed, root_for, start, undisturbed,
    wait_for_work,
};

const VALID: i32 = 0;
const UNDECIDED: i32 = 0;
const FAILED: i32 = 1;
const USAGE: i32 = 2;
const INVALID: i32 = 3;
const NOT_COMPARED: i32 = 3;
const REFUSED: i32 = 4;
const IMPRECISE: i32 = 5;
const INTERRUPTED: i32 = 130;

/// DIR is a filesystem on a disk, DEVICE that disk, which is in use, and SPARSE a device on a file of holes; FIRST and
/// SECOND are the experiments of the first two lines.
const TABLE: [(&str, i32); 34] = [
    // The modelled device is the same on every machine, whatever else that does.
    (
        "measure DIR --op randread --backend fake -s 8M --time 50ms --runs 9",
        VALID,
    ),
    (
        "measure DIR --op randread --backend fake -s 16M --time 50ms --runs 9",
        VALID,
    ),
    (
        "measure DIR --op randread --backend fake -s 8M --time 50ms --runs 3",
        UNDECIDED,
    ),
    (
        "measure DIR --op randread --backend fake -s 8M --time 50ms --runs 3 --strict",
        INVALID,
    ),
    (
        "measure DIR --op randread --backend fake -s 8M --time 50ms --rate 5000 --arrival poisson --precision 0.0001% --runs 6",
        IMPRECISE,
    ),
    (
        "measure DIR --op write --buffered --fsync never -s 8M --time 100ms --runs 6",
        INVALID,
    ),
    (
        "measure DIR --op write --buffered --fsync never -s 8M --time 100ms --runs 1",
        INVALID,
    ),
    ("measure DIR --op randread --runs 0", USAGE),
    ("measure DIR/none --op randread", FAILED),
    ("measure DEVICE --op write", REFUSED),
    ("compare FIRST FIRST", USAGE),
    ("compare FIRST SECOND", VALID),
    ("compare FIRST SECOND --fail-if-slower 5%", VALID),
    ("compare FIRST@1 SECOND@1", NOT_COMPARED),
    ("compare FIRST@1 SECOND@1 --fail-if-slower 5%", NOT_COMPARED),
    ("compare FIRST 99", FAILED),
    ("show 99", FAILED),
    (
        "metadata DIR --operations create --files 20 --durability phase --runs 6",
        VALID,
    ),
    ("metadata DIR --operations none --runs 6", USAGE),
    (
        "work copy-tree DIR --set files=mail --set size=4M --runs 6",
        VALID,
    ),
    ("work copy-tree DIR --set none=1", USAGE),
    (
        "together --runs 3 -- DIR --op read --backend fake -s 4M --time 50ms -- DIR --op write --backend fake -s 4M --time 50ms",
        UNDECIDED,
    ),
    (
        "dd if=/dev/zero of=DIR/durable bs=1M count=16 conv=fsync --runs 6",
        VALID,
    ),
    (
        "dd if=/dev/zero of=DIR/durable bs=1M count=16 conv=notrunc --runs 6",
        INVALID,
    ),
    ("dd if=/dev/zero of=DIR/durable bs=0", FAILED),
    ("dd if=/dev/zero of=DEVICE count=1", REFUSED),
    ("iozone -i 0 -i 1 -s 4m -r 64 -f DIR/file --runs 6", INVALID),
    ("iozone -i 0 -s 16m -r 1m -I -e -f DIR/file --runs 6", VALID),
    (
        "iozone -i 0 -s 16m -r 1m -I -e -f DIR/file --precision 0.0001%",
        IMPRECISE,
    ),
    ("iozone --none", USAGE),
    ("fdtree -d 2 -l 2 -f 3 -s 1 -o DIR --sync --runs 6", VALID),
    ("fdtree --none", USAGE),
    ("hdparm -t --direct --runs 6 SPARSE", INVALID),
    ("hdparm --none", USAGE),
];

struct Places {
    mount: Mount,
    sparse: Loop,
    device: String,
}

impl Places {
    fn new() -> Places {
        let mount = Mount::image("ext4", 256, "rw");
        let words = ["-n", "-o", "SOURCE"];
        let found = Command::new("findmnt")
            .args(words)
            .arg(mount.path())
            .output();
        let device = String::from_utf8(found.unwrap().stdout).unwrap();
        Places {
            sparse: Loop::new(Image::new(16)),
            device: device.trim().to_owned(),
            mount,
        }
    }

    fn words(&self, line: &str) -> Vec<String> {
        let place = self.mount.path().to_str().unwrap();
        let sparse = self.sparse.device.to_str().unwrap();
        let word = |word: &str| {
            let word = word.replace("DIR", place).replace("SPARSE", sparse);
            word.replace("DEVICE", &self.device)
        };
        line.split(' ').map(word).collect()
    }
}

/// The store, and in it the experiments that FIRST and SECOND are.
struct Store {
    home: Home,
    arms: Vec<String>,
}

impl Store {
    fn newest(&self) -> String {
        self.home.experiments().len().to_string()
    }

    /// What the program said, and whether it ended with `code`, or with another of its verdicts on figures that nothing
    /// but other work on the machine spoiled, however often it was tried.
    fn ends_with(&self, words: &[String], code: i32) -> (Said, bool) {
        let judged = || match words[0].as_str() {
            "compare" => self.arms.clone(),
            _ => vec![self.newest()],
        };
        let is_verdict = |code: Option<i32>| matches!(code, Some(VALID | INVALID | IMPRECISE));
        let is_spoiled = |said: &Said| {
            let both = is_verdict(said.code) && is_verdict(Some(code));
            both && judged().iter().any(|id| self.is_spoiled(id))
        };
        let ended = |said: &Said| said.code == Some(code);
        let attempt = || self.home.run(words);
        let said = undisturbed(attempt, |said| !ended(said) && is_spoiled(said));
        let is_right = ended(&said) || is_spoiled(&said);
        (said, is_right)
    }

    fn is_spoiled(&self, id: &str) -> bool {
        let document = self.home.run(["export", id, "--json"]).json();
        let cells = document["cells"].as_array().cloned().unwrap_or_default();
        cells.iter().any(is_disturbed)
    }
}

#[test]
fn each_outcome_ends_with_its_code_whatever_the_command() {
    if !root_for("each_outcome_ends_with_its_code_whatever_the_command") {
        return;
    }
    let (places, arms) = (Places::new(), Vec::new());
    let mut store = Store {
        home: Home::new(),
        arms,
    };
    let mut wrong = Vec::new();
    for (line, code) in TABLE {
        let named = ["FIRST", "SECOND"].iter().zip(&store.arms);
        let named = named.fold(line.to_owned(), |line, (name, id)| line.replace(name, id));
        let (said, is_right) = store.ends_with(&places.words(&named), code);
        if !is_right {
            wrong.push(format!("{line}: {code} expected: {said:?}"));
        }
        if store.arms.len() < 2 {
            store.arms.push(store.newest());
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

/// Each takes far longer than the test waits.
const LONG: [&str; 8] = [
    "measure DIR --op randread -s 16M --time 90s",
    "together -- DIR --op read -s 16M --time 90s -- DIR --op write -s 16M --time 90s",
    "metadata DIR --files 30 --runs 900",
    "quick DIR --budget 90s",
    "dd if=/dev/zero of=DIR/copy bs=1M count=64 conv=fsync --runs 900",
    "iozone -i 0 -i 2 -s 32m -r 4k -o -f DIR/file --runs 900",
    "fdtree -d 10 -l 3 -f 5 -s 1 -o DIR --runs 900",
    "hdparm -t --runs 900 SPARSE",
];

#[test]
fn a_signal_ends_every_command_with_130() {
    if !root_for("a_signal_ends_every_command_with_130") {
        return;
    }
    let (home, places) = (Home::new(), Places::new());
    for line in LONG {
        let child = start(home.etalon_that_hears(places.words(line)));
        wait_for_work(&child);
        let pid = Pid::from_raw(i32::try_from(child.id()).unwrap()).unwrap();
        kill_process(pid, Signal::INT).unwrap();
        let said = finish(child);
        assert_eq!(said.code, Some(INTERRUPTED), "{line}: {said:?}");
    }
}
