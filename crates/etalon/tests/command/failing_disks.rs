//! A disk that fails in the middle of the work: a loop device whose file lies on a filesystem too
//! small for it, as a thin volume whose pool is used up. Its filesystem has room; its writes fail.

use std::path::Path;

use etalon_testbed::mkfs;

use crate::common::{Home, Mount, root_for};

/// Size of the disk, and how much of it can really be written.
const DISK_MIB: u64 = 256;
const GOOD_MIB: u64 = 48;

/// An ext4 filesystem on such a disk; the first field is unmounted first.
pub(crate) struct FailingDisk {
    mount: Mount,
    _small: Mount,
}

impl FailingDisk {
    fn new() -> FailingDisk {
        FailingDisk::with(GOOD_MIB)
    }

    /// One of which so much can really be written.
    pub(crate) fn with(good_mib: u64) -> FailingDisk {
        let small = Mount::tmpfs(good_mib);
        let image = small.path().join("image");
        std::fs::File::create(&image)
            .unwrap()
            .set_len(DISK_MIB << 20)
            .unwrap();
        let image_name = image.to_str().unwrap();
        let words = ["-F", "-O", "^has_journal", "-E", "nodiscard", image_name];
        mkfs("ext4", &words);
        FailingDisk {
            mount: Mount::of_file(&image),
            _small: small,
        }
    }

    pub(crate) fn path(&self) -> &Path {
        self.mount.path()
    }
}

#[test]
fn iozone_labels_what_a_failing_disk_left() {
    if !root_for("iozone_labels_what_a_failing_disk_left") {
        return;
    }
    let (home, disk) = (Home::new(), FailingDisk::new());
    let file = disk.path().join("file");
    let file = file.to_str().unwrap();
    let words = [
        "iozone", "-s", "128m", "-r", "1m", "-I", "-i", "0", "-f", file,
    ];
    let said = home.run([&words[..], &["--runs", "2"]].concat());
    assert_eq!(said.code, Some(1), "{said:?}");
    assert!(said.out.contains("iozone test ended early"), "{said:?}");
    // A line that is broken begins with the label again.
    let words = said.joined().replace("etalon: ", "");
    assert!(words.contains("invalid: run-failed"), "{said:?}");
    assert!(words.contains("the filesystem was full"), "{said:?}");
}

#[test]
fn fdtree_keeps_the_phases_that_were_done() {
    if !root_for("fdtree_keeps_the_phases_that_were_done") {
        return;
    }
    let (home, disk) = (Home::new(), FailingDisk::new());
    let place = disk.path().to_str().unwrap();
    // 73 directories, then 73 MiB in files.
    let shape = ["-l", "2", "-d", "8", "-f", "1", "-s", "256", "--sync"];
    let said = home.run([&["fdtree"], &shape[..], &["-o", place]].concat());
    assert_eq!(said.code, Some(1), "{said:?}");
    assert!(
        said.out.contains("Directory creates per second"),
        "{said:?}"
    );
    assert!(!said.out.contains("File creates per second"), "{said:?}");
    let label = "etalon: partial: the last run ended within phase 2 of 4";
    assert!(said.out.contains(label), "{said:?}");
    assert!(said.err.contains("fdtree: cannot "), "{said:?}");
}

#[test]
fn measure_keeps_a_run_that_met_an_error_and_calls_it_invalid() {
    if !root_for("measure_keeps_a_run_that_met_an_error_and_calls_it_invalid") {
        return;
    }
    let (home, disk) = (Home::new(), FailingDisk::new());
    let place = disk.path().to_str().unwrap();
    let words = ["measure", place, "--op", "write", "--file-size", "128M"];
    let said = home.run([&words[..], &["--block-size", "1M", "--bytes", "128M"]].concat());
    assert_eq!(said.code, Some(3), "{said:?}");
    let findings = home.run(["show", "1", "--findings"]);
    assert!(findings.out.contains("[run-failed]"), "{findings:?}");
    assert!(said.out.contains("INVALID"), "{said:?}");
    assert!(
        said.joined().contains("was full before the run ended"),
        "{said:?}"
    );
    assert_eq!(home.experiments().len(), 1);
}
