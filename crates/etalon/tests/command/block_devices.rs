//! Block devices are read, and never written where anything lies on them.

use std::fs::{File, OpenOptions};
use std::io::{Read as _, Write as _};
use std::path::Path;

use rustix::fs::inotify;

use crate::common::{
    Home, Image, Loop, ROWS, SHORT, counted_runs, finish, measured_or_dropped, root_for,
    short_check, start, wait_for, wait_while,
};

/// More than looking at a device takes before it is measured.
const MANY_READS: u64 = 5_000;

fn counters_of(disk: &Loop) -> String {
    let name = disk.device.file_name().unwrap().to_str().unwrap();
    format!("/sys/block/{name}/stat")
}

/// Reads that the device has completed (Documentation/block/stat.rst, the first field).
fn reads_of(disk: &Loop) -> u64 {
    let counters = std::fs::read_to_string(counters_of(disk)).unwrap();
    counters.split_whitespace().next().unwrap().parse().unwrap()
}

fn contents(path: &Path) -> Vec<u8> {
    let mut bytes = Vec::new();
    File::open(path).unwrap().read_to_end(&mut bytes).unwrap();
    bytes
}

/// A loop device with something on it.
fn written(mib: u64) -> Loop {
    let image = Image::new(mib);
    let mut file = OpenOptions::new().write(true).open(&image.file).unwrap();
    let block: Vec<u8> = (0..1 << 20).map(|i: u32| ((i * 31) >> 3) as u8).collect();
    for _ in 0..mib {
        file.write_all(&block).unwrap();
    }
    Loop::new(image)
}

#[test]
fn writing_is_refused_and_not_a_byte_changes() {
    if !root_for("writing_is_refused_and_not_a_byte_changes") {
        return;
    }
    let (home, disk) = (Home::new(), written(32));
    let device = disk.device.to_str().unwrap();
    // What bears a filesystem is not free.
    etalon_testbed::mkfs("ext4", &["-F", device]);
    let before = contents(&disk.device);
    for op in [
        "write",
        "randwrite",
        "rw",
        "randrw",
        "backwrite",
        "stridewrite",
        "trim",
        "randtrim",
        "trimwrite",
        "randtrimwrite",
    ] {
        let said = home.run(["measure", device, "--op", op, "--time", "100ms"]);
        assert_eq!(said.code, Some(4), "{op}: {said:?}");
        assert!(said.err.contains("carries ext2/3/4"), "{op}: {said:?}");
    }
    for op in ["create", "unlink", "stat"] {
        let said = home.run(["measure", device, "--op", op]);
        assert!(matches!(said.code, Some(2 | 4)), "{said:?}");
        said.complaint();
    }
    // An existing file is as safe.
    let file = disk.image.file.to_str().unwrap();
    let said = home.run(["measure", file, "--op", "randwrite", "--time", "100ms"]);
    said.refused(4, &[file, "randwrite", "existing file"]);
    assert!(contents(&disk.device) == before, "the device has changed");
    assert_eq!(home.experiments().len(), 0);
}

#[test]
fn what_may_not_be_written_is_refused_before_a_look_at_the_disks() {
    if !root_for("what_may_not_be_written_is_refused_before_a_look_at_the_disks") {
        return;
    }
    let (home, disk) = (Home::new(), written(32));
    let device = disk.device.to_str().unwrap();
    etalon_testbed::mkfs("ext4", &["-F", device]);
    // Each look opens the counters, of which the kernel tells here (inotify(7)).
    let counters = counters_of(&disk);
    let told = inotify::init(inotify::CreateFlags::NONBLOCK).unwrap();
    inotify::add_watch(&told, &counters, inotify::WatchFlags::OPEN).unwrap();
    let are_opened = || rustix::io::read(&told, &mut [0; 4096]).is_ok();
    let measure = |op| home.run(["measure", device, "--op", op, "--time", "20ms"]);
    let said = measure("write");
    said.refused(4, &["carries ext2/3/4"]);
    assert!(!are_opened(), "{said:?}");
    let said = measure("read");
    assert!(are_opened(), "{said:?}");
}

