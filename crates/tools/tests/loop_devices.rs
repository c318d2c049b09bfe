//! Block devices: what hdparm prints, what may be written to, and copies from device to device.
#![expect(clippy::unwrap_used, reason = "helpers of a test fail by panicking")]

use std::fs::{self, File};
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

use etalon_testbed::{Loop, OF_THE_MACHINE, skip};
use regex::Regex;
use tempfile::NamedTempFile;

/// hdparm 9.65: what follows a device's name.
const LINE: &str = r"^ Timing (?:(?:buffered|O_DIRECT) disk reads: |(?:O_DIRECT )?cached reads:   ) *(\d+) MB in +(\d+\.\d\d) seconds = +(\d+\.\d\d) [kM]B/sec$";

/// A loop device over a file, gone when dropped.
struct LoopDevice {
    name: String,
    _device: Loop,
    file: NamedTempFile,
}

impl LoopDevice {
    /// `None`, with a word about it, where this is not root.
    fn new(test: &str, mebibytes: u64) -> Option<LoopDevice> {
        let file = NamedTempFile::new_in("/dev/shm").or_else(|_| NamedTempFile::new());
        let file = file.unwrap();
        let bytes: Vec<u8> = (0..mebibytes << 20).map(|n| (n >> 9) as u8).collect();
        fs::write(file.path(), &bytes).unwrap();
        let device = Loop::for_test(test, file.path(), &[])?;
        Some(LoopDevice {
            name: device.name().to_owned(),
            _device: device,
            file,
        })
    }

    fn file(&self) -> &Path {
        self.file.path()
    }
}

fn tool(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_etalon-tool"))
        .args(args)
        .output()
        .unwrap()
}

