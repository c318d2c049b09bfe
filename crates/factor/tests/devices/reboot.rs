//! What a reboot undoes by itself, and what it leaves under another name or not mounted yet.

use std::fs;
use std::path::Path;

use etalon_factor::guard::HeldDevice;
use etalon_factor::{
    Change, Entry, FilesystemMark, Journal, KeptReason, ProcessStamp, Token, restore,
};
use etalon_testbed::{Loop, Mount, mkfs, tool};
use serde_json::json;

use crate::machine::{Machine, apply, names};

/// Makes all entries those of an earlier boot, and changes more of their text.
fn started_anew(journal: &Path, more: (&str, &str)) {
    let boot = fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap();
    for name in names(journal).iter().filter(|name| name.ends_with("json")) {
        let path = journal.join(name);
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.contains(boot.trim()), "{text}");
        let text = text
            .replace(boot.trim(), "an-earlier-boot")
            .replace(more.0, more.1);
        fs::write(&path, text).unwrap();
    }
}

fn image(place: &Path, name: &str, mib: u64) -> Loop {
    let path = place.join(name);
    fs::File::create(&path).unwrap().set_len(mib << 20).unwrap();
    Loop::over(&path, &[])
}

/// A private directory on what is mounted there.
fn enter_files_on(journal: &Journal, point: &Path) {
    let change = Change::ScratchDirectory {
        parent: point.to_owned(),
        filesystem: FilesystemMark {
            id: rustix::fs::statvfs(point).unwrap().f_fsid,
            volatile: false,
        },
        given_to: None,
    };
    let owner = ProcessStamp::current().unwrap();
    let entry = Entry::new(owner, Token::random().unwrap(), change);
    journal.write(&entry).unwrap();
}

#[test]
fn a_device_that_has_another_name_by_now_is_cleared_all_the_same() {
    let Some(machine) =
        Machine::new("a_device_that_has_another_name_by_now_is_cleared_all_the_same")
    else {
        return;
    };
    let place = machine.place.path();
    let (device, other) = (image(place, "one", 320), image(place, "other", 320));
    let mut ground = machine.ground.clone();
    ground.devices = vec![device.node().to_owned()];
    for kind in ["ext4", "xfs", "btrfs"] {
        let Ok(made) = apply(&ground, "filesystem", &json!(kind)) else {
            continue;
        };
        let point = made.target().unwrap().to_owned();
        std::mem::forget(made);
        enter_files_on(&ground.journal, &point);
        tool("umount", &[&point.to_string_lossy()]);
        assert!(HeldDevice::claim(device.node(), None).is_err());
        started_anew(ground.journal.directory(), (device.name(), other.name()));
        let report = restore(&ground.journal);
        // The files went with the filesystem on which they lay.
        assert!(report.kept.is_empty(), "{kind}: {report:?}");
        assert!(restore(&ground.journal).is_empty(), "{kind}");
        HeldDevice::claim(device.node(), None).unwrap();
    }
    assert_eq!(names(&ground.workshop), [""; 0]);
}

#[test]
fn a_file_whose_filesystem_is_not_mounted_yet_is_not_forgotten() {
    let Some(machine) = Machine::new("a_file_whose_filesystem_is_not_mounted_yet_is_not_forgotten")
    else {
        return;
    };
    let device = image(machine.place.path(), "disk", 64);
    mkfs("ext4", &["-q", device.name()]);
    let point = machine.place.path().join("point");
    fs::create_dir(&point).unwrap();
    let mount = Mount::at(&point, &["-t", "ext4", device.name()]);
    let mut ground = machine.ground.clone();
    ground.workshop.clone_from(&point);
    let disk = json!({ "value": "loop-file", "size": "8MiB" });
    let made = apply(&ground, "disk", &disk).unwrap();
    let node = made.devices().unwrap().remove(0);
    std::mem::forget(made);
    tool("losetup", &["--detach", &node.to_string_lossy()]);
    mount.unmount();
    started_anew(ground.journal.directory(), ("", ""));
    for _ in 0..2 {
        let report = restore(&ground.journal);
        let reason = &report.kept[0].reason;
        assert!(
            matches!(reason, KeptReason::NotMounted { .. }),
            "{report:?}"
        );
    }
    let _mount = Mount::at(&point, &["-t", "ext4", device.name()]);
    assert_eq!(names(&point).len(), 2, "lost+found and the file");
    let report = restore(&ground.journal);
    assert!(report.kept.is_empty(), "{report:?}");
    assert_eq!(report.removed.len(), 1);
    assert_eq!(names(&point), ["lost+found"]);
}

#[test]
fn values_of_the_kernel_are_told_as_gone_and_not_set_again() {
    let Some(machine) = Machine::new("values_of_the_kernel_are_told_as_gone_and_not_set_again")
    else {
        return;
    };
    let device = image(machine.place.path(), "disk", 16);
    let mut ground = machine.ground.clone();
    ground.target = device.node().to_owned();
    let name = device.name().trim_start_matches("/dev/").to_owned();
    ground.disks = vec![etalon_factor::condition::GroundDisk {
        name: name.clone(),
        is_leaf: true,
    }];
    let file = format!("/sys/block/{name}/queue/read_ahead_kb");
    let before = fs::read_to_string(&file).unwrap();
    std::mem::forget(apply(&ground, "read_ahead_kb", &json!(64)).unwrap());
    started_anew(ground.journal.directory(), ("", ""));
    // As the kernel begins with, or as somebody has set it since.
    fs::write(&file, "192").unwrap();
    let report = restore(&ground.journal);
    let now = fs::read_to_string(&file).unwrap();
    fs::write(&file, before.trim()).unwrap();
    assert_eq!(report.undone_by_reboot, [Path::new(&file)]);
    assert!(
        report.put_back.is_empty() && report.kept.is_empty(),
        "{report:?}"
    );
    assert_eq!(now.trim(), "192");
    assert!(restore(&ground.journal).is_empty());
}