#[test]
fn a_quick_check_of_a_device_reads_only() {
    if !root_for("a_quick_check_of_a_device_reads_only") {
        return;
    }
    let (home, disk) = (Home::new(), written(64));
    let device = disk.device.to_str().unwrap();
    let before = contents(&disk.device);
    let asked = home.run(["quick", device, "--file-size", "1M"]);
    asked.refused(2, &["reads as a whole", "--op randread --range 1MiB"]);
    let said = home.run_in_time(&short_check(device));
    assert!(matches!(said.code, Some(0 | 3)), "{said:?}");
    assert!(!said.err.contains("laying out"), "{said:?}");
    let document = said.json();
    let cells = document["cells"].as_array().unwrap();
    assert_eq!(
        measured_or_dropped(&document, &ROWS[..3]),
        ROWS[..3],
        "{said:?}"
    );
    for cell in cells {
        let operation = cell["workload"]["operation"].as_str().unwrap();
        assert!(operation.ends_with("read"), "{operation}");
    }
    let choice = document["choices"][0].as_str().unwrap();
    assert!(choice.contains("all 64 MiB of the device"), "{choice}");
    // What was chosen and dropped is kept with the figures.
    let kept = home.run(["show", "1", "--json"]).json();
    for key in ["choices", "dropped"] {
        assert_eq!(kept[key], document[key], "{key}");
    }
    let page = home.run(["show", "1"]).joined();
    assert!(page.contains("all 64 MiB of the device"), "{page}");
    assert!(contents(&disk.device) == before, "the device has changed");
}

#[test]
fn a_very_small_device_is_measured_or_refused_but_never_a_crash() {
    if !root_for("a_very_small_device_is_measured_or_refused_but_never_a_crash") {
        return;
    }
    let (home, disk) = (Home::new(), written(1));
    let device = disk.device.to_str().unwrap();
    let said = home.run_in_time(&["quick", device, "--budget", SHORT]);
    assert!(matches!(said.code, Some(0 | 1 | 3)), "{said:?}");
}

#[test]
fn trims_of_a_free_device_are_measured_and_those_that_come_again_are_told() {
    if !root_for("trims_of_a_free_device_are_measured_and_those_that_come_again_are_told") {
        return;
    }
    let (home, disk) = (Home::new(), written(16));
    let device = disk.device.to_str().unwrap();
    let words = ["-b", "64k", "--one-pass", "--runs", "2", "--json"];
    let trim = ["measure", device, "--op", "trim"].into_iter();
    let said = home.run(trim.chain(words));
    assert!(matches!(said.code, Some(0 | 3)), "{said:?}");
    let cell = said.json()["cells"][0].clone();
    let counted = counted_runs(&cell, 2);
    assert_eq!(cell["operations"], counted * 256, "{cell}");
    assert_eq!(cell["bytes"], counted * (16 << 20), "{cell}");
    let codes = cell["findings"].to_string();
    assert!(codes.contains("trimmed-before"), "{codes}");
    let document = home.run(["export", "1", "--json"]).json();
    let measurement = &document["runs"][0]["measurement"];
    assert_eq!(measurement["trims"]["operations"], 256, "{measurement}");
    assert_eq!(measurement["writes"]["operations"], 0, "{measurement}");
    let page = home.run(["show", "1"]).out;
    assert!(page.contains("sequential trim 64 KiB"), "{page}");
    let file = std::fs::metadata(&disk.image.file).unwrap();
    assert_eq!(std::os::unix::fs::MetadataExt::blocks(&file), 0);
    // What is written after each trim is not free when its turn comes again.
    let pairs = ["measure", device, "--op", "trimwrite"].into_iter();
    let said = home.run(pairs.chain(words));
    assert!(matches!(said.code, Some(0 | 3)), "{said:?}");
    let cell = said.json()["cells"][0].clone();
    assert_eq!(
        cell["operations"],
        counted_runs(&cell, 2) * 2 * 256,
        "{cell}"
    );
    let codes = cell["findings"].to_string();
    let told = ["trimmed-before", "discards", "not-durable", "foreign-io"];
    assert!(!told.iter().any(|code| codes.contains(code)), "{codes}");
    let page = home.run(["show", "2"]).joined();
    assert!(page.contains("sequential trim+write 64 KiB"), "{page}");
    assert!(page.contains("counts twice"), "{page}");
    // What measures nothing of a device is no measurement of a file.
    let ground = home.path().to_str().unwrap();
    let said = home.run(["measure", ground, "--op", "randtrim", "--runs", "1"]);
    said.refused(4, &["randtrim", "block device"]);
}

