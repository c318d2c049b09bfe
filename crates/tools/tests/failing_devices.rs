//! Devices that fail: loop devices whose file was cut short beneath them, so that the kernel answers
//! EIO past the cut. Needs root and `losetup`; what dd does is compared with GNU dd.
#![expect(clippy::unwrap_used, reason = "helpers of a test fail by panicking")]

use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Output};

use etalon_testbed::Loop;
use tempfile::TempDir;

const MIB: u64 = 1 << 20;

/// What can be read of the device, a multiple of neither 64 KiB nor 1 MiB.
const GOOD: u64 = 3 * MIB / 2 + 4096;

/// A device of 4 MiB of which only [`GOOD`] bytes can be read, gone when dropped.
struct BadDevice {
    node: String,
    _device: Loop,
    directory: TempDir,
}

impl BadDevice {
    /// `None`, with a word about it, where this is not root.
    fn new(test: &str) -> Option<BadDevice> {
        let directory = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir());
        let directory = directory.unwrap();
        let image = directory.path().join("image");
        let bytes: Vec<u8> = (0..4 * MIB).map(|n| (n >> 9) as u8 | 1).collect();
        fs::write(&image, &bytes).unwrap();
        let device = Loop::for_test(test, &image, &["--direct-io=off"])?;
        File::options()
            .write(true)
            .open(&image)
            .unwrap()
            .set_len(GOOD)
            .unwrap();
        Some(BadDevice {
            node: device.name().to_owned(),
            _device: device,
            directory,
        })
    }

    fn file(&self, name: &str) -> String {
        let path = self.directory.path().join(name);
        path.to_str().unwrap().to_owned()
    }

    /// Drops what is cached, so that each program meets the device itself.
    fn forget(&self) {
        let flushed = Command::new("blockdev")
            .args(["--flushbufs", &self.node])
            .status();
        assert!(flushed.unwrap().success());
    }
}

fn tool() -> Command {
    Command::new(env!("CARGO_BIN_EXE_etalon-tool"))
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// dd's lines without etalon's own and without times.
fn lines(output: &Output) -> Vec<String> {
    let own = |line: &&str| !line.starts_with("etalon: ");
    let untimed = |line: &str| line.split(" copied, ").next().unwrap_or(line).to_owned();
    let text = text(&output.stderr);
    text.lines().filter(own).map(untimed).collect()
}

fn copy(device: &BadDevice, mut dd: Command, operands: &str, out: &str) -> (Output, Vec<u8>) {
    device.forget();
    let file = device.file(out);
    let output = dd
        .env("LC_ALL", "C")
        .args(operands.split(' '))
        .args([format!("if={}", device.node), format!("of={file}")])
        .output()
        .unwrap();
    let bytes = fs::read(Path::new(&file)).unwrap_or_default();
    (output, bytes)
}

#[test]
fn dd_copies_from_a_failing_device_what_gnu_dd_copies() {
    let Some(device) = BadDevice::new("dd_copies_from_a_failing_device_what_gnu_dd_copies") else {
        return;
    };
    for operands in [
        "bs=64k",
        "bs=64k iflag=direct",
        "bs=4k count=500 conv=noerror",
        "bs=64k count=30 conv=noerror,sync",
        "bs=64k count=30 conv=noerror,sync iflag=direct",
        "bs=1M count=4 conv=noerror,sync iflag=direct",
        "ibs=4k obs=64k skip=380 count=20 conv=noerror,sync",
        "bs=64k count=30 conv=noerror,sync status=none",
    ] {
        let (theirs, gnu) = copy(&device, Command::new("dd"), operands, "gnu");
        let mut own = tool();
        own.arg("dd");
        let (ours, bytes) = copy(&device, own, operands, "own");
        assert_eq!(ours.status.code(), theirs.status.code(), "{operands}");
        assert_eq!(lines(&ours), lines(&theirs), "{operands}");
        assert!(bytes == gnu, "{operands}: other bytes");
    }
}

#[test]
fn a_copy_that_met_errors_is_labelled() {
    let Some(device) = BadDevice::new("a_copy_that_met_errors_is_labelled") else {
        return;
    };
    let say = |operands: &str| {
        let mut own = tool();
        own.arg("dd");
        text(&copy(&device, own, operands, "own").0.stderr)
    };
    let ended = say("bs=64k");
    assert!(
        ended.contains("etalon: not a whole copy: it failed after "),
        "{ended}"
    );
    assert!(ended.contains("no whole copy, and so no rate"), "{ended}");
    let passed = say("bs=64k count=25 conv=noerror,sync");
    assert!(
        passed.contains("etalon: not a whole copy: 1 read failed; padding stands"),
        "{passed}"
    );
    let moved = say("bs=64k count=25 conv=noerror");
    assert!(moved.contains("the rest has moved up"), "{moved}");
}

#[test]
fn hdparm_says_where_reading_failed_and_what_came_before() {
    let Some(device) = BadDevice::new("hdparm_says_where_reading_failed_and_what_came_before")
    else {
        return;
    };
    let run = |words: &[&str]| {
        let mut own = tool();
        own.arg("hdparm").args(words).arg(&device.node);
        own.output().unwrap()
    };
    for words in [&["-t", "--runs", "2"][..], &["-t", "--direct"]] {
        let output = run(words);
        assert_eq!(output.status.code(), Some(1));
        let said = text(&output.stderr);
        let expected = format!("{}: read() failed at byte ", device.node);
        assert!(said.starts_with(&expected), "{said}");
        assert!(
            said.contains(": Input/output error; no rate: only 0 B"),
            "{said}"
        );
        assert_eq!(said.lines().count(), 1, "{said}");
    }
    let output = run(&["-t", "--json"]);
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(document["readings"].as_array().unwrap().len(), 0);
    let failure = &document["failures"][0];
    assert_eq!(failure["run"], 0);
    assert_eq!(failure["device"], device.node.as_str());
}
