//! Filesystems that are full, read-only, or without O_DIRECT.

use std::fs::File;
use std::io::Write as _;
use std::path::Path;

use crate::common::{
    Home, Mount, SHORT, finish, left_in, root_for, scratch_in, start, wait_for, wait_while,
};

/// Lengthens a file until nothing more fits.
fn fill(directory: &Path) {
    let mut options = File::options();
    let filler = directory.join("filler");
    let mut file = options.append(true).create(true).open(filler).unwrap();
    for size in [1 << 20, 4096, 1] {
        while file.write_all(&vec![1; size]).is_ok() {}
    }
    let _ = file.sync_all();
}

#[test]
fn a_full_disk_is_named_before_anything_is_measured() {
    if !root_for("a_full_disk_is_named_before_anything_is_measured") {
        return;
    }
    for kind in ["ext4", "tmpfs"] {
        let home = Home::new();
        let mount = match kind {
            "tmpfs" => Mount::tmpfs(32),
            kind => Mount::image(kind, 64, "rw"),
        };
        fill(mount.path());
        let place = mount.path().to_str().unwrap();
        for words in [
            &["quick", place][..],
            &["measure", place, "--op", "randread", "--time", "100ms"],
            &["measure", place, "--op", "write", "--file-size", "1M"],
        ] {
            let said = home.run(words);
            assert_eq!(said.code, Some(1), "{said:?}");
            let line = said.complaint();
            assert!(
                line.contains(place) && line.contains("free some space"),
                "{line}"
            );
        }
        assert_eq!(left_in(mount.path()), ["filler"]);
        assert_eq!(home.experiments().len(), 0);
    }
}

#[test]
fn a_disk_that_fills_up_in_the_middle_leaves_nothing_behind() {
    if !root_for("a_disk_that_fills_up_in_the_middle_leaves_nothing_behind") {
        return;
    }
    let (home, mount) = (Home::new(), Mount::image("ext4", 384, "rw"));
    let place = mount.path().to_str().unwrap();
    // A minute suffices for the rows of files too, the only ones that need room once all is laid out; the first of them
    // ends it.
    let mut child = start(home.etalon(["quick", place, "--budget", "60s"]));
    wait_while(&child, "the scratch directory", || {
        scratch_in(mount.path()).into_iter().next()
    });
    // Between two rows it gives room back.
    wait_for("its end", || {
        fill(mount.path());
        child.try_wait().unwrap()
    });
    let said = finish(child);
    assert!(matches!(said.code, Some(1 | 3)), "{said:?}");
    let full = ["no space", "No space", "free some space", "need"];
    let told = format!("{}{}", said.out, said.err);
    assert!(full.iter().any(|word| told.contains(word)), "{said:?}");
    assert_eq!(left_in(mount.path()), ["filler"]);
}

#[test]
fn a_read_only_filesystem_is_named() {
    if !root_for("a_read_only_filesystem_is_named") {
        return;
    }
    let (home, mount) = (Home::new(), Mount::image("ext4", 64, "rw"));
    mount.remount("ro");
    let place = mount.path().to_str().unwrap();
    home.run(["quick", place]).refused(1, &[place, "read-only"]);
    let measure = home.run(["measure", place, "--op", "read"]);
    measure.refused(1, &[place, "read-only"]);
}

#[test]
fn without_o_direct_it_is_measured_buffered_and_labelled_so() {
    if !root_for("without_o_direct_it_is_measured_buffered_and_labelled_so") {
        return;
    }
    // ext4 has no O_DIRECT where data goes through the journal (ext4(5), data=journal).
    let (home, mount) = (Home::new(), Mount::image("ext4", 256, "data=journal"));
    let place = mount.path().to_str().unwrap();
    let words = [
        "measure",
        place,
        "--op",
        "randread",
        "--file-size",
        "16M",
        "--time",
        "300ms",
        "--runs",
        "1",
    ];
    let said = home.run([&words[..], &["--json"]].concat());
    assert!(matches!(said.code, Some(0 | 3)), "{said:?}");
    let cell = said.json()["cells"][0].clone();
    assert_eq!(cell["direct"], false, "{said:?}");
    let findings = cell["findings"].as_array().unwrap();
    assert!(
        findings.iter().any(|f| f["code"] == "direct-refused"),
        "{said:?}"
    );
    let text = home.run(words);
    assert!(text.joined().contains("has no O_DIRECT"), "{text:?}");
    let findings = home.run(["show", "2", "--findings"]);
    assert!(
        findings.joined().contains("buffered, not direct"),
        "{findings:?}"
    );
    let strict = home.run([&words[..], &["--direct"]].concat());
    strict.refused(1, &[place, "refuses O_DIRECT", "--direct"]);
    // A block that O_DIRECT would not allow is no obstacle for the page cache.
    let odd = home.run([&words[..], &["--block-size", "1000"]].concat());
    assert!(matches!(odd.code, Some(0 | 3)), "{odd:?}");
    let quick = home.run_in_time(&["quick", place, "--budget", SHORT]);
    assert!(matches!(quick.code, Some(0 | 3)), "{quick:?}");
    assert!(quick.out.contains("no O_DIRECT"), "{quick:?}");
    assert_eq!(left_in(mount.path()), [""; 0]);
}

#[test]
fn an_overlay_is_measured_and_named() {
    if !root_for("an_overlay_is_measured_and_named") {
        return;
    }
    let (home, below) = (Home::new(), Mount::tmpfs(128));
    let mount = Mount::overlay(&below);
    let place = mount.path().to_str().unwrap();
    let words = [
        "measure",
        place,
        "--op",
        "randread",
        "--file-size",
        "8M",
        "--time",
        "200ms",
    ];
    let said = home.run(words);
    assert!(matches!(said.code, Some(0 | 3)), "{said:?}");
    assert!(said.out.contains("overlay"), "{said:?}");
    assert_eq!(left_in(mount.path()), [""; 0]);
}