#[test]
fn an_input_output_error_in_the_middle_ends_the_run_and_is_told() {
    if !root_for("an_input_output_error_in_the_middle_ends_the_run_and_is_told") {
        return;
    }
    let (home, disk) = (Home::new(), written(64));
    let device = disk.device.to_str().unwrap();
    let words = [
        "measure", device, "--op", "randread", "--time", "20s", "--runs", "1", "--json",
    ];
    let child = start(home.etalon(words));
    wait_while(&child, "the timed part", || {
        (reads_of(&disk) > MANY_READS).then_some(())
    });
    // The device goes on to claim its size when its file is cut.
    let file = OpenOptions::new()
        .write(true)
        .open(&disk.image.file)
        .unwrap();
    file.set_len(1 << 20).unwrap();
    let said = finish(child);
    assert_eq!(said.code, Some(3), "{said:?}");
    let cell = said.json()["cells"][0].clone();
    assert_eq!(cell["verdict"], "invalid", "{said:?}");
    let findings = cell["findings"].as_array().unwrap();
    let failed = findings.iter().find(|f| f["code"] == "run-failed").unwrap();
    let message = failed["message"].as_str().unwrap();
    assert!(
        message.contains("at byte ") && message.contains("os error 5"),
        "{message}"
    );
    assert_eq!(home.experiments().len(), 1);
    wait_for("the store", || {
        home.experiments()[0]["runs"].as_u64().filter(|&n| n == 1)
    });
}

#[test]
fn what_is_printed_goes_to_no_file_behind_a_device() {
    if !root_for("what_is_printed_goes_to_no_file_behind_a_device") {
        return;
    }
    let (home, image) = (Home::new(), Image::new(4));
    let file = image.file.clone();
    let _disk = Loop::new(image);
    let before = contents(&file);
    let opened = || OpenOptions::new().append(true).open(&file).unwrap();
    for words in [["checks"].as_slice(), &["--help"], &["stack", "/"]] {
        let mut printing = home.etalon(words);
        let said = printing.stdout(opened()).output().unwrap();
        let told = String::from_utf8_lossy(&said.stderr);
        assert_eq!(said.status.code(), Some(4), "{words:?}: {told}");
        assert!(told.contains(&*file.to_string_lossy()), "{told}");
        let mut complaining = home.etalon(words);
        let said = complaining.stderr(opened()).output().unwrap();
        assert_eq!(said.status.code(), Some(4), "{words:?}");
        assert!(said.stdout.is_empty(), "{words:?}");
    }
    assert!(contents(&file) == before, "LOST: it was written to");
}

#[test]
fn what_somebody_else_wrote_is_not_verified_and_not_called_corrupt() {
    if !root_for("what_somebody_else_wrote_is_not_verified_and_not_called_corrupt") {
        return;
    }
    let home = Home::new();
    let verified = |disk: &Loop, op: &str, more: &[&str]| {
        let device = disk.device.to_str().unwrap();
        let words = ["measure", device, "--op", op, "--verify", "--runs", "1"];
        let said = home.run([&words, more].concat());
        assert!(matches!(said.code, Some(0 | 3)), "{said:?}");
        assert!(!said.out.contains("Do not trust"), "{said:?}");
        let lines = said.out.lines().filter(|line| line.contains("erified: "));
        lines.collect::<Vec<_>>().join("\n")
    };
    let seconds = ["--time", "50ms", "--seed", "7"];
    let foreign = verified(&written(8), "randread", &seconds);
    assert!(foreign.starts_with("Verified: nothing. "), "{foreign}");
    // Beside what it wrote itself it finds what it did not write, and says as little of that.
    let disk = Loop::new(Image::new(8));
    let own = verified(&disk, "randrw", &seconds);
    assert!(own.contains(" in one run, all as written."), "{own}");
    assert!(own.contains("\nNot verified: "), "{own}");
    // What etalon wrote with the same seed is compared, also by another run.
    verified(&disk, "write", &["--one-pass", "--seed", "7"]);
    let earlier = verified(&disk, "randread", &seconds);
    assert!(
        earlier.ends_with(" in one run, all as written."),
        "{earlier}"
    );
}