/// hdparm with these words, beside which ours runs: it rests for seconds. `None`, with a word about it, where there is none.
fn real_hdparm(test: &str, words: &[&str]) -> Option<Child> {
    let child = Command::new("hdparm")
        .args(words)
        .stdout(Stdio::piped())
        .spawn();
    if child.is_err() {
        skip(test, "no hdparm on this machine");
    }
    child.ok()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// What ours prints, run again while a finding says that the machine around it disturbed a reading, which is in no interval.
fn undisturbed(words: &[&str]) -> String {
    let met = |out: &str| {
        let mut codes = OF_THE_MACHINE.iter();
        codes.any(|code| out.contains(&format!("[{code}]")))
    };
    let mut out = text(&tool(words).stdout);
    for pause in 1..6 {
        if !met(&out) {
            break;
        }
        std::thread::sleep(std::time::Duration::from_secs(pause));
        out = text(&tool(words).stdout);
    }
    out
}

#[test]
fn the_lines_of_hdparm_and_ours_fit_one_pattern() {
    let pattern = Regex::new(LINE).unwrap();
    let test = "the_lines_of_hdparm_and_ours_fit_one_pattern";
    let (Some(device), Some(other)) = (LoopDevice::new(test, 8), LoopDevice::new(test, 8)) else {
        return;
    };
    let real = real_hdparm(test, &["-t", &other.name]);
    let lines = |output: &Output, device: &LoopDevice| -> Vec<String> {
        let out = text(&output.stdout);
        let body: Vec<&str> = out.lines().collect();
        assert_eq!(body[0], "", "{out}");
        assert_eq!(body[1], format!("{}:", device.name), "{out}");
        let timings = body[2..]
            .iter()
            .take_while(|line| line.starts_with(" Timing"));
        timings.map(|line| (*line).to_owned()).collect()
    };
    let amount = |line: &String| pattern.captures(line).unwrap()[1].to_owned();
    for flags in [["-t"].as_slice(), &["-tT"], &["-t", "--direct"]] {
        let args = [&["hdparm", "--runs", "1"], flags, &[&device.name]].concat();
        let ours = tool(&args);
        assert_eq!(ours.status.code(), Some(0), "{}", text(&ours.stderr));
        let ours = lines(&ours, &device);
        assert!(ours.iter().all(|line| pattern.is_match(line)), "{ours:?}");
        assert_eq!(amount(&ours[ours.len() - 1]), "8");
    }
    if let Some(real) = real {
        let real = lines(&real.wait_with_output().unwrap(), &other);
        assert!(pattern.is_match(&real[0]), "{real:?}");
        assert_eq!(amount(&real[0]), "8");
    }
}

#[test]
fn repeated_readings_end_with_an_interval_and_the_devices_share() {
    let test = "repeated_readings_end_with_an_interval_and_the_devices_share";
    let Some(device) = LoopDevice::new(test, 8) else {
        return;
    };
    let out = undisturbed(&["hdparm", "-t", &device.name]);
    let timings: Vec<&str> = out.lines().filter(|l| l.contains("Timing")).collect();
    assert_eq!(timings.len(), 1, "one line for each test and device: {out}");
    assert!(timings[0].ends_with(" MB/sec"), "{out}");
    let summary = format!("etalon: {} -t: ", device.name);
    let of_device: Vec<&str> = out.lines().filter(|l| l.starts_with(&summary)).collect();
    assert!(of_device[0].contains("(95 %, n=6) MB/sec"), "{out}");
    assert!(!out.contains("MiB/s"), "one unit: {out}");
    let words = ["valid", "invalid", "undecided"];
    let verdict = of_device[1].strip_prefix(&summary).unwrap();
    assert!(words.iter().any(|word| verdict.starts_with(word)), "{out}");
    assert!(
        of_device[of_device.len() - 1].contains("at least 100 %"),
        "{out}"
    );
    assert!(!out.contains("still in the page cache"), "{out}");
}

#[test]
fn a_device_that_carries_something_is_not_written_to() {
    let test = "a_device_that_carries_something_is_not_written_to";
    let (Some(source), Some(target)) = (LoopDevice::new(test, 4), LoopDevice::new(test, 4)) else {
        return;
    };
    let (input, output) = (format!("if={}", source.name), format!("of={}", target.name));
    // The mark of ext2, ext3 and ext4 (fs/ext4/ext4.h, EXT4_SUPER_MAGIC) at byte 1024 + 56.
    let node = File::options().write(true).open(&target.name).unwrap();
    node.write_all_at(&[0x53, 0xef], 1080).unwrap();
    node.sync_all().unwrap();
    drop(node);
    let before = fs::read(&target.name).unwrap();
    let refused = tool(&["dd", &input, &output, "bs=64k", "count=3", "seek=2"]);
    assert_eq!(refused.status.code(), Some(4), "{}", text(&refused.stderr));
    assert!(text(&refused.stderr).contains(&target.name));
    let other = tool(&["dd", &input, &output, "bs=64k", "--destroy", "another"]);
    assert_eq!(other.status.code(), Some(4), "{}", text(&other.stderr));
    assert!(text(&other.stderr).contains("'another'"));
    assert!(
        fs::read(&target.name).unwrap() == before,
        "LOST: it was written to"
    );
}

#[test]
fn the_file_behind_a_device_is_not_written_to_by_name_or_as_standard_output() {
    let test = "the_file_behind_a_device_is_not_written_to_by_name_or_as_standard_output";
    let Some(target) = LoopDevice::new(test, 1) else {
        return;
    };
    let file = target.file();
    let before = fs::read(file).unwrap();
    let output = format!("of={}", file.display());
    for more in ["conv=fsync", "conv=notrunc", "seek=3"] {
        let refused = tool(&["dd", "if=/dev/zero", &output, "count=1", more]);
        let said = text(&refused.stderr);
        assert_eq!(refused.status.code(), Some(4), "{more}: {said}");
        assert!(said.contains(&target.name), "{more}: {said}");
    }
    for stream in [file, Path::new(&target.name)] {
        let opened = File::options().append(true).open(stream).unwrap();
        let _above = Loop::over(Path::new(&target.name), &[]);
        let refused = Command::new(env!("CARGO_BIN_EXE_etalon-tool"))
            .args(["dd", "if=/dev/zero", "count=1"])
            .stdout(opened)
            .output()
            .unwrap();
        let said = text(&refused.stderr);
        assert_eq!(refused.status.code(), Some(4), "{stream:?}: {said}");
    }
    assert!(fs::read(file).unwrap() == before, "LOST: it was written to");
}

#[test]
fn a_free_device_is_copied_to_and_only_where_it_was_asked_for() {
    let test = "a_free_device_is_copied_to_and_only_where_it_was_asked_for";
    let (Some(source), Some(target)) = (LoopDevice::new(test, 4), LoopDevice::new(test, 4)) else {
        return;
    };
    let wipe = vec![0x5a; 4 << 20];
    fs::write(&target.name, &wipe).unwrap();
    let (input, output) = (format!("if={}", source.name), format!("of={}", target.name));
    let args = [
        "dd",
        &input,
        &output,
        "bs=64k",
        "count=3",
        "skip=1",
        "seek=2",
        "oflag=direct",
    ];
    let done = tool(&args);
    assert_eq!(done.status.code(), Some(0), "{}", text(&done.stderr));
    let (source, target) = (
        fs::read(&source.name).unwrap(),
        fs::read(&target.name).unwrap(),
    );
    let mut expected = wipe;
    expected[2 << 16..5 << 16].copy_from_slice(&source[1 << 16..4 << 16]);
    assert!(target == expected);
}

#[test]
fn what_cannot_be_read_is_said() {
    let output = tool(&["hdparm", "-t", "/dev/absent", "--runs", "1"]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(
        text(&output.stderr),
        "/dev/absent: No such file or directory\n"
    );
    assert!(!Path::new("/dev/absent").exists());
}
