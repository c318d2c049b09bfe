//! Who uses a device, on real loop devices: needs root, `losetup`, `mkfs.ext4` and `mkswap`.

#![expect(
    clippy::unwrap_used,
    reason = "a test that cannot go on should say where"
)]

mod loops;

use std::path::Path;

use etalon_model::stack::{ExclusiveOpen, User};
use etalon_stack::{Roots, device_use};
use etalon_testbed::{Mount, mkfs, tool};

use loops::Loop;

fn users(device: &Loop) -> Vec<User> {
    device_use(device.node(), &Roots::default()).unwrap().users
}

#[test]
fn an_untouched_device_is_free() {
    let Some(device) = Loop::new("an_untouched_device_is_free", 4) else {
        return;
    };
    // losetup may still be closing it, and other tests' losetup look at every loop device.
    let looks = (0..600).map(|_| device_use(device.node(), &Roots::default()).unwrap());
    let mut patient = looks.inspect(|found| {
        if !found.is_free() {
            std::thread::sleep(std::time::Duration::from_millis(100));
        }
    });
    let free = patient.find(|found| found.is_free());
    let found = free.expect("nobody uses it within a minute");
    assert_eq!(
        (found.users.clone(), found.exclusive.clone()),
        (Vec::new(), ExclusiveOpen::Granted)
    );
}

#[test]
fn a_filesystem_is_seen_before_and_after_it_is_mounted() {
    let name = "a_filesystem_is_seen_before_and_after_it_is_mounted";
    let Some(device) = Loop::new(name, 16) else {
        return;
    };
    let node = device.text();
    mkfs("ext4", &[&node]);
    assert!(
        users(&device)
            .iter()
            .any(|u| matches!(u, User::Signature { kind, .. } if kind == "ext2/3/4"))
    );
    let point = device.directory.path().join("mounted here");
    let mount = Mount::at(&point, &[&node]);
    let found = device_use(device.node(), &Roots::default()).unwrap();
    mount.unmount();
    let mounted =
        |user: &User| matches!(user, User::Mounted { point: at, .. } if Path::new(at) == point);
    assert!(found.users.iter().any(mounted), "{:?}", found.users);
    assert_eq!(found.exclusive, ExclusiveOpen::Busy);
    assert!(!found.is_free());
}

#[test]
fn swap_and_partition_tables_are_seen() {
    let name = "swap_and_partition_tables_are_seen";
    let Some(device) = Loop::new(name, 4) else {
        return;
    };
    tool("mkswap", &[&device.text()]);
    assert!(
        users(&device)
            .iter()
            .any(|u| matches!(u, User::Signature { kind, .. } if kind == "swap"))
    );
}

#[test]
fn a_file_and_an_absent_path_are_refused() {
    let error = device_use(Path::new("/proc/self/status"), &Roots::default()).unwrap_err();
    assert!(error.to_string().contains("is not a block device"));
    assert!(device_use(Path::new("/dev/not there"), &Roots::default()).is_err());
}
